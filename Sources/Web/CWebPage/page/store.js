// What is known of the shots. No DOM, no network: events in, lists out.
import { count } from "./words.js";

export class Store {
  shots = new Map();      // id → shot
  order = [];             // ids, newest first
  filters = { camera: "", stars: 0, picks: false, unseen: false };
  seen = new Set();
  own = new Map();        // id → what this device says, as far as it is known

  mine(id) { return this.own.get(id) ?? {}; }
  say(id, change) { this.own.set(id, { ...this.mine(id), ...change }); }
  learn(id, rating) { if (rating) this.own.set(id, { stars: rating.stars, pick: rating.pick, comment: rating.comment }); }

  // Takes columns of the service; answers how many shots were not known before.
  take(columns) {
    let fresh = 0;
    columns.id.forEach((id, row) => {
      const shot = {
        id, camera: columns.camera_names[columns.camera[row]] ?? "", savedAt: columns.saved_at[row],
      };
      for (const key of ["name", "kind", "version", "width", "height", "colour", "stars", "pick", "comments"]) shot[key] = columns[key][row];
      if (!this.shots.has(id)) {
        fresh += 1;
        this.insert(id);
      }
      this.shots.set(id, shot);
    });
    return fresh;
  }

  insert(id) {
    // Nearly all come at an end.
    if (this.order.length === 0 || id > this.order[0]) this.order.unshift(id);
    else if (id < this.order[this.order.length - 1]) this.order.push(id);
    else this.order.splice(this.order.findIndex((other) => other < id), 0, id);
  }

  // Everything is asked for anew: what is gone goes.
  replace(ids) {
    for (const id of this.order) if (!ids.has(id)) this.shots.delete(id);
    this.order = this.order.filter((id) => ids.has(id));
  }

  passes(shot) {
    const { camera, stars, picks, unseen } = this.filters;
    return (!camera || shot.camera === camera) && shot.stars >= stars && (!picks || shot.pick === 1)
      && (!unseen || !this.seen.has(shot.id));
  }

  get isFiltered() { return Object.values(this.filters).some(Boolean); }

  list() { return this.isFiltered ? this.order.filter((id) => this.passes(this.shots.get(id))) : this.order; }

  get cameras() { return [...new Set([...this.shots.values()].map((shot) => shot.camera))].filter(Boolean).sort(); }
}

// The filters as they stand behind the # of an address.
export function readFilters(text) {
  const values = new URLSearchParams(text);
  return {
    camera: values.get("camera") ?? "", stars: Math.min(5, Math.max(0, Number(values.get("stars")) || 0)),
    picks: values.get("picks") === "1", unseen: values.get("unseen") === "1",
  };
}

export function writeFilters(filters) {
  const set = Object.entries(filters).filter(([, value]) => value);
  return new URLSearchParams(set.map(([key, value]) => [key, value === true ? "1" : value])).toString();
}

export function label(shot) {
  const stars = shot.stars > 0 ? `, ${count(shot.stars, "star")}` : "";
  const pick = shot.pick === 1 ? ", picked" : shot.pick === -1 || shot.stars === -1 ? ", rejected" : "";
  const comments = shot.comments ? `, ${count(shot.comments, "comment")}` : "";
  return `Photo ${shot.name}${stars}${pick}${comments}`;
}
