// The page's state. Events and replies change it, and views listen to it.
import { count } from "./dom.js";

export const flag = { raw: 1, jpeg: 2, movie: 4, damaged: 8, delivered: 16, comment: 32, noPreview: 64 };

// Returns the shots of one page of the index, whose columns are parallel arrays.
export const decodePage = (page) => page.ids.map((id, i) => ({
  id, revision: page.revisions[i], width: page.widths[i], height: page.heights[i], color: page.colors[i],
  stars: page.stars[i], pick: page.picks[i], flags: page.flags[i], time: page.times[i], camera: page.camera_names[page.cameras[i]],
}));

// Merges the newest page into the known order. A known shot that is missing from the page no longer exists,
// for example because two files became one shot. Returns `null` if the page does not reach the known shots.
export function mergeOrder(order, newest) {
  const last = order.indexOf(newest.at(-1));
  return !order.length ? newest : last < 0 ? null : [...newest, ...order.slice(last + 1)];
}

export const pictureURL = (shot, form) => `/v1/shots/${shot.id}/${form}?v=${shot.revision}`;
export const hasPicture = (shot) => !!shot?.revision && !(shot.flags & flag.noPreview);

// Returns the name of a shot for a screen reader.
export const label = (shot, position) => [
  `Photo ${position}`, shot.stars && count(shot.stars, "star"), { true: "picked", false: "rejected" }[shot.pick],
  ...[["comment", "has a comment"], ["raw", "RAW"], ["movie", "movie"], ["damaged", "damaged"]].map(([name, word]) => shot.flags & flag[name] && word),
].filter(Boolean).join(", ");

// `me`, `status` (of an owner) and `session` (of a client) come from the service.
// `arrivedAt` is when a photo last arrived, in this device's time. `link` is "connecting", "live" or "away".
export const store = {
  order: [], shots: new Map(), link: "connecting", linkSince: Date.now(), arrivedAt: 0, isLive: true, isComplete: false,
};

const listeners = {};
export const on = (part, action) => (listeners[part] ??= []).push(action);
export const changed = (part, detail) => listeners[part]?.forEach((action) => action(detail));

export const newest = () => shotOf(store.order[0]);
export const shotOf = (id) => store.shots.get(id);
export const position = (id) => store.order.length - store.order.indexOf(id);

export function setLink(link) {
  if (link === store.link) return;
  Object.assign(store, { link, linkSince: Date.now() });
  changed("link");
}

// Replaces the list of shots.
export function setShots(shots) {
  const added = store.order.length ? shots.filter(({ id }) => !shotOf(id)) : [];
  store.shots = new Map(shots.map((shot) => [shot.id, shot]));
  store.order = shots.map(({ id }) => id);
  if (added.length) store.arrivedAt = Date.now();
  changed("list", added);
}

// Merges the newest page. Returns whether the page reached the known shots.
export function mergeShots(shots) {
  const order = mergeOrder(store.order, shots.map(({ id }) => id)), read = new Map(shots.map((shot) => [shot.id, shot]));
  if (order) setShots(order.map((id) => read.get(id) ?? shotOf(id)));
  return !!order;
}

export function changeShot(id, values) {
  const shot = shotOf(id);
  if (!shot) return;
  for (const [key, value] of Object.entries(values)) if (value !== undefined) shot[key] = value;
  changed("shot", shot);
}

function replaceIn(list, key, value) {
  const index = list.findIndex((other) => other[key] === value[key]);
  if (index < 0) list.push(value); else list[index] = value;
}

// Applies an event. Returns "newest" or "all" if these shots must be read again.
export function applyEvent(event) {
  const { kind, snapshot } = event, { status } = store;
  if (kind === "shot") {
    const { id, stars, pick, revision, flags, width, height, color } = event.shot, known = shotOf(id);
    changeShot(id, { stars, pick, flags, width, height, color });
    return !known || revision !== known.revision ? "newest" : "";
  }
  if (kind === "snapshot") {
    if (snapshot.cameras) Object.assign(store, { status: snapshot, isLive: !!snapshot.session });
    else {
      Object.assign(store, { session: snapshot, isLive: snapshot.is_live });
      if (snapshot.photo_age != null) store.arrivedAt = Date.now() - snapshot.photo_age * 1000;
    }
  } else if (kind === "session") {
    const { session } = event, isRunning = !session.ended_at;
    // An event of an earlier session does not change the running session.
    if (status && !isRunning && status.session?.id !== session.id) return "";
    store.isLive = isRunning;
    if (status) status.session = isRunning ? session : null;
    else Object.assign(store.session ??= {}, session);
  } else if (status) {
    if (kind === "camera") replaceIn(status.cameras, "id", event.camera);
    if (kind === "camera_removed") status.cameras = status.cameras.filter((camera) => camera.id !== event.id);
    if (kind === "destination") replaceIn(status.destinations, "name", event.destination);
    for (const part of ["conditions", "captures", "disk", "uploads", "state"]) if (part in event) status[part] = event[part];
  }
  changed("status");
  return kind === "snapshot" ? "all" : "";
}
