// The samples of the gallery: each view and component of the page in each of its states.
import { ago, arrive, change, clock, counts, disconnect, endStreams, flags, send, session, shot } from "./service.js";

const find = (selector, text) => [...document.querySelectorAll(selector)].find((node) => !text || node.textContent.includes(text));
const press = (text) => find("button", text).click();
const key = (name) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const isShown = (selector, text) => () => !!find(selector, text)?.checkVisibility();
// Advances the clock as soon as a condition is true.
const later = (ms, condition) => { if (condition()) clock.now += ms; else setTimeout(() => later(ms, condition), 20); };

// Shots whose tiles have every possible mark.
const marked = [
  shot(12, { revision: null, width: 0, height: 0, flags: flags.jpeg }), shot(11), shot(10, { stars: 3 }), shot(9, { stars: 5, pick: true }),
  shot(8, { pick: false }), shot(7, { flags: flags.raw }), shot(6, { flags: flags.jpeg }), shot(5, { flags: flags.movie | flags.noPreview }),
  shot(4, { flags: flags.jpeg | flags.damaged }), shot(3, { flags: 3 | flags.delivered }),
  shot(2, { flags: 3 | flags.comment, stars: 4 }), shot(1, { width: 320, height: 480, flags: 3 | flags.noPreview }),
];
const many = Array.from({ length: 48 }, (_, i) => shot(48 - i, { camera: i % 2 }));
const opinions = [
  { author: "Ana", role: "client", is_own: false, stars: 4, pick: true, comment: "Please remove the sign on the left.\nAnd a warmer tone.", at: ago(60000) },
  { author: "Studio", role: "owner", is_own: true, stars: 5, pick: null, comment: null, at: ago(30000) },
  { author: "<b>Bob</b>", role: "client", is_own: false, stars: null, pick: false, comment: "<img src=x onerror=alert(1)>", at: ago(20000) },
];

const camera = (id, state, values) => ({
  id, name: id, maker: "canon", model: "EOS R5", state, battery_percent: 72, shots_left: 812, pending: 0,
  exposure: { text: "1/125 f/5.6 ISO 400 AWB RAW+J" }, is_ignored: false, guidance: null, progress: null, ...values,
});
const wrongMode = { sentence: "The camera is in a mode without remote control.", steps: ["Open the menu of the camera.", "Set the USB mode to PC Remote."] };
const cameras = [
  camera("left", "ready"), camera("right", "wrong_mode", { exposure: null, battery_percent: null, shots_left: null, guidance: wrongMode }),
  camera("top", "downloading", { battery_percent: 9, pending: 12, progress: { bytes: 30, total_bytes: 100 } }),
  camera("door", "reconnecting", { model: null, exposure: null }), camera("spare", "ready", { is_ignored: true }),
  camera("back", "failed", { exposure: null }), camera("gone", "gone", { exposure: null, battery_percent: null, shots_left: null }),
];
const destination = (name, state, statistics, values) =>
  ({ name, location: "s3://bucket/wedding at s3.example.com", state, statistics: counts(statistics), bytes_per_second: 0, last_error: null, ...values });
const destinations = [
  destination("nas", "ready", { uploading: 1, delivered: 40 }, { bytes_per_second: 48e6 }), destination("cloud", "away", { retrying: 3, delivered: 37 }),
  destination("archive", "ready", {}), destination("print", "paused", { held: 2, failed: 1 }),
];
const conditions = [
  { code: "a", severity: "danger", since: ago(300000), name: "right", sentence: "right is in a mode without remote control.", next_step: "Set its USB mode to PC Remote." },
  { code: "b", severity: "warning", since: ago(60000), name: "cloud", sentence: "3 photos wait for cloud.", next_step: null },
  { code: "c", severity: "info", since: ago(5000), name: "", sentence: "The clock of left differs by 40 s.", next_step: "Set the camera's clock." },
];

const owner = { role: "owner", shots: many }, client = { role: "client", shots: many }, screen = { role: "screen", shots: many };
const tiles = isShown(".tile"), open = isShown("dialog.viewer .stage img");

export const samples = {
  // Pairing
  "pairing": { me: 401, until: isShown("form") },
  "pairing, with a code": { me: 401, hash: "#K7QM-4R2P", until: isShown("form") },
  "pairing, not a code": { me: 401, until: isShown("form"), act: () => press("Open the photos"), then: isShown(".problem", "8 letters") },
  "pairing, refused code": {
    me: 401, hash: "#K7QM-4R2P", until: isShown("form"), act: () => press("Open the photos"), then: isShown(".problem", "expired"),
    refused: { "POST /v1/web/session": [403, "cannot pair: the code is wrong, used or expired", "Check the code, or ask the photographer for a new one."] },
  },
  "pairing, waiting": {
    me: 401, hash: "#K7QM-4R2P", until: isShown("form"), act: () => press("Open the photos"), then: isShown("button[disabled]"),
    refused: { "POST /v1/web/session": "never" },
  },
  "pairing, revoked": {
    ...client, until: tiles, act() { change({ refused: { "GET /v1/events": [401, "cannot use this page"] } }); endStreams(); },
    then: isShown("form", "no longer invited"),
  },
  "pairing, service not reached": { isDown: true, until: isShown("button", "Try again") },
  // Photos
  "photos, loading": { ...client, refused: { "GET /v1/shots": "never" }, until: isShown(".lead", "Loading photos") },
  "photos, empty": { ...client, shots: [], until: isShown(".lead", "No photos yet") },
  "photos, empty without session": { ...client, shots: [], isLive: false, until: isShown(".lead", "No session") },
  "photos": { ...client, until: tiles },
  "photos, owner": { ...owner, shots: marked, until: tiles },
  "photos, every mark": { ...client, shots: marked, until: isShown(".tile .danger") },
  "photos, focused tile": { ...client, until: tiles, act: () => find(".tile").focus(), then: () => !!document.querySelector(".tile:focus") },
  "photos, new photo above": {
    ...client, until: tiles, act() { find(".sheet").scrollTop = 400; setTimeout(() => arrive(shot(49)), 100); }, then: isShown(".arrivals", "1 new"),
  },
  "photos, filter open": { ...client, until: tiles, act: () => press("Filter"), then: isShown("form.filters") },
  "photos, older session": { ...owner, hash: "#/?session=2", until: isShown("h1", "Rehearsal"), act: () => press("Filter"), then: isShown("select[name=session]") },
  "photos, filtered": { ...client, shots: marked, hash: "#/?stars=4", until: isShown(".heading", "2 of 12") },
  "photos, nothing matches": { ...client, hash: "#/?stars=5", until: isShown(".lead", "No photo matches") },
  "photos, not connected": { ...client, until: tiles, act() { disconnect(); later(65000, () => find("#bar .badge", "Not connected")); }, then: isShown("#banner", "Not connected for 1 min") },
  "photos, rating not saved": {
    ...client, until: tiles, act() { find(".tile").focus(); key("4"); }, then: isShown("#banner", "was not saved"),
    refused: { "POST /v1/shots/48/rating": [429, "cannot rate so fast", "Wait a few seconds, then try again."] },
  },
  "photos, choice sent": { ...client, until: tiles, act() { press("Done"); press("Send"); }, then: isShown("#banner", "is sent") },
  "dialog, confirmation": { ...client, until: tiles, act: () => press("Done"), then: isShown("dialog.card") },
  "dialog, picks": {
    ...client, shots: marked, until: tiles, act() { press("Filter"); press("Copy picks"); }, then: isShown("dialog.card h2", "1 picked photo"),
  },
  "photos, nothing picked": {
    ...client, shots: [], until: isShown(".lead", "No photos yet"), act() { press("Filter"); press("Copy picks"); },
    then: isShown("#banner", "No photo is picked"),
  },
  "dialog, help": { ...client, shots: many.slice(0, 4), until: tiles, act: () => press("Help"), then: isShown("dialog.card dt") },
  // Viewer
  "viewer": { ...client, hash: "#/shot/30", until: open },
  "viewer, details": { ...owner, opinions, hash: "#/shot/30", until: open, act: () => press("Details"), then: isShown(".panel .text", "onerror") },
  "viewer, histogram": { ...client, hash: "#/shot/30", until: open, act: () => press("Histogram"), then: isShown(".graph canvas") },
  "viewer, zoomed": { ...owner, hash: "#/shot/30", until: open, act: () => press("Fit"), then: isShown("button", "100 %") },
  "viewer, rated": {
    ...client, shots: marked, opinions: [{ author: "Ana", role: "client", is_own: true, stars: 5, pick: true, comment: null, at: ago(0) }], hash: "#/shot/9", until: isShown(".starbar .on"),
  },
  "viewer, first photo": { ...client, hash: "#/shot/48", until: open },
  "viewer, no preview": { ...client, shots: marked, hash: "#/shot/5", until: isShown("dialog.viewer .lead", "No preview") },
  "viewer, saving": { ...client, shots: marked, hash: "#/shot/12", until: isShown("dialog.viewer .lead", "Saving") },
  "viewer, locked": { ...client, done: true, hash: "#/shot/30", until: open },
  "viewer, screen": { ...screen, hash: "#/shot/30", until: open },
  "viewer, rating not saved": {
    ...client, hash: "#/shot/30", until: open, act: () => press("Pick"), then: isShown("dialog #banner", "was not saved"),
    refused: { "POST /v1/shots/30/rating": [429, "cannot rate so fast", "Wait a few seconds, then try again."] },
  },
  // Follow
  "follow": { ...client, hash: "#/follow", until: isShown(".follow .stage img") },
  "follow, names": { ...client, hash: "#/follow", until: isShown(".follow .stage img"), act: () => press("Names"), then: isShown(".follow .caption", "Wedding-48") },
  "follow, no photo for a while": { ...client, hash: "#/follow", until: isShown(".follow .stage img"), act() { clock.now += 600000; }, then: isShown(".fresh", "No photo for 10 min") },
  "follow, nothing yet": { ...screen, shots: [], hash: "#/follow", until: isShown(".fresh", "No photos yet") },
  "follow, no session": { ...screen, isLive: false, hash: "#/follow", until: isShown(".fresh", "No session") },
  "follow, not connected": { ...screen, hash: "#/follow", until: isShown(".follow .stage img"), act() { disconnect(); later(65000, () => find(".follow.away")); }, then: isShown(".fresh", "Not connected for 1 min") },
  // Status
  "status": { ...owner, hash: "#/status", status: { cameras: cameras.slice(0, 1), destinations: destinations.slice(0, 1), uploads: counts({ delivered: 80 }) }, until: isShown(".card") },
  "status, attention": {
    ...owner, hash: "#/status", until: isShown(".notice"),
    status: { cameras, destinations, conditions, uploads: counts({ failed: 1, retrying: 3, held: 2, delivered: 77 }), disk: { free_bytes: 4e9, total_bytes: 500e9, guard: "low" } },
  },
  "status, empty": {
    ...owner, shots: [], hash: "#/status", until: isShown(".page section"), captures: 0,
    status: { session: null, captures: { shots: 0, shots_today: 0, shots_per_minute: 0, bytes: 0 } },
  },
  "status, loading": { ...owner, hash: "#/status", refused: { "GET /v1/events": "never" }, until: isShown(".lead", "Loading") },
  "status, full disk": { ...owner, hash: "#/status", status: { disk: { free_bytes: 5e8, total_bytes: 500e9, guard: "full" } }, until: isShown(".meter.danger") },
  "status, control": { ...owner, control: true, hash: "#/status", status: { cameras: cameras.slice(0, 3) }, until: isShown("button", "Release") },
  "status, camera refuses": {
    ...owner, control: true, hash: "#/status", status: { cameras: cameras.slice(0, 1) }, until: isShown("button", "Release"),
    act: () => press("Release"), then: isShown("#banner", "busy"), refused: { "POST /v1/cameras/left/trigger": [409, "cannot release the shutter: the camera is busy", "Try again."] },
  },
  "status, session ended": { ...owner, hash: "#/status", until: isShown(".facts", "Wedding"), act: () => send({ kind: "session", session: session({ ended_at: ago(0) }) }), then: isShown(".facts dd:first-of-type", "none") },
};
