// The service, as the page asks it.

export class Refusal extends Error {
  constructor(status, message, nextStep) { super(message); Object.assign(this, { status, nextStep }); }
}

async function request(path, options = {}) {
  const answer = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  let error = {};
  try { error = (await answer.json()).error ?? {}; } catch { /* no words in it */ }
  throw new Refusal(answer.status, error.message ?? `the service answered ${answer.status}`, error.next_step);
}

export const get = (path) => request(path);
export const post = (path, body = {}) =>
  request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

export const picture = (shot, size) => `/v1/shots/${shot.id}/${size}?v=${shot.version}`;

// One stream; it is closed while nobody sees the page, and begins with everything anew.
export class Events {
  constructor(heard) {
    this.heard = heard;
    this.delay = 500;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.close() : this.open()));
    addEventListener("online", () => document.hidden || this.open());
  }

  open() {
    this.close();
    this.source = new EventSource("/v1/events");
    for (const kind of ["snapshot", "shot", "me", "camera", "camera_removed", "capture", "session", "destination", "conditions", "statistics", "state"]) {
      this.source.addEventListener(kind, (event) => { this.delay = 500; this.heard(kind, JSON.parse(event.data)); });
    }
    this.source.onerror = () => {
      this.close();
      this.heard("lost");
      this.again = setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(this.delay * 2, 2000);
    };
  }

  close() {
    clearTimeout(this.again);
    this.source?.close();
    this.source = null;
  }
}
