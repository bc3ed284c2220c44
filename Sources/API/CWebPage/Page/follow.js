// The view that fills the window with the last photo, for a second display. Shows the time since the last photo, or that the
// connection is lost.
import { badge, button, duration, el, fill, link, save, saved } from "./dom.js";
import { detail, namesOf } from "./rating.js";
import { makeStage } from "./stage.js";
import { label, newest, position, store } from "./store.js";

// Returns the text and the tone of the badge: the state of the connection or session, and the time since the last photo.
export function freshness({ link, linkSince, isLive, arrivedAt }, hasPhoto, now) {
  if (link !== "live") return [`Not connected for ${duration(now - linkSince)}. Trying again.`, "warning"];
  if (!hasPhoto) return ["No photos yet", "neutral"];
  const age = now - arrivedAt;
  if (!isLive) return [`No session is running. Last photo ${duration(age)} ago.`, "neutral"];
  return age < 60000 ? ["Live", "success"] : [`No photo for ${duration(age)}`, "neutral"];
}

export function fullScreen() {
  document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.().catch(() => {});
}

let isOn = false, hasNames = saved("names", false), timer, wakeLock;
const display = makeStage();
const fresh = el("p.fresh"), fileNames = el("p.caption ellipsis");
const wake = el("p.caption", { hidden: true }, "Without https, the screen may switch off.");
const names = button("Names", () => { hasNames = !hasNames; save("names", hasNames); drawNames(); });
const back = el("a.button", { href: "#/" }, "Back");
export const followView = el("div.follow dark", el("h1.unseen", "Last photo"), display.node,
  el("footer.bar", back, el("div.heading", fresh, fileNames, wake), el("div.tools", names, button("Full screen", fullScreen, { title: "Key F" }))));

async function keepAwake() {
  if (!isOn || document.hidden) return;
  try {
    wakeLock = await navigator.wakeLock.request("screen");
  } catch { wake.hidden = isSecureContext; }
}
addEventListener("visibilitychange", keepAwake);

export function setFollowing(value) {
  if (isOn === value) return;
  isOn = value;
  document.body.classList.toggle("following", isOn);
  clearInterval(timer);
  wakeLock?.release();
  if (!isOn) return display.show(null);
  back.hidden = store.me.role === "screen";
  timer = setInterval(drawState, 1000);
  keepAwake();
  drawFollow();
}

export function drawFollow() {
  if (!isOn) return;
  const shot = newest();
  display.show(shot, shot && label(shot, position(shot.id)));
  drawState();
  drawNames();
}

export function drawState() {
  if (!isOn) return;
  const word = freshness({ ...store, arrivedAt: store.arrivedAt || newest()?.time }, newest(), Date.now());
  // Draws only changes, because a screen reader reads redrawn text again.
  if (fresh.textContent !== word[0]) fill(fresh, badge(word));
  followView.classList.toggle("away", store.link !== "live");
}

async function drawNames() {
  names.ariaPressed = hasNames;
  fileNames.hidden = !hasNames;
  const shot = newest(), reply = hasNames && shot && await detail(shot.id).catch(() => null);
  if (reply && newest() === shot) fill(fileNames, link(namesOf(reply), shot.camera));
}
