// A small choice beside a square of the board.
import { h } from "./dom.js";

let open = null;

export function closePopup() {
  open?.remove();
  open = null;
}

export const popupIsOpen = () => open !== null;

// `choices`: {content, label, action, pressed}. The first gets the focus if the keyboard asked.
export function popup(board, square, title, choices, { focus = false, onCancel } = {}) {
  closePopup();
  const pick = (choice) => { closePopup(); choice.action(); };
  const buttons = choices.map((choice) => h("button", {
    type: "button", class: `choice ${choice.cls || ""}`, "aria-label": choice.label, title: choice.label,
    "aria-pressed": choice.pressed === undefined ? null : String(choice.pressed),
    onclick: () => pick(choice),
  }, choice.content, choice.hideLabel ? null : h("span", {}, choice.label)));
  const box = h("div", { class: "popup", role: "dialog", "aria-label": title },
    h("p", { class: "popup-title" }, title), h("div", { class: "choices" }, buttons));
  box.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(document.activeElement);
    const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      closePopup();
      onCancel?.();
      board.focus();
    } else if (move) {
      buttons[(at + move + buttons.length) % buttons.length].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  board.host.append(box);
  put(board, square, box);
  open = box;
  if (focus) buttons[0]?.focus();
  return box;
}

// Above the square if there is room, else below; never beyond the board's edge.
function put(board, square, box) {
  const [x, y] = board.xy(square);
  const point = new DOMPoint(x, y).matrixTransform(board.svg.getScreenCTM());
  const cell = board.svg.getScreenCTM().a * 100;
  const host = board.host.getBoundingClientRect();
  const size = box.getBoundingClientRect();
  let left = point.x - host.left - size.width / 2;
  left = Math.max(4, Math.min(left, host.width - size.width - 4));
  let top = point.y - host.top - cell * 0.55 - size.height - 4;
  if (top < 0) top = point.y - host.top + cell * 0.55 + 4;
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}
