// Shapes of the board: where pieces of a stack stand, arrows, and badges for what a move does.
import { s } from "./dom.js";

// x, y and size, carrier first: the same seats as in the project's other pictures.
export const SEATS = {
  1: [[0, 0, 43]],
  2: [[-14, -14, 33.5], [23, 23, 25]],
  3: [[0, -18, 30], [-24.5, 23.5, 24], [24.5, 23.5, 24]],
  4: [[-24, -24, 24], [24, -24, 24], [-24, 24, 24], [24, 24, 24]],
};

export function arrowPath(x1, y1, x2, y2) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 1) return `M${x1 - 40} ${y1}a40 40 0 1 0 80 0a40 40 0 1 0 -80 0`;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const at = (along, across) => {
    const [x, y] = [x1 + ux * along - uy * across, y1 + uy * along + ux * across];
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const [tip, neck] = [length - 12, length - 50];
  return `M${at(24, 8)}L${at(neck, 8)}L${at(neck, 22)}L${at(tip, 0)}L${at(neck, -22)}L${at(neck, -8)}L${at(24, -8)}Z`;
}

const BADGES = {
  capture: "M-8-8L8 8M8-8L-8 8",
  stay: "M0-11V-5M0 5V11M-11 0H-5M5 0H11M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
  exchange: "M-9-4H8M3-9L9-4L3 1M9 6H-8M-3 1.5L-9 6L-3 10.5",
  breach: "M-8 9V-3L0-10L8-3V9M-2-10L2-3L-2 2L2 9",
  combine: "M0-9V9M-9 0H9",
};

export function badge(kind, x, y) {
  return s("g", { class: `badge ${kind}`, transform: `translate(${x} ${y})` },
    s("circle", { r: 17 }), s("path", { d: BADGES[kind] || BADGES.capture }));
}

export function badgeIcon(kind) {
  return s("svg", { viewBox: "-18 -18 36 36", class: "badge-icon", "aria-hidden": "true" }, badge(kind, 0, 0));
}
