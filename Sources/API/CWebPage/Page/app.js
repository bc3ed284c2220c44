// Starts the page, and connects the address, the keys, the views and the service.
import { call, follow, isRefusal } from "./api.js";
import { badge, bar, button, caption, count, el, fill, live, main, number, save, saved } from "./dom.js";
import { drawFollow, drawState, followView, fullScreen, setFollowing } from "./follow.js";
import { focusTile, grid, sheet, showTiles, updateTile, updateTiles } from "./grid.js";
import { areKeysOn, openHelp } from "./help.js";
import { ask, drawBanner, fail, notice, report } from "./messages.js";
import { pairView } from "./pair.js";
import { detail, forget, namesOf, rate } from "./rating.js";
import { formatQuery, formatRoute, isFiltered, matches, pairingCode, parseRoute } from "./route.js";
import { applyEvent, decodePage, flag, mergeShots, on, setLink, setShots, shotOf, store } from "./store.js";
import { closeViewer, extendViewer, loadDetail, onViewerKey, openComment, openViewer, updateViewer, viewer, viewerActions } from "./viewer.js";

const seen = new Set(saved("seen", [])), held = new Set();
// `owner` is the module of the status page, which only an owner's page loads.
let route = parseRoute(location.hash), view = "", owner, sessions = [];

// MARK: Announcements for screen readers

// The numbers of new photos, ratings and problems since the last announcement, by noun.
let sums = {};
const announce = (noun, number) => { if (number > 0) sums[noun] = (sums[noun] ?? 0) + number; };
// A screen reader announces new photos, ratings and problems at most every 5 s.
setInterval(() => { fill(live, Object.entries(sums).map(([noun, number]) => count(number, noun)).join(", ")); sums = {}; }, 5000);

// MARK: Photos

const arrivals = button("", showArrivals, { className: "primary arrivals" }), empty = el("div.lead"), total = el("p.caption number");
const filters = el("form.filters", { hidden: true, ariaLabel: "Filter", onchange: readFilters });
const photos = el("div.photos", filters, empty, sheet, arrivals);
sheet.addEventListener("scroll", () => { if (held.size && grid.isAtTop) showArrivals(); });

const isVisible = (id) => matches(shotOf(id), route.filter, seen);
const visible = () => store.order.filter((id) => !held.has(id) && isVisible(id));

const all = () => count(store.order.length, "photo");

function drawPhotos(isNew) {
  const ids = visible(), fresh = [...held].filter(isVisible).length;
  sheet.hidden = !ids.length;
  fill(empty, !ids.length && emptyText());
  showTiles(ids, isNew);
  if (viewer.isOpen) extendViewer(ids);
  fill(total, (ids.length || store.isComplete) && (isFiltered(route.filter) ? `${number(ids.length)} of ${all()}` : all()));
  arrivals.hidden = !fresh;
  fill(arrivals, `${number(fresh)} new ↑`);
}

function emptyText() {
  if (!store.isComplete) return "Loading photos …";
  if (store.order.length) return [el("p", "No photo matches the filter."), button("Show all photos", () => go({ filter: { session: route.filter.session } }))];
  return [el("p", "No photos yet."), caption(store.isLive ? "Each photo appears here as soon as it is taken."
    : "No session is running. Photos appear here when the photographer starts one.")];
}

function showArrivals() {
  const hadFocus = document.activeElement === arrivals;
  held.clear();
  drawPhotos();
  sheet.scrollTop = 0;
  if (hadFocus) focusTile(grid.ids[0]);
}

grid.onopen = (id) => go({ view: "shot", shot: id });
viewer.onmove = (id, last) => {
  if (id) {
    seen.add(id);
    if (route.shot !== id) go({ view: "shot", shot: id }, true);
    return;
  }
  if (route.view === "shot") go({ view: "photos" }, true);
  if (!store.me || view !== "photos") return;
  drawPhotos();
  focusTile(last);
};

// MARK: Header and filters

const title = el("h1.ellipsis"), linkState = el("span");
const attention = el("span.badge warning"), links = { photos: el("a", "Photos"), follow: el("a", "Follow"), status: el("a", "Status", attention) };
const filterButton = button("", async () => {
  filters.hidden = !filters.hidden;
  filterButton.ariaExpanded = !filters.hidden;
  await drawFilters();
  filters.querySelector("select")?.focus();
}, { ariaExpanded: "false" });
const doneButton = button("", sendChoice, { className: "primary" });
fill(bar, el("div.heading", title, el("div.row", total, linkState)), el("nav", { ariaLabel: "Views" }, Object.values(links)),
  el("div.tools", filterButton, doneButton, button("Help", help, { title: "Key ?" })));

function drawHeader() {
  const { me, status, link } = store, { filter } = route, isPhotos = view === "photos";
  bar.hidden = !me;
  if (!me) return;
  const chosen = filter.session, name = chosen === "all" ? "All sessions" : chosen ? sessions.find(({ id }) => `${id}` === chosen)?.name ?? `Session ${chosen}`
    : (store.session ?? status?.session)?.name ?? "Photos";
  fill(title, name);
  document.title = `${name} · FrameFast`;
  const word = { live: ["Live", "success"], away: ["Not connected", "warning"] }[link] ?? ["Connecting", "busy"];
  if (linkState.textContent !== word[0]) fill(linkState, badge(word));
  for (const [target, anchor] of Object.entries(links))
    Object.assign(anchor, { href: formatRoute({ view: target, filter }), ariaCurrent: target === view ? "page" : null, hidden: target === "status" && !owner });
  const problems = status?.conditions.length;
  announce("problem", problems - attention.textContent);
  attention.hidden = !problems;
  fill(attention, problems && ` ${problems}`);
  filterButton.hidden = !isPhotos;
  fill(filterButton, isFiltered(filter) || chosen ? "Filter ●" : "Filter");
  doneButton.hidden = !isPhotos || me.role !== "client";
  doneButton.disabled = me.done;
  fill(doneButton, me.done ? "Sent" : "Done");
}

async function drawFilters() {
  const { filter } = route;
  if (filters.hidden && !filter.session) return;
  if (owner) sessions = (await call("GET", "/v1/sessions").catch(() => ({}))).sessions ?? sessions;
  const cameras = [...new Set([filter.camera, ...[...store.shots.values()].map((shot) => shot.camera)])].filter(Boolean).sort();
  const choice = (name, text, words, values) => el("label", text, el("select", { name }, words.map((word, index) =>
    el("option", { value: values[index], selected: `${values[index]}` === `${filter[name] || ""}` }, word))));
  fill(filters, choice("stars", "Stars", ["Any", "1 or more", "2 or more", "3 or more", "4 or more", "5"], ["", 1, 2, 3, 4, 5]),
    choice("pick", "Pick", ["Any", "Picked", "Rejected", "Neither"], ["", "yes", "no", "none"]),
    cameras[1] && choice("camera", "Camera", ["All", ...cameras], ["", ...cameras]),
    owner && choice("session", "Session", ["Running", "All", ...sessions.map(({ name }) => name)], ["", "all", ...sessions.map(({ id }) => id)]),
    el("label.check", el("input", { type: "checkbox", name: "unseen", value: "yes", checked: !!filter.unseen }), "Not yet seen"),
    button("Copy picks", copyPicks));
  drawHeader();
}

function readFilters({ target }) {
  go({ view: "photos", filter: { ...route.filter, [target.name]: target.checked === false ? "" : target.value } });
}

const picks = () => store.order.filter((id) => shotOf(id).pick);

// Shows the names of the picked files as a list, for a mail to the photographer.
async function copyPicks() {
  let shots;
  if (!picks().length) return report("info", "No photo is picked yet.", "Open a photo, and press Pick.");
  try { shots = await Promise.all(picks().reverse().map(detail)); } catch (error) { return fail(error); }
  const list = el("textarea", { readOnly: true, rows: 8, value: shots.map((shot) => namesOf(shot, "\n")).join("\n"), ariaLabel: "File names" });
  // Unlike `navigator.clipboard`, this command also works without https.
  const copy = () => { list.select(); fill(state, document.execCommand("copy") && "Copied."); };
  const state = el("span", { role: "status" });
  ask(count(shots.length, "picked photo"), [list, el("div.row", button("Copy", copy, { className: "primary" }), state)], [["", "Close"]]);
}

async function sendChoice() {
  const text = `You picked ${number(picks().length)} of ${all()}. Afterwards your ratings are locked.`;
  if (!await ask("Send your choice?", el("p", text), [["yes", "Send"], ["", "Cancel"]])) return;
  try {
    await call("POST", "/v1/web/done");
    store.me.done = true;
    report("success", "Your choice is sent to the photographer.");
    drawHeader();
  } catch (error) { fail(error, "Your choice was not sent. "); }
}

async function help() {
  if (await openHelp() !== "out") return;
  try {
    // Chrome can delay this response, as in pair.js.
    await call("DELETE", "/v1/web/session", {}, 60000);
    leave("You are logged out.");
  } catch (error) { fail(error); }
}

// MARK: The address

function go(change, isReplacing) {
  const fragment = formatRoute({ ...route, ...change });
  if (!isReplacing) return void (location.hash = fragment);
  route = parseRoute(fragment);
  // Safari and Firefox throw an error after 100 or 200 changes in 10 s (whatwg/html#11844).
  try { history.replaceState(null, "", fragment); } catch { /* A later change updates the address. */ }
}

addEventListener("hashchange", () => {
  if (pairingCode(location.hash)) return start();
  const { filter } = route;
  route = parseRoute(location.hash);
  if (!store.me) return;
  if (filter.session !== route.filter.session) loadAll(true);
  draw(JSON.stringify(filter) !== JSON.stringify(route.filter));
});

function draw(isNew) {
  if (route.view === "status" && !owner) route.view = "photos";
  const isShot = route.view === "shot", before = view;
  view = isShot ? "photos" : route.view;
  const isOther = view !== before;
  if (!isShot) closeViewer();
  if (isOther) {
    fill(main, { photos, follow: followView, status: owner?.statusView }[view]);
    setFollowing(view === "follow");
    owner?.stopViews();
  }
  drawHeader();
  if (view === "status") owner.showStatus(route.live);
  if (view !== "photos") return;
  if (isOther || isNew) drawPhotos(true);
  if (isNew && !filters.contains(document.activeElement)) drawFilters();
  // The list returns to the photo at which the person left it.
  if (isOther && before) focusTile();
  if (isShot && viewer.id !== route.shot && shotOf(route.shot)) openViewer(route.shot, viewer.isOpen ? viewer.ids : visible());
}

// MARK: Keys

addEventListener("keydown", (event) => {
  const { key, target } = event, isRadio = target.type === "radio";
  if (!store.me || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches("textarea, select, input") && !isRadio) {
    if (key === "Escape" && viewer.isOpen) { event.preventDefault(); target.blur(); }
    return;
  }
  if (document.querySelector("dialog.card")) return;
  if (viewer.isOpen && !isRadio && onViewerKey(event) || key.length === 1 && areKeysOn() && onLetter(key.toLowerCase())) event.preventDefault();
});

const opinions = { p: { pick: true }, x: { pick: false }, u: { pick: null } };
const actions = { f: fullScreen, l: () => go({ view: view === "follow" ? "photos" : "follow" }), "?": help };

// Handles a key. Returns whether the key has an action.
function onLetter(letter) {
  const id = viewer.id ?? (view === "photos" && grid.focused), shot = shotOf(id);
  const change = "012345".includes(letter) ? { stars: Number(letter) } : opinions[letter];
  const action = shot && change ? () => rate(id, change)
    : shot && letter === "c" ? () => { if (!viewer.isOpen) openViewer(id, visible()); openComment(); }
    : viewer.isOpen && viewerActions[letter] || actions[letter];
  action?.();
  return !!action;
}

// MARK: The service

let generation = 0, loadedSession = "", isReading = false, isDue = false;

// The session of the index: the filter's session, or the running session. Empty for all sessions, and for a device that
// is not an owner's: the service limits what this device sees.
function session() {
  const { filter } = route;
  return !owner || filter.session === "all" ? "" : filter.session || `${store.status?.session?.id ?? ""}`;
}

async function readIndex(limit, after = "") {
  const page = await call("GET", `/v1/shots?${formatQuery({ limit, after, session: session() })}`);
  return [decodePage(page), page.next_cursor];
}

// Reads the whole index. A list of the same session stays until the new list is complete, so the page does not jump.
async function loadAll(isOther) {
  const mine = ++generation;
  loadedSession = session();
  if (isOther) { store.isComplete = false; held.clear(); setShots([]); }
  try {
    let [shots, cursor] = await readIndex(2000);
    const isFirst = !store.order.length;
    while (mine === generation) {
      if (isFirst || !cursor) { store.isComplete ||= !cursor; setShots(shots); }
      if (!cursor) return;
      const [more, next] = await readIndex(2000, cursor);
      shots = [...shots, ...more];
      cursor = next;
    }
  } catch (error) {
    if (mine !== generation) return;
    if (isRefusal(error)) return leave();
    if (error.status) fail(error, "The photos do not load. ");
    setTimeout(() => { if (mine === generation) loadAll(); }, 2000);
  }
}

// Reads the newest shots, at most four times a second.
async function loadNewest() {
  isDue = true;
  if (isReading) return;
  isReading = true;
  while (isDue && store.me) {
    isDue = false;
    const mine = generation;
    try {
      const [shots] = await readIndex(60);
      if (mine === generation && !mergeShots(shots)) loadAll();
    } catch { isDue = store.link === "live"; }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  isReading = false;
}

const feed = follow((event) => {
  const { kind, shot } = event, known = { ...shotOf(shot?.id) };
  if (kind === "snapshot") setLink("live");
  const due = applyEvent(event);
  if (shot) {
    forget(shot.id);
    // A device's own ratings are known before their event arrives.
    if (known.id && (known.stars !== shot.stars || known.pick !== shot.pick || (known.flags ^ shot.flags) & flag.comment)) announce("new rating", 1);
  }
  if (due === "all") { forget(); loadAll(); } else if (due) loadNewest();
}, (state) => state === "refused" ? leave() : setLink(state));

on("link", () => { drawHeader(); drawBanner(); drawState(); });
on("status", () => {
  drawHeader();
  owner?.drawStatus();
  if (owner && store.isComplete && loadedSession !== session()) loadAll(true);
});
on("list", (added) => {
  for (const id of held) if (!shotOf(id)) held.delete(id);
  if (view === "photos" && !grid.isAtTop) added.forEach(({ id }) => held.add(id));
  if (!store.me) return;
  announce("new photo", added.length);
  drawPhotos(!grid.ids.length);
  updateTiles();
  updateViewer(shotOf(viewer.id));
  drawFollow();
  if (route.view === "shot" && !viewer.isOpen) draw();
});
on("shot", (shot) => { updateTile(shot.id); updateViewer(shot); drawFollow(); });
on("opinion", loadDetail);
setInterval(() => { if (store.link === "away") drawBanner(); }, 1000);

let hiddenTimer;
// A page that is hidden for 30 s closes its connections. A short visit to another tab closes nothing.
addEventListener("visibilitychange", () => {
  clearTimeout(hiddenTimer);
  if (document.hidden) {
    // A hidden page may end without another event, for example in the app switcher
    // (w3c/page-visibility#59).
    save("seen", [...seen].slice(-20000));
    hiddenTimer = setTimeout(() => { feed.close(); owner?.stopViews(); }, 30000);
  } else if (store.me) feed.open();
});

function leave(reason = "This device is no longer invited.") {
  feed.close();
  generation++;
  store.me = null;
  closeViewer();
  setFollowing(false);
  setShots([]);
  view = "";
  drawHeader();
  fill(main, pairView("", reason));
}

async function start() {
  const code = pairingCode(location.hash);
  if (code) {
    // Removes the code from the address at once, so the code is not in the history or on the screen.
    history.replaceState(null, "", "#/");
    return fill(main, pairView(code));
  }
  try {
    const me = await call("GET", "/v1/web/me");
    owner = me.role === "owner" ? await import("./status.js") : null;
    store.me = me;
  } catch (error) {
    if (isRefusal(error)) return leave("");
    return fill(main, el("div.lead", el("h1", "FrameFast"), notice("danger", error.message, error.nextStep), button("Try again", start, { className: "primary" })));
  }
  if (store.me.role === "screen" && !location.hash) go({ view: "follow" }, true);
  draw(true);
  feed.open();
}

start();
