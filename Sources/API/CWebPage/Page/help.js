// The list of keys, and the switch for them.
import { caption, el, facts, save, saved } from "./dom.js";
import { ask } from "./messages.js";
import { store } from "./store.js";

const keys = {
  Arrows: "Next or previous photo", Enter: "Open the photo", Esc: "Back", "0 – 5": "Stars", P: "Pick", X: "Reject", U: "Neither pick nor reject", C: "Comment",
  Z: "Zoom: 100 %, 200 %, fit", "Shift + arrows": "Move a zoomed photo", I: "Details", H: "Histogram", K: "Clipped highlights and shadows",
  F: "Full screen", L: "Follow: always the last photo", "?": "Help",
};

export const areKeysOn = () => saved("keys", true);

// Shows the help. Returns "out" if the person wants to log out.
export const openHelp = () => ask("Help", [
  el("label.check", el("input", { type: "checkbox", checked: areKeysOn(), onchange: ({ target }) => save("keys", target.checked) }), "Keys with one letter or digit"),
  facts(keys),
  caption("Touch: swipe for the next photo. Tap twice or spread two fingers to zoom. Then tap a place to move it to the middle."),
  store.me.name && caption(`This device is ${store.me.name}.`),
], [["", "Close"], ...(store.me.role === "screen" ? [] : [["out", "Log out"]])]);
