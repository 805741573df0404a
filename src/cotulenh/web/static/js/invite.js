// The link to a game: to copy, to send, or to scan from another phone.
import { button, copy, dialog, h, toast } from "./dom.js";
import { t } from "./i18n.js";
import { qrCode } from "./qr.js";

/** @param {string} address @param {string} [title] */
export function invite(address, title = t("share.link")) {
  const share = { title: "Cờ Tư Lệnh", text: t("share.text"), url: address };
  const take = async () => toast(t((await copy(address)) ? "copied" : "copy.by.hand"));
  const send = () => navigator.share(share).catch(() => {}); // changed one's mind
  dialog(title, () =>
    h(
      "div",
      { class: "share" },
      qrCode(address),
      h("input", { class: "wide", readonly: true, value: address, "aria-label": title }),
      h(
        "div",
        { class: "actions" },
        button(t("copy.link"), take, { icon: "link", cls: "primary", "data-do": "copy-link" }),
        "share" in navigator && button(t("share.with"), send, { icon: "share" }),
      ),
    ),
  );
}
