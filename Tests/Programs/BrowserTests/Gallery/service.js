// A service for the gallery: fixed replies instead of requests, and a clock that only the samples move.

const start = Date.UTC(2026, 10, 30, 12, 0, 0);
export const clock = { now: start };
Date.now = () => clock.now;

// Timers of 5 s or more never fire. Otherwise, the speed of the computer would decide whether a sample has already removed
// a message or announced a change to screen readers.
const longest = 5000, { setTimeout: wait, setInterval: repeat } = window;
window.setTimeout = (action, ms = 0) => (ms < longest ? wait(action, ms) : 0);
window.setInterval = (action, ms = 0) => (ms < longest ? repeat(action, ms) : 0);

const flags = { raw: 1, jpeg: 2, movie: 4, damaged: 8, delivered: 16, comment: 32, noPreview: 64 };

// Returns a shot. `values` replaces some of its values.
export const shot = (id, values = {}) => ({
  id, revision: `${id}`.padStart(16, "0"), width: 480, height: 320, color: "#808080", stars: 0, pick: null,
  flags: flags.raw | flags.jpeg, time: start - (100 - id) * 60000, camera: 0, ...values,
});
export { flags };

const state = { sample: {}, streams: [] };

// Returns a reply without a stream. The page receives it before the next timer fires or the next picture loads.
function reply(value, status = 200) {
  return { status, ok: status < 300, text: async () => JSON.stringify(value) };
}
const refusal = (status, message, step = null) => reply({ error: { code: "x", message, next_step: step } }, status);

function index(shots) {
  const column = (name) => shots.map((shot) => shot[name]);
  return {
    ids: column("id"), revisions: column("revision"), widths: column("width"), heights: column("height"), colors: column("color"),
    stars: column("stars"), picks: column("pick"), flags: column("flags"), times: column("time"), cameras: column("camera"),
    camera_names: ["left", "right"], next_cursor: null,
  };
}

function detail(shot) {
  return {
    id: shot.id, revision: shot.revision, width: shot.width, height: shot.height, stars: shot.stars, pick: shot.pick, flags: shot.flags,
    captured_at: new Date(shot.time).toISOString(), camera_name: "left", session: 3,
    files: ["CR3", "JPG"].map((type) => ({ id: shot.id, name: `Wedding-${shot.id}.${type}`, size: 3000000, is_damaged: false })),
    opinions: state.sample.opinions ?? [],
  };
}

// Returns the counts of a histogram's channel, with the highest count at `middle`.
const channel = (middle) => Array.from({ length: 256 }, (_, i) => Math.round(1e5 * Math.exp(-(((i - middle) / 40) ** 2))));

const status = (values) => ({
  version: "1.0", state: "running", started_at: new Date(start - 9e6).toISOString(), cameras: [], destinations: [], conditions: [],
  session: session(), uploads: counts(), disk: { directory: "/srv/photos", free_bytes: 120e9, min_free_bytes: 1e9, total_bytes: 500e9, guard: "ok" },
  captures: { shots: 41, shots_today: 41, shots_per_minute: 4, bytes: 1.2e9 }, ...values,
});
export const counts = (values) => ({ held: 0, queued: 0, uploading: 0, verifying: 0, delivered: 0, retrying: 0, failed: 0, ...values });
export const session = (values) => ({
  id: 3, name: "Wedding", started_at: new Date(start - 7.2e6).toISOString(), ended_at: null, shots: 41, captures: 82, bytes: 1.2e9, upload_mode: "rated", ...values,
});
export const ago = (ms) => new Date(start - ms).toISOString();

function snapshot() {
  const { role, shots, isLive = true } = state.sample;
  if (role === "owner") return status(state.sample.status);
  return { name: "Wedding", shots: shots.length, newest_id: shots[0]?.id ?? null, is_live: isLive, photo_age: shots.length ? 5 : null };
}

const encoder = new TextEncoder();
const encode = (event) => encoder.encode(`data: ${JSON.stringify(event)}\n\n`);

// Sends an event to the page.
export const send = (event) => state.streams.forEach((stream) => stream.enqueue(encode({ seq: 2, at: ago(0), ...event })));

// Ends the event stream. Later requests fail.
export function disconnect() {
  change({ isDown: true });
  endStreams();
}

// Ends the event stream.
export const endStreams = () => state.streams.splice(0).forEach((stream) => stream.close());

// Replaces values of the sample, on which the replies depend.
export const change = (values) => Object.assign(state.sample, values);

// Adds a shot as the newest one and sends its event.
export function arrive(shot) {
  state.sample.shots.unshift(shot);
  send({ kind: "shot", shot: { ...shot, files: [shot.id], session: 3 } });
}

function answer(method, path) {
  const { sample } = state, { role, shots, me = 200 } = sample;
  if (sample.isDown) throw new TypeError("no connection");
  const refused = sample.refused?.[`${method} ${path}`];
  if (refused) return refused === "never" ? new Promise(() => {}) : refusal(...refused);
  if (path === "/v1/web/me") return me === 200 ? reply({ name: "Ana", role, session: role === "owner" ? null : "Wedding", control: !!sample.control, originals: false, done: !!sample.done })
    : refusal(me, "cannot use this page: this device is not paired", "Ask the photographer for a code.");
  if (path === "/v1/events") {
    return new Response(new ReadableStream({
      start(stream) { state.streams.push(stream); stream.enqueue(encode({ seq: 1, at: ago(0), kind: "snapshot", snapshot: snapshot() })); },
    }));
  }
  if (path === "/v1/sessions") return reply({ sessions: [session(), session({ id: 2, name: "Rehearsal", ended_at: ago(0) })] });
  if (path === "/v1/shots") return reply(index(shots));
  const [, id, part] = /^\/v1\/shots\/(\d+)(?:\/(\w+))?$/.exec(path) ?? [];
  const found = shots?.find((shot) => shot.id === Number(id));
  if (found && !part) return reply(detail(found));
  if (found && part === "histogram") return reply({ red: channel(90), green: channel(120), blue: channel(150), clipped_shadows: 4, clipped_highlights: 130 });
  if (found && part === "rating") return reply(detail(found));
  if (method === "POST") return reply(path === "/v1/web/done" ? { done: true } : {});
  return refusal(404, `cannot find '${path}'`);
}

// Replaces all requests by the replies of a sample.
export function serve(sample) {
  state.sample = { role: "owner", shots: [], ...sample };
  window.fetch = async (path, { method = "GET" } = {}) => answer(method, path.split("?")[0]);
  // The page may send requests only with `fetch`.
  for (const name of ["XMLHttpRequest", "EventSource", "WebSocket"]) window[name] = undefined;
}
