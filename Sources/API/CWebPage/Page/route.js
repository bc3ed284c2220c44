// The address of the page: `#/`, `#/shot/17`, `#/follow` and `#/status`, with filters as in `?stars=3&pick=yes`.
// `#/status?live=CAMERA` also starts the live view of a camera.

// A pairing code. It is in the fragment, which browsers never send and servers never log.
export const pairingCode = (text) =>
  /^#?([0-9A-Z]{4})-?([0-9A-Z]{4})$/i.exec(text.trim())?.slice(1).join("-").toUpperCase();

const pickValues = { yes: true, no: false, none: null };

export function parseRoute(fragment) {
  const [path, query = ""] = fragment.slice(1).split("?");
  const [, view, id] = path.split("/");
  const values = new URLSearchParams(query);
  const get = (name, form) => form.exec(values.get(name) ?? "")?.[0] ?? "";
  return {
    view: ["shot", "follow", "status"].includes(view) ? view : "photos",
    shot: view === "shot" ? Number(id) : undefined,
    live: values.get("live"),
    filter: {
      stars: Number(get("stars", /^[1-5]$/)), pick: get("pick", /^(yes|no|none)$/), camera: get("camera", /.+/),
      unseen: get("unseen", /^yes$/), session: get("session", /^(\d+|all)$/),
    },
  };
}

// Returns a query without empty values.
export const formatQuery = (values) => new URLSearchParams(Object.entries(values).filter(([, value]) => value));

export function formatRoute({ view, shot, filter }) {
  return `#/${{ photos: "", shot: `shot/${shot}` }[view] ?? view}?${formatQuery(filter)}`.replace(/\?$/, "");
}

export const isFiltered = ({ stars, pick, camera, unseen }) => stars || pick || camera || unseen;

export const matches = (shot, { stars, pick, camera, unseen }, seen) =>
  shot.stars >= stars && (!pick || shot.pick === pickValues[pick]) && (!camera || shot.camera === camera) && (!unseen || !seen.has(shot.id));
