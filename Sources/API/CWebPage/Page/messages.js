// Messages above the views: errors, results, and the lost connection. Small dialogs.
import { badge, banner, button, caption, duration, el, main } from "./dom.js";
import { store } from "./store.js";
import { words } from "./words.js";

// `lost` is the message while the connection is lost.
let message, lost;

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
  lost = isAway && (lost || notice("warning", "", "The page connects again by itself."));
  if (lost) lost.querySelector("p").textContent = `Not connected for ${duration(away)}. The photos may be out of date.`;
  // An element that moves loses the focus, so shown messages stay in their place.
  const parts = [lost, message].filter(Boolean);
  for (const part of [...banner.children]) if (!parts.includes(part)) part.remove();
  if (lost && !banner.contains(lost)) banner.prepend(lost);
  if (message && !banner.contains(message)) banner.append(message);
  banner.hidden = !parts.length;
  // A screen reader must not read the changing number of seconds.
  banner.ariaLive = isAway ? "off" : "polite";
  // An open dialog hides everything outside it, so the banner moves into the dialog.
  if (dialog ? dialog.firstChild !== banner : main.previousSibling !== banner) dialog ? dialog.prepend(banner) : main.before(banner);
}
// A closed dialog hides the banner inside it.
addEventListener("close", drawBanner, true);

// Opens a small dialog. Returns the value of the pressed button, or "" if a key closed the dialog. The button with the
// value "yes" is emphasized.
export function ask(title, contents, buttons) {
  return new Promise((resolve) => {
    const dialog = el("dialog.card", { ariaLabel: title, onclose: () => { dialog.remove(); resolve(dialog.returnValue); } },
      el("h2", title), contents,
      el("div.row", buttons.map(([value, word]) => button(word, () => dialog.close(value), { className: value === "yes" ? "primary" : "" }))));
    document.body.append(dialog);
    dialog.showModal();
  });
}
