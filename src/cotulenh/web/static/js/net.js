// Talking to the server: REST with named refusals, and one socket that comes back by itself.
import { t, has } from "./i18n.js";

export class Refused extends Error {
  constructor(code, text) {
    super(has(`refused.${code}`) ? t(`refused.${code}`) : text);
    this.code = code;
    this.detail = text;
  }
}

export async function api(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" },
  };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refused("offline", "the server does not answer");
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(data.code || "internal", data.text || answer.statusText);
  return data;
}

const positions = new Map();

// Positions are pure values of their question, so answers are kept.
export async function position(variant, fen, moves) {
  const key = `${variant}|${fen || ""}|${moves.join(" ")}`;
  if (!positions.has(key)) {
    const asked = api("/api/position", { variant, fen: fen || null, moves });
    asked.catch(() => positions.delete(key));
    positions.set(key, asked);
    if (positions.size > 600) positions.delete(positions.keys().next().value);
  }
  return positions.get(key);
}

export class Line {
  // `onOpen` runs after every (re)connection: that is where a page says again what it watches.
  constructor({ onMessage, onOpen, onState }) {
    Object.assign(this, { onMessage, onOpen, onState });
    this.tries = 0;
    this.id = 0;
    this.closed = false;
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

  get ready() { return this.socket.readyState === WebSocket.OPEN; }

  send(t, fields = {}) {
    if (!this.ready) return 0;
    this.id += 1;
    this.socket.send(JSON.stringify({ t, id: this.id, ...fields }));
    return this.id;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
