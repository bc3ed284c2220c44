// Messages above the views: errors, results, and the lost connection. Small dialogs.
import { badge, banner, button, caption, duration, el, fill, main } from "./dom.js";
import { store } from "./store.js";
import { words } from "./words.js";

let message;

// A message with its tone and its next step.
export const notice = (tone, text, step, ...more) =>
  el(`div.notice ${tone}`, badge([words.severity[tone]?.[0] ?? "Done", tone]), el("div", el("p", text), step && caption(step), more));

// Shows a message. Errors stay until the person closes them.
export function report(tone, text, step) {
  const mine = message = notice(tone, text, step), close = () => {
    if (message === mine) message = null;
    drawBanner();
  };
  mine.append(button("Close", close));
  if (tone !== "danger") setTimeout(close, 6000);
  drawBanner();
}
export const fail = (error, text = "") => report("danger", text + error.message, error.nextStep);

export function drawBanner() {
  const away = Date.now() - store.linkSince, isAway = store.link === "away" && away > 1500, dialog = document.querySelector("dialog[open]");
  fill(banner, isAway && notice("warning", `Not connected for ${duration(away)}. The photos may be out of date.`, "The page connects again by itself."), message);
  banner.hidden = !banner.firstChild;
  // A screen reader must not read the changing number of seconds.
  banner.setAttribute("aria-live", isAway ? "off" : "polite");
  // An open dialog hides everything outside it, so the banner moves into the dialog.
  dialog ? dialog.prepend(banner) : main.before(banner);
}

// Opens a small dialog. Returns the value that it was closed with.
export function ask(title, contents, buttons) {
  return new Promise((resolve) => {
    const dialog = el("dialog.card", { ariaLabel: title, onclose: () => { dialog.remove(); resolve(dialog.returnValue); } },
      el("h2", title), contents,
      el("div.row", buttons.map(([value, word], index) => button(word, () => dialog.close(value), { className: index ? "" : "primary" }))));
    document.body.append(dialog);
    dialog.showModal();
  });
}
