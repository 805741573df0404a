// Talking to the server: REST with named refusals, and one socket that comes back by itself.
import { t, has } from "./i18n.js";

/** @import { View } from "./types.js" */

export class Refused extends Error {
  /** @param {string} code @param {string} text @param {Record<string, string>} [args] */
  constructor(code, text, args = {}) {
    const keys = [`refused.${code}.${args.kind}`, `refused.${code}`];
    const key = keys.find((one) => has(one));
    super(key ? t(key, args) : text);
    this.code = code;
    this.detail = text;
    this.args = args;
  }
}

// What a page may still send when it is left.
const MOST_LEAVING = 60_000;

/**
 * Asks the server; with a body it is a POST. What is asked while `leaving` arrives though the page goes.
 * @param {string} path
 * @param {any} [body]
 * @param {{ leaving?: boolean }} [options]
 * @returns {Promise<any>}
 */
export async function api(path, body, { leaving = false } = {}) {
  const text = JSON.stringify(body);
  const options =
    body === undefined
      ? {}
      : {
          method: "POST",
          body: text,
          headers: { "content-type": "application/json" },
          keepalive: leaving && text.length < MOST_LEAVING,
        };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refused("offline", "the server does not answer");
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    throw new Refused(data.code || "internal", data.text || answer.statusText, data.args);
  }
  return data;
}

// Positions are pure values of their question, so answers are kept: in memory for this visit, and
// in the browser's cache, from where studies, lessons and reviews open without a network.
const CACHE = "cotulenh-positions";
const MOST = 4000;
/** @type {Map<string, Promise<any>>} */
const asked = new Map();
let written = 0;

/** @param {string} text */
async function digest(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, "0")).join("");
}

/** @param {string} address @param {any} data */
async function keepAnswer(address, data) {
  const cache = await caches.open(CACHE);
  await cache.put(address, new Response(JSON.stringify(data)));
  written += 1;
  if (written % 200) return;
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - MOST))) await cache.delete(key);
}

/** @param {string} path @param {any} body */
async function askAndKeep(path, body) {
  if (!("caches" in globalThis) || !crypto.subtle) return api(path, body);
  const address = `${path}?kept=${await digest(JSON.stringify(body))}`;
  try {
    const data = await api(path, body);
    keepAnswer(address, data).catch(() => {});
    return data;
  } catch (error) {
    if (error.code !== "offline") throw error;
    const kept = await caches.match(address).catch(() => null);
    if (!kept) throw error;
    return kept.json();
  }
}

/** @param {string} path @param {any} body @returns {Promise<any>} */
export async function pure(path, body) {
  const key = path + JSON.stringify(body);
  if (!asked.has(key)) {
    const answer = askAndKeep(path, body);
    answer.catch(() => asked.delete(key));
    asked.set(key, answer);
    if (asked.size > 800) asked.delete(asked.keys().next().value);
  }
  return asked.get(key);
}

/** @param {string} variant @param {string | null} fen @param {string[]} moves @returns {Promise<View>} */
export const position = (variant, fen, moves) =>
  pure("/api/position", { variant, fen: fen || null, moves });

/**
 * Where the piece on a square could go if its side were to move.
 * @param {string} variant @param {string} fen @param {string} square
 * @returns {Promise<{ targets: [string, string][] }>}
 */
export const reachOf = (variant, fen, square) => pure("/api/reach", { variant, fen, square });

/** The socket: it comes back by itself, and says so. */
export class Connection {
  /** @type {WebSocket} */
  socket;

  /**
   * `onOpen` runs after every (re)connection: that is where a page says again what it watches.
   * @param {{ onMessage(message: any): void, onOpen?(): void, onState?(state: string): void }} hooks
   */
  constructor({ onMessage, onOpen, onState }) {
    this.onMessage = onMessage;
    this.onOpen = onOpen;
    this.onState = onState;
    this.tries = 0;
    this.id = 0;
    this.closed = false;
    this.back = () => this.retry();
    // A dead network does not close a socket: nobody would say that it is gone.
    this.gone = () => this.socket.close();
    addEventListener("online", this.back);
    addEventListener("offline", this.gone);
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket.onopen = () => {
      this.tries = 0;
      this.onState?.("open");
      this.onOpen?.();
    };
    this.socket.onmessage = (event) => this.onMessage(JSON.parse(event.data));
    this.socket.onclose = () => {
      if (this.closed) return;
      this.onState?.("lost");
      const wait = Math.min(8000, 250 * 2 ** this.tries++) * (0.75 + Math.random() / 2);
      this.timer = setTimeout(() => this.connect(), wait);
    };
  }

  /** The network is back: no need to wait. */
  retry() {
    if (this.closed || this.socket.readyState <= WebSocket.OPEN) return; // it is open, or opens
    clearTimeout(this.timer);
    this.connect();
  }

  get ready() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** @param {string} t @param {Record<string, any>} [fields] the id of the message, 0 if not sent */
  send(t, fields = {}) {
    if (!this.ready) return 0;
    this.id += 1;
    this.socket.send(JSON.stringify({ t, id: this.id, ...fields }));
    return this.id;
  }

  close() {
    this.closed = true;
    removeEventListener("online", this.back);
    removeEventListener("offline", this.gone);
    clearTimeout(this.timer);
    this.socket.close();
  }
}
