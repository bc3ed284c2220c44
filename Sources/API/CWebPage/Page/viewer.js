// One photo over the whole window, with its rating, facts, histogram and comments.
import { call } from "./api.js";
import { button, caption, el, facts, fill, link, moment } from "./dom.js";
import { comments, detail, lock, namesOf, ratingBar } from "./rating.js";
import { makeStage } from "./stage.js";
import { flag, hasPicture, label, pictureURL, position, shotOf, store } from "./store.js";

// `id` is the shown shot. `onmove` is called with the shown shot. When the viewer closes, `onmove` is called with
// `undefined` and the last shot.
export const viewer = { ids: [], get isOpen() { return node.open; } };

// The states of the three toggles.
const toggled = {};
let direction = 1, ahead, preloaded, reload;

const hasOriginals = () => store.me.role === "owner" || store.me.originals;
const stage = makeStage({
  onzoom: drawZoom, onstep: step, onpaint: (level) => { if (level > 1 && toggled.Clipping) stage.clip(true); },
  hasOriginals,
});
const heading = el("h2"), subtitle = el("p.caption ellipsis"), factList = el("div"), graph = el("div.graph", { hidden: true });
const zoomButton = button("Fit", nextZoom, { title: "Key Z" });
// The actions of letter keys.
export const viewerActions = { z: nextZoom };
const toggles = Object.entries({ Details: "I", Histogram: "H", Clipping: "K" }).map(([name, key]) => {
  const action = viewerActions[key.toLowerCase()] = () => toggle(name);
  return [name, button(name, action, { title: `Key ${key}`, ariaPressed: "false" })];
});
const [rating, showRating] = ratingBar(openComment);
const [commentList, commentText, showComments] = comments();
const panel = el("aside.panel", { hidden: true, tabIndex: 0, ariaLabel: "Details" }, factList, commentList);
const [before, after] = [[-1, "‹", "Previous photo"], [1, "›", "Next photo"]].map(([by, sign, name]) =>
  button(sign, () => step(by), { className: `step ${by < 0 ? "before" : "after"}`, ariaLabel: name }));
const node = el("dialog.viewer dark", { ariaLabel: "Photo", onclose: closed },
  el("header.bar", button("Back", closeViewer, { title: "Key Esc" }), el("div.heading", heading, subtitle), el("div.tools", zoomButton, toggles.map(([, button]) => button))),
  el("div.middle", el("div.view", stage.node, graph, before, after), panel), rating);
document.body.append(node);

export function openViewer(id, ids) {
  viewer.ids = ids;
  if (!node.open) node.showModal();
  showShot(id);
}

export function closeViewer() { if (node.open) node.close(); }

function closed() {
  const { id } = viewer;
  viewer.id = undefined;
  stage.show(null);
  viewer.onmove(undefined, id);
}

// Adds new photos in front, and drops photos that no longer exist. Photos stay even if a new rating excludes them from
// the filter.
export function extendViewer(ids) {
  const known = new Set(viewer.ids), last = ids.findIndex((id) => known.has(id));
  viewer.ids = [...ids.slice(0, Math.max(0, last)), ...viewer.ids.filter(shotOf)];
  if (!shotOf(viewer.id)) closeViewer(); else drawPosition();
}

function showShot(id) {
  const shot = shotOf(id);
  if (!shot) return;
  viewer.id = id;
  fill(factList);
  fill(subtitle, shot.camera);
  drawShot(shot);
  drawPosition();
  loadDetail(id);
  if (toggled.Histogram) loadHistogram(id);
  viewer.onmove(id);
  clearTimeout(ahead);
  const next = shotOf(neighbour(direction));
  // Chrome does not store pictures of a server with an unknown certificate (crbug 110649). The picture stays
  // as long as its element exists.
  if (hasPicture(next)) ahead = setTimeout(() => { preloaded = el("img", { src: pictureURL(next, "screen") }); }, 250);
}

function drawShot(shot) {
  stage.show(shot, label(shot, position(shot.id)));
  showRating(shot);
}

const neighbour = (by) => viewer.ids[viewer.ids.indexOf(viewer.id) + by];

function drawPosition() {
  fill(heading, `Photo ${position(viewer.id)} of ${store.order.length}`);
  before.disabled = !neighbour(-1);
  after.disabled = !neighbour(1);
}

// Draws the shown shot again after a change.
export function updateViewer(shot) {
  if (!shot || shot.id !== viewer.id) return;
  drawShot(shot);
  clearTimeout(reload);
  reload = setTimeout(() => loadDetail(shot.id), 300);
}

function step(by) {
  direction = by;
  showShot(neighbour(by));
}

export async function loadDetail(id) {
  const reply = await detail(id).catch(() => null), shot = shotOf(id);
  if (!reply || viewer.id !== id || !shot) return;
  const File = namesOf(reply), Camera = shot.camera;
  fill(subtitle, link(File, Camera));
  fill(factList, facts({
    File, Camera, Taken: moment(shot.time), Size: shot.width && `${shot.width} × ${shot.height}`,
    Delivered: store.me.role === "owner" && (shot.flags & flag.delivered ? "Yes" : "Not yet"),
  }));
  showRating(shot);
  showComments(shot, reply);
}

const percent = (share) => `${share > 0 && share < 10 ? "< 0.1" : (share / 100).toFixed(1)}\u00a0%`;

async function loadHistogram(id) {
  const reply = await call("GET", `/v1/shots/${id}/histogram`).catch(() => ({}));
  if (viewer.id !== id) return;
  if (!reply.red) return fill(graph, caption("No histogram for this file."));
  // The levels 0 and 255 do not count for the scale, because clipped pixels would flatten the other levels.
  const channels = Object.entries({ red: "#e03131", green: "#2f9e44", blue: "#3b6fe0" }), highest = Math.max(1, ...channels.flatMap(([name]) => reply[name].slice(1, -1)));
  const words = [`Shadows ${percent(reply.clipped_shadows)}`, `Highlights ${percent(reply.clipped_highlights)}`];
  const canvas = el("canvas", { width: 256, height: 96, role: "img", ariaLabel: `Histogram. Clipped: ${words.join(", ")}` }), pen = canvas.getContext("2d");
  pen.globalCompositeOperation = "screen";
  for (const [name, color] of channels) {
    pen.fillStyle = color;
    reply[name].forEach((value, i) => pen.fillRect(i, 96, 1, -94 * Math.min(1, value / highest)));
  }
  fill(graph, canvas, el("p.caption row spread number", words.map((word) => el("span", word))), caption("Clipped pixels in the JPEG. A RAW file has more range."));
}

function toggle(name) {
  toggled[name] = !toggled[name];
  for (const [other, button] of toggles) button.ariaPressed = !!toggled[other];
  panel.hidden = !toggled.Details;
  graph.hidden = !toggled.Histogram;
  if (name === "Histogram" && toggled.Histogram) loadHistogram(viewer.id);
  stage.clip(toggled.Clipping);
}

export function openComment() {
  if (!toggled.Details) toggle("Details");
  (lock() ? panel : commentText).focus();
}

function nextZoom() {
  const { zoom } = stage;
  stage.setZoom(zoom < 1 ? 1 : zoom < 2 ? 2 : 0);
}

function drawZoom(zoom) {
  fill(zoomButton, zoom ? `${Math.round(zoom * 100)} %${hasOriginals() ? "" : " (preview)"}` : "Fit");
}

// Handles an arrow key. Returns a falsy value for any other key.
export function onViewerKey({ key, shiftKey }) {
  const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  if (x || y) shiftKey ? stage.pan(-80 * x, -80 * y) : step(x + y);
  return x || y;
}
