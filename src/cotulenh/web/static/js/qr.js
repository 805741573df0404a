// A QR code for a link: byte mode, level L, versions 1 to 10; after ISO/IEC 18004.
import { s } from "./dom.js";

// Bytes of data, error correction bytes a block, blocks; for versions 1 to 10 at level L.
const VERSIONS = [
  [19, 7, 1],
  [34, 10, 1],
  [55, 15, 1],
  [80, 20, 1],
  [108, 26, 1],
  [136, 18, 2],
  [156, 20, 2],
  [194, 24, 2],
  [232, 30, 2],
  [274, 18, 4],
];
const ALIGNED = [[], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i += 1) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
  x = (x << 1) ^ (x & 0x80 ? 0x11d : 0);
}

/** @param {number} a @param {number} b */
const times = (a, b) => (a && b ? EXP[LOG[a] + LOG[b]] : 0);

/** The remainder of a block by the generator polynomial. @param {number[]} data @param {number} count */
function correction(data, count) {
  let generator = [1];
  for (let i = 0; i < count; i += 1) {
    const next = [...generator, 0];
    generator.forEach((value, k) => (next[k + 1] ^= times(value, EXP[i])));
    generator = next;
  }
  const rest = [...data, ...new Array(count).fill(0)];
  for (let i = 0; i < data.length; i += 1) {
    const factor = rest[i];
    if (factor) generator.forEach((value, k) => (rest[i + k] ^= times(value, factor)));
  }
  return rest.slice(data.length);
}

/** @param {Uint8Array} bytes */
function codewords(bytes) {
  const version = VERSIONS.findIndex(([room], n) => bytes.length + (n < 9 ? 2 : 3) <= room);
  if (version < 0) return null;
  const [room, extra, blocks] = VERSIONS[version];
  let bits = "0100" + bytes.length.toString(2).padStart(version < 9 ? 8 : 16, "0");
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  bits = (bits + "0000").slice(0, room * 8);
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, "0");
  const data = (bits.match(/.{8}/g) || []).map((one) => parseInt(one, 2));
  for (let n = 0; data.length < room; n += 1) data.push(n % 2 ? 17 : 236);
  const short = Math.floor(room / blocks);
  const longer = room % blocks;
  /** @type {number[][]} */
  const parts = [];
  for (let n = 0, at = 0; n < blocks; n += 1) {
    const size = short + (n >= blocks - longer ? 1 : 0);
    parts.push(data.slice(at, at + size));
    at += size;
  }
  const checks = parts.map((part) => correction(part, extra));
  const out = [];
  for (let i = 0; i <= short; i += 1)
    for (const part of parts) if (i < part.length) out.push(part[i]);
  for (let i = 0; i < extra; i += 1) for (const part of checks) out.push(part[i]);
  return { version: version + 1, bytes: out };
}

class Grid {
  /** @param {number} version */
  constructor(version) {
    this.version = version;
    this.size = 17 + 4 * version;
    this.dark = Array.from({ length: this.size }, () => new Array(this.size).fill(false));
    this.fixed = Array.from({ length: this.size }, () => new Array(this.size).fill(false));
    this.patterns();
  }

  /** @param {number} x @param {number} y @param {boolean} dark */
  set(x, y, dark) {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.dark[y][x] = dark;
    this.fixed[y][x] = true;
  }

  patterns() {
    const last = this.size - 7;
    for (const [cx, cy] of [
      [0, 0],
      [last, 0],
      [0, last],
    ]) {
      for (let y = -1; y < 8; y += 1) {
        for (let x = -1; x < 8; x += 1) {
          const ring = Math.max(Math.abs(x - 3), Math.abs(y - 3));
          this.set(cx + x, cy + y, ring !== 2 && ring !== 4);
        }
      }
    }
    for (let i = 8; i < this.size - 8; i += 1) {
      this.set(i, 6, i % 2 === 0);
      this.set(6, i, i % 2 === 0);
    }
    const centres = this.version > 1 ? [6, ...ALIGNED[this.version - 1]] : [];
    for (const cx of centres) {
      for (const cy of centres) {
        if (this.fixed[cy][cx]) continue;
        for (let y = -2; y <= 2; y += 1) {
          for (let x = -2; x <= 2; x += 1) {
            this.set(cx + x, cy + y, Math.max(Math.abs(x), Math.abs(y)) !== 1);
          }
        }
      }
    }
    this.format();
    if (this.version >= 7) this.versionBits();
  }

  /** Level L with mask 0, and its check bits. */
  format() {
    const data = 0b01000;
    let rest = data << 10;
    for (let i = 14; i >= 10; i -= 1) if ((rest >> i) & 1) rest ^= 0x537 << (i - 10);
    const bits = ((data << 10) | rest) ^ 0x5412;
    const bit = (/** @type {number} */ i) => ((bits >> i) & 1) === 1;
    const far = this.size - 1;
    for (let i = 0; i < 6; i += 1) this.set(8, i, bit(i));
    this.set(8, 7, bit(6));
    this.set(8, 8, bit(7));
    this.set(7, 8, bit(8));
    for (let i = 9; i < 15; i += 1) this.set(14 - i, 8, bit(i));
    for (let i = 0; i < 8; i += 1) this.set(far - i, 8, bit(i));
    for (let i = 8; i < 15; i += 1) this.set(8, this.size - 15 + i, bit(i));
    this.set(8, this.size - 8, true);
  }

  versionBits() {
    let rest = this.version << 12;
    for (let i = 17; i >= 12; i -= 1) if ((rest >> i) & 1) rest ^= 0x1f25 << (i - 12);
    const bits = (this.version << 12) | rest;
    for (let i = 0; i < 18; i += 1) {
      const [a, b] = [this.size - 11 + (i % 3), Math.floor(i / 3)];
      this.set(a, b, ((bits >> i) & 1) === 1);
      this.set(b, a, ((bits >> i) & 1) === 1);
    }
  }

  /** Two columns at a time, up and down; mask 0 is a chequerboard. @param {number[]} bytes */
  fill(bytes) {
    let at = 0;
    for (let right = this.size - 1; right > 0; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step += 1) {
        const up = ((right + 1) & 2) === 0;
        const y = up ? this.size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.fixed[y][x]) continue;
          const bit = at < bytes.length * 8 && ((bytes[at >> 3] >> (7 - (at & 7))) & 1) === 1;
          at += 1;
          this.dark[y][x] = bit !== ((x + y) % 2 === 0);
        }
      }
    }
  }
}

/** The dark modules of a text, row by row. @param {string} text */
export function modules(text) {
  const made = codewords(new TextEncoder().encode(text));
  if (!made) return null;
  const grid = new Grid(made.version);
  grid.fill(made.bytes);
  return grid.dark;
}

/** @param {string} text */
export function qrCode(text) {
  const dark = modules(text);
  if (!dark) return null;
  const size = dark.length + 8;
  let d = "";
  dark.forEach((row, y) => row.forEach((on, x) => (d += on ? `M${x + 4} ${y + 4}h1v1h-1z` : "")));
  return s(
    "svg",
    { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": text },
    s("rect", { width: size, height: size, fill: "#fff" }),
    s("path", { d, fill: "#000" }),
  );
}
