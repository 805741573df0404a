// Analyses that stay: drafts on this device, studies on the server, copies of both for later.
import { t } from "./i18n.js";
import { api } from "./net.js";
import { keep, playerKey, recall } from "./settings.js";

/** @import { TreeData } from "./types.js" */
/** @typedef {{ id?: string, version?: number, unsaved?: boolean, title: string, tree: TreeData }} Chapter */
/** @typedef {{ id: string, title: string, version: number, chapters: Chapter[], edit?: string }} Study */
/** @typedef {{ id: string, title: string, at: number, tree: TreeData }} Draft */

const DRAFTS = "cotulenh.drafts";
const MOST = 20;

/** @returns {Draft[]} */
export const drafts = () => recall(DRAFTS, []);

/** The newest first; the oldest leave when there are too many. @param {Draft} draft */
export function keepDraft(draft) {
  const others = drafts().filter((one) => one.id !== draft.id);
  return keep(DRAFTS, [draft, ...others].slice(0, MOST));
}

/** @param {string} id */
export const dropDraft = (id) =>
  keep(
    DRAFTS,
    drafts().filter((one) => one.id !== id),
  );

export const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(6)), (n) => n.toString(36)).join("");

/** @param {string} id */
const copyOf = (id) => `cotulenh.study.${id}`;

/** The secret that lets one edit, from the link or remembered. @param {string} id */
export function editSecret(id) {
  const given = new URLSearchParams(location.hash.slice(1)).get("edit");
  if (given) keep(`cotulenh.edit.${id}`, given);
  return given || recall(`cotulenh.edit.${id}`, "");
}

/** @param {Study} study */
export const keepCopy = (study) => keep(copyOf(study.id), study);

/** Our version of a chapter that someone else has changed. @param {Chapter} chapter */
export const keepOwn = (chapter) =>
  keepDraft({
    id: newId(),
    title: t("study.own.copy", { title: chapter.title }),
    at: Date.now(),
    tree: chapter.tree,
  });

/** A study with what this browser could not yet tell the server. @param {string} id @returns {Promise<Study>} */
export async function openStudy(id) {
  /** @type {Study | null} */
  const kept = recall(copyOf(id), null);
  try {
    const study = await api(`/api/studies/${encodeURIComponent(id)}`);
    for (const chapter of kept?.chapters || []) if (chapter.unsaved) bringBack(study, chapter);
    keepCopy(study);
    return study;
  } catch (error) {
    if (error.code === "offline" && kept) return kept;
    throw error;
  }
}

/** @param {Study} study @param {Chapter} chapter */
function bringBack(study, chapter) {
  const at = study.chapters.findIndex((one) => one.id === chapter.id);
  if (!chapter.id) study.chapters.push(chapter);
  else if (at >= 0 && study.chapters[at].version === chapter.version) study.chapters[at] = chapter;
  else keepOwn(chapter);
}

/** @param {string} title @param {Chapter[]} chapters */
export async function createStudy(title, chapters) {
  const made = await api("/api/studies", { key: playerKey(), title, chapters });
  keep(`cotulenh.edit.${made.id}`, made.edit);
  return made;
}

/** @returns {Promise<{ id: string, title: string, updated: number }[]>} */
export const ownStudies = () => api("/api/studies/mine", { key: playerKey() });
