// Analyses that stay: drafts on this device, studies on the server, copies of both for later.
import { api } from "./net.js";
import { keep, playerKey, recall } from "./settings.js";

/** @import { TreeData } from "./types.js" */
/** @typedef {{ id?: string, title: string, tree: TreeData }} Chapter */
/** @typedef {{ id: string, title: string, version: number, chapters: Chapter[], edit?: string, mine?: boolean }} Study */
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

/** @param {string} id @returns {Promise<Study>} */
export async function openStudy(id) {
  try {
    const study = await api(`/api/studies/${encodeURIComponent(id)}`);
    keep(copyOf(id), study);
    return study;
  } catch (error) {
    const kept = recall(copyOf(id), null);
    if (error.code === "offline" && kept) return kept;
    throw error;
  }
}

/** @param {string} title @param {Chapter[]} chapters */
export async function createStudy(title, chapters) {
  const made = await api("/api/studies", { key: playerKey(), title, chapters });
  keep(`cotulenh.edit.${made.id}`, made.edit);
  return made;
}

/** @param {Study} study */
export async function saveStudy(study) {
  keep(copyOf(study.id), study);
  const edit = editSecret(study.id);
  const { title, version } = study;
  const chapters = study.chapters.map(({ id, title: name, tree }) => ({ id, title: name, tree }));
  return api(`/api/studies/${study.id}`, {
    key: playerKey(),
    edit: edit || undefined,
    version,
    title,
    chapters,
  });
}

/** @returns {Promise<{ id: string, title: string, updated: number }[]>} */
export const ownStudies = () => api("/api/studies/mine", { key: playerKey() });
