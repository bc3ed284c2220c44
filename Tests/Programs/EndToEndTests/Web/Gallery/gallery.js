// Every component of the page in every state, made by the page's own modules, without a service.
import { badge, banner, el, empty } from "../../../../../Sources/Web/CWebPage/page/dom.js";
import { Grid } from "../../../../../Sources/Web/CWebPage/page/grid.js";
import { pairingForm } from "../../../../../Sources/Web/CWebPage/page/pairing.js";
import { conditionBanners, statusView } from "../../../../../Sources/Web/CWebPage/page/status.js";
import { Store } from "../../../../../Sources/Web/CWebPage/page/store.js";
import { Viewer, histogram } from "../../../../../Sources/Web/CWebPage/page/viewer.js";
import { CAMERA, DESTINATION } from "../../../../../Sources/Web/CWebPage/page/words.js";

// Pictures of shots: of one colour each, with a white square in it; one never comes, one is none.
const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
const drawn = new Map();
function drawing(id) {
  if (!drawn.has(id)) {
    const canvas = el("canvas", { width: 480, height: 320 }), context = canvas.getContext("2d");
    context.fillStyle = `hsl(${id * 47} 45% 45%)`;
    context.fillRect(0, 0, 480, 320);
    context.fillStyle = "#fff";
    context.fillRect(200, 120, 80, 80);
    drawn.set(id, canvas.toDataURL());
  }
  return drawn.get(id);
}
const LOADING = 2, BROKEN = 3;
Object.defineProperty(HTMLImageElement.prototype, "src", {
  ...source,
  set(address) {
    const id = Number(/\/v1\/shots\/(\d+)\//.exec(address)?.[1]);
    if (!id) return source.set.call(this, address);
    if (id === LOADING) return undefined;
    return source.set.call(this, id === BROKEN ? "data:image/jpeg;base64,AAAA" : drawing(id));
  },
});

const counts = Array.from({ length: 768 }, (_, index) => Math.round(900 * Math.exp(-(((index % 256) - 90 - 30 * Math.floor(index / 256)) ** 2) / 1500)) + (index % 256 === 255 ? 400 : 0));
const detail = { histogram: counts, ratings: [{ by: "Mia", stars: 4, pick: true, comment: "the veil" }, { by: "Studio", stars: null, pick: false, comment: null }] };
window.fetch = async () => new Response(JSON.stringify(detail), { headers: { "Content-Type": "application/json" } });

const section = (title, ...parts) => el("section", {}, el("h2", {}, title), parts);
const parts = (...children) => el("div", { class: "parts" }, children);
const main = document.querySelector("#main");

// ---- Words and buttons

const pairs = (states) => Object.values(states).map(([word, tone]) => badge(tone, word));
main.append(
  section("Badges", parts(["neutral", "info", "busy", "success", "warning", "danger"].map((tone) => badge(tone, tone))), parts(pairs(CAMERA)), parts(pairs(DESTINATION))),
  section("Buttons", parts(
    el("button", {}, "Default"), el("button", { "aria-pressed": "true" }, "Pressed"), el("button", { "aria-current": "page" }, "Current"),
    el("button", { disabled: true }, "Disabled"), el("button", { disabled: true, "aria-busy": "true" }, "Busy"),
    el("button", { class: "primary" }, "Primary"), el("button", { class: "primary", disabled: true, "aria-busy": "true" }, "Primary busy"),
    el("button", { class: "danger" }, "Reject"), el("button", { id: "focused" }, "Focused")),
    parts(el("select", { "aria-label": "Choice" }, el("option", {}, "★★★ and more")), el("label", {}, el("input", { value: "A text", "aria-label": "A text" })))),
  section("Banners", banner("warning", "Offline", "The service cannot be reached: what is shown may be old.", "It is tried again by itself."),
    conditionBanners([
      { severity: "info", name: "studio-a", sentence: "studio-a is unplugged, asleep or switched off.", next_step: "Wake it." },
      { severity: "warning", name: null, sentence: "The disk has 4 GB left.", next_step: "Free some space." },
      { severity: "danger", name: "nas", sentence: "nas refuses the password.", next_step: null },
    ])),
  section("Empty", empty("No photos yet", "They appear here as soon as they are taken.")));

// ---- Pairing

const busy = pairingForm("K7QM-4R2P", () => {}, null);
main.append(section("Pairing", el("div", { class: "forms" }, pairingForm("", () => {}, null), pairingForm("AAAA-AAAA", () => {}, "This code is not known, or was used."), busy)));
busy.dispatchEvent(new SubmitEvent("submit", { cancelable: true }));

// ---- Status

const camera = (state, more = {}) => ({ id: `c-${state}`, name: `studio-${state}`, state, is_ignored: false, exposure: null, battery_percent: null, shots_left: null, pending: 0, guidance: null, ...more });
const destination = (state, queued = 0) => ({ name: `nas-${state}`, state, statistics: { queued, retrying: 0, delivered: 1204 } });
const base = { captures: { shots_today: 12 }, uploads: {}, cameras: [], destinations: [], conditions: [] };
const host = (name, state, conditions = []) => ({ name, state, heard_at: null, status: { cameras_ready: 19, cameras: 20, session_name: "Scan 12", shots_today: 1204, uploads_waiting: 7, conditions } });
const GB = 1e9;
main.append(
  section("Status, loading", statusView(null, {})),
  section("Status, at rest", statusView({ ...base, session: null, disk: { free_bytes: 400 * GB, total_bytes: 1000 * GB, guard: "ok" } }, { may_control: true })),
  section("Status, at work", statusView({
    ...base, session: { id: 1, name: "A very long name of a wedding that fills the card to its end and goes on", shots: 1204, upload_mode: "rated" },
    uploads: { uploading: 2, queued: 40, held: 3, failed: 1, delivered: 1158 }, disk: { free_bytes: 9 * GB, total_bytes: 1000 * GB, guard: "low" },
    cameras: [
      camera("ready", { exposure: { text: "1/125 f/5.6 ISO 400" }, battery_percent: 80, shots_left: 2100 }),
      camera("downloading", { pending: 12, battery_percent: 8 }),
      camera("wrong_mode", { guidance: { sentence: "The camera shows its card as a disk.", steps: ["Set USB connection to PC Remote."] } }),
      ...["searching", "in_use", "no_permission", "connecting", "reconnecting", "gone", "failed"].map((state) => camera(state)),
    ],
    destinations: Object.keys(DESTINATION).map((state, index) => destination(state, index * 7)),
  }, { may_control: true })),
  section("Status, other computers", statusView({ ...base, session: null, disk: { free_bytes: 400 * GB, total_bytes: 1000 * GB, guard: "ok" } }, {}, {
    broker: { state: "connected" },
    hosts: [
      { name: "host-a", is_self: true, state: "online" },
      host("host-b", "online"), host("host-c", "online", [{ severity: "danger", name: "nas", sentence: "The disk is full." }, { severity: "warning", name: null, sentence: "The clock is in the past." }]),
      host("host-d", "offline"), host("host-e", "silent"), { name: "host-f", state: "offline", status: null, heard_at: null },
    ],
  })),
  section("Disk, full", statusView({ ...base, session: null, disk: { free_bytes: GB / 4, total_bytes: 1000 * GB, guard: "full" } }, {})));

// ---- Contact sheet

const store = new Store();
const shots = [
  {}, { name: "loading", colour: "" }, { name: "damaged", colour: "" }, { version: "", name: "no-preview", colour: "" }, { stars: 3 }, { stars: 5, pick: 1 }, { pick: -1 }, { stars: -1 },
  { comments: 2 }, { kind: "cr3+jpg" }, { kind: "cr3" }, { name: "A_very_long_name_of_a_photo_0012", stars: 4, pick: 1, comments: 1, kind: "nef+jpg" },
];
const column = (key, usual) => shots.map((shot, index) => shot[key] ?? usual(index));
store.take({
  id: shots.map((_, index) => index + 1), name: column("name", (index) => `IMG_${1000 + index}`), kind: column("kind", () => "jpg"), camera_names: ["studio-a"],
  camera: shots.map(() => 0), version: column("version", () => "v"), width: shots.map(() => 480), height: shots.map(() => 320), colour: column("colour", () => "445566"),
  stars: column("stars", () => 0), pick: column("pick", () => 0), comments: column("comments", () => 0), saved_at: shots.map(() => 1_700_000_000),
});
const grid = new Grid(store, { open: () => {}, key: () => false });
main.append(section("Contact sheet", grid.element));
grid.draw();

// ---- Viewer

function viewer(title, me, change) {
  const one = new Viewer(store, { me, rate: () => {}, closed: () => {} });
  one.id = 6;
  one.element.setAttribute("open", "");
  main.append(section(title, el("div", { class: "shown" }, one.element)));
  one.show();
  change?.(one);
}
viewer("Viewer of who looks", { may_rate: false });
viewer("Viewer of who rates", { may_rate: true }, (one) => {
  store.shots.get(6).mine = { stars: 4, pick: true };
  one.show(true);
});
viewer("Viewer with details and what is clipped", { may_rate: true }, (one) => { one.togglePanel(); one.toggleMarks(); });
viewer("Viewer without a picture", { may_rate: true }, (one) => { one.id = 4; one.show(); });
viewer("Viewer that lost its service", { may_rate: false }, (one) => { one.isLost = true; one.isFollowing = true; one.drawOverlay(); });
main.append(section("Histogram", histogram(counts)));

document.querySelector("#focused").focus({ focusVisible: true });
window.isDrawn = true;
