// Puts the page together: who looks, what is known, and which view is open.
import { Events, Refusal, get, post } from "./api.js";
import { banner, button, el, empty, fill, one, say, waits } from "./dom.js";
import { Grid } from "./grid.js";
import { pairingForm } from "./pairing.js";
import { conditionBanners, statusView } from "./status.js";
import { Store, readFilters, writeFilters } from "./store.js";
import { Viewer } from "./viewer.js";

const main = one("#main"), head = one("#head"), banners = one("#banners");
const store = new Store();
let me = null, status = null, fleet = null, view = "photos", isLost = false, isFilled = false, news = 0, grid, viewer;

start();

async function start() {
  try { me = await get("/v1/me"); } catch (error) {
    return error instanceof Refusal && error.status === 401 ? pair() : fail(error);
  }
  open();
}

// ---- Pairing

function pair(wrong) {
  head.replaceChildren(el("h1", {}, "FrameFast"));
  banners.replaceChildren();
  const form = pairingForm(location.hash.slice(1), async (code, name) => {
    try {
      me = await post("/pair", { code, name });
      history.replaceState(null, "", location.pathname);
      open();
    } catch (error) { pair(error.message); }
  }, wrong);
  main.replaceChildren(form);
  one(location.hash ? "[name=name]" : "[name=code]", form).focus();
}

function fail(error) { main.replaceChildren(empty("The service cannot be reached", error.message)); }

// ---- Views

function open() {
  store.filters = readFilters(location.hash.slice(1));
  grid = new Grid(store, { open: (id) => viewer.open(id), key: (key, id) => quick(key, id) });
  viewer = new Viewer(store, { me, rate, closed: (id) => { if (view === "photos") { grid.draw(); grid.go(id); } } });
  drawHead();
  draw();
  const events = new Events(heard);
  events.open();
  addEventListener("keydown", (event) => {
    if (viewer.isOpen || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    if (event.key === "?") help();
    if (event.key.toLowerCase() === "l") viewer.follow(true);
  });
  addEventListener("scroll", () => { if (scrollY < 80) { news = 0; drawJump(); } }, { passive: true });
  addEventListener("hashchange", () => { store.filters = readFilters(location.hash.slice(1)); drawHead(); draw(); });
  if (me.role === "screen") viewer.follow(true);
}

function heard(kind, event) {
  const before = isLost;
  isLost = kind === "lost";
  if (viewer) viewer.isLost = isLost;
  if (before !== isLost) drawBanners();
  if (kind === "lost") return check();
  if (kind === "snapshot") {
    status = event.snapshot ?? null;
    fetchShots();
  } else if (kind === "me") {
    me = Object.assign(me, event.me);
    drawHead();
    if (viewer.isOpen) viewer.show(true);
  } else if (kind === "shot") {
    const fresh = store.take(event.shot);
    viewer.showNewest();
    event.shot.id.forEach((id) => viewer.changed(id));
    if (fresh) arrived(fresh);
    grid.later();
    if (isFilled && store.order.length === fresh) draw();
  } else if (status) apply(kind, event);
  if (view === "status") draw();
  if (["snapshot", "conditions"].includes(kind)) drawBanners();
}

// A change of the owner's status, as the service tells it.
function apply(kind, event) {
  const replace = (list, item, same) => {
    const index = list.findIndex(same);
    if (index < 0) list.push(item); else list[index] = item;
  };
  if (kind === "camera") replace(status.cameras, event.camera, (camera) => camera.id === event.camera.id);
  if (kind === "camera_removed") status.cameras = status.cameras.filter((camera) => camera.id !== event.id);
  if (kind === "destination") replace(status.destinations, event.destination, (destination) => destination.name === event.destination.name);
  if (kind === "conditions") status.conditions = event.conditions;
  if (kind === "session") status.session = event.session.ended_at ? null : event.session;
  if (kind === "statistics") Object.assign(status, { captures: event.captures, disk: event.disk, uploads: event.uploads });
}

// Whether this device was shut out, or the service is away.
async function check() {
  try { await get("/v1/me"); } catch (error) { if (error instanceof Refusal && error.status === 401) location.reload(); }
}

let turns = 0;
async function fetchShots() {
  const turn = ++turns, ids = new Set();
  let cursor = null;
  do {
    let page;
    try { page = await get(`/v1/shots${cursor ? `?cursor=${cursor}` : ""}`); } catch { return; }
    if (turn !== turns) return;
    page.id.forEach((id) => ids.add(id));
    store.take(page);
    cursor = page.next_cursor;
    // The first page is on the screen while the others come.
    if (!isFilled) { isFilled = true; drawHead(); draw(); }
  } while (cursor);
  store.replace(ids);
  drawHead();
  draw();
  viewer.showNewest();
}

// Other computers, while they are looked at.
let fleetAgain;
async function fetchFleet() {
  clearTimeout(fleetAgain);
  if (view !== "status") return;
  try { fleet = await get("/v1/fleet"); } catch (error) { if (error instanceof Refusal) return; }
  if (view === "status") draw();
  fleetAgain = setTimeout(fetchFleet, 2000);
}

function arrived(count) {
  say(count === 1 ? "1 new photo" : `${count} new photos`);
  if (scrollY > 200 && view === "photos") { news += count; drawJump(); }
}

function drawHead() {
  const tab = (name, text) => button(text, { "aria-current": view === name ? "page" : null, onclick: () => { view = name; drawHead(); draw(); fetchFleet(); } });
  const pressed = (text, isOn, act) => button(text, { "aria-pressed": isOn, onclick: act });
  const { filters } = store, focused = document.activeElement?.dataset?.filter;
  const set = (change) => { Object.assign(filters, change); location.replace(`#${writeFilters(filters)}`); drawHead(); draw(); };
  fill(head,
    el("h1", { class: "one-line" }, me.session_name ?? "FrameFast"),
    me.role === "owner" ? el("nav", { "aria-label": "Views" }, tab("photos", "Photos"), tab("status", "Status")) : null,
    view === "photos" ? el("div", { class: "tools", role: "group", "aria-label": "Filters" },
      store.cameras.length > 1 ? el("select", { "aria-label": "Camera", "data-filter": "camera", onchange: (event) => set({ camera: event.target.value }) },
        el("option", { value: "" }, "All cameras"), store.cameras.map((camera) => el("option", { value: camera, selected: camera === filters.camera }, camera))) : null,
      el("select", { "aria-label": "Stars", "data-filter": "stars", onchange: (event) => set({ stars: Number(event.target.value) }) },
        [0, 1, 2, 3, 4, 5].map((stars) => el("option", { value: stars, selected: stars === filters.stars }, stars ? `${"★".repeat(stars)}${stars < 5 ? " and more" : ""}` : "All photos"))),
      pressed("Picks", filters.picks, () => set({ picks: !filters.picks })), pressed("Not seen", filters.unseen, () => set({ unseen: !filters.unseen })),
      pressed("Follow", false, () => viewer.follow(true)),
      me.role === "client" ? button(me.is_done ? "Done" : "I am done", { disabled: me.is_done, onclick: done }) : null) : null,
    button("?", { "aria-label": "Keys", onclick: help }));
  if (focused) one(`[data-filter="${focused}"]`, head)?.focus();
}

function draw() {
  if (view === "status") return main.replaceChildren(statusView(status, me, fleet));
  if (!isFilled) return main.replaceChildren(waits("Loading the photos…"));
  if (store.list().length === 0) {
    main.replaceChildren(store.isFiltered ? empty("No photo passes the filters", "Change them above.") : empty("No photos yet", "They appear here as soon as they are taken."));
    return;
  }
  if (!grid.element.isConnected) main.replaceChildren(grid.element);
  grid.draw();
}

function drawBanners() {
  fill(banners, isLost && banner("warning", "Offline", "The service cannot be reached: what is shown may be old.", "It is tried again by itself."),
    me?.role === "owner" && status && conditionBanners(status.conditions));
}

function drawJump() {
  one(".jump")?.remove();
  if (news) document.body.append(button(`${news} new ↑`, { class: "jump", onclick: () => { news = 0; drawJump(); scrollTo(0, 0); } }));
}

// ---- Ratings

// What this device changes of what it says of a shot.
async function rate(id, change) {
  store.say(id, change);
  try {
    const reply = await post(`/v1/shots/${id}/rating`, change);
    store.take(reply.sheet);
    say("Saved");
  } catch (error) {
    // What it said before is not known here any more.
    store.own.delete(id);
    banners.append(banner("danger", "Not saved", error.message, error.nextStep));
  }
  viewer.changed(id);
  grid.later();
}

// Keys on the contact sheet.
function quick(key, id) {
  if (!me.may_rate || me.is_done) return false;
  const shot = store.shots.get(id), change = /^[0-5]$/.test(key) ? { stars: Number(key) } : { p: { pick: true }, x: { pick: false }, u: { pick: null } }[key.toLowerCase()];
  if (!shot || !change) return false;
  rate(id, change);
  return true;
}

async function done() {
  if (!confirm("Tell the studio that you are done? Your stars cannot be changed then.")) return;
  try { me = await post("/done"); } catch (error) { banners.append(banner("danger", "Failed", error.message)); }
  drawHead();
}

function help() {
  const keys = [["arrows", "move"], ["Enter", "open a photo"], ["0–5", "stars"], ["p, x, u", "pick, reject, neither"], ["c", "comment"], ["z", "zoom to 100 %"], ["f", "full screen"], ["h", "details and histogram"], ["j", "what is clipped"], ["l", "follow the last photo"], ["Esc", "back"]];
  const dialog = el("dialog", { class: "card", "aria-label": "Keys", onclose: () => dialog.remove() },
    el("h2", {}, "Keys"), el("dl", { class: "facts" }, keys.map(([key, meaning]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, meaning)])),
    button("Close", { onclick: () => dialog.close() }));
  document.body.append(dialog);
  dialog.showModal();
}
