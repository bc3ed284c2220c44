// Opinions about shots: stars, pick and comment of the person who uses this device.
import { call } from "./api.js";
import { button, caption, count, el, fill } from "./dom.js";
import { fail, report } from "./messages.js";
import { changed, changeShot, flag, shotOf, store } from "./store.js";

// By shot: this person's opinions, the replies with all opinions, and the changes that are being saved with their results.
// The store has the combined rating of all people and the camera.
const mine = new Map(), details = new Map(), saving = new Map();

// Reads a shot's facts and the opinions about it.
export function detail(id) {
  if (!details.has(id)) {
    if (details.size > 200) details.clear();
    const reply = call("GET", `/v1/shots/${id}`);
    details.set(id, reply);
    reply.then((reply) => { if (!saving.has(id)) mine.set(id, own(reply)); }, () => details.delete(id));
  }
  return details.get(id);
}
// Returns the file names of a shot.
export const namesOf = ({ files }, separator = " + ") => files.map(({ name }) => name).join(separator);
export const forget = (id) => id === undefined ? details.clear() : details.delete(id);

const own = (reply) => reply.opinions.find(({ is_own }) => is_own) ?? {};

// Returns the reason why this person cannot rate, or "".
export const lock = () => store.me.role === "screen" ? "This device can only look."
  : store.me.done ? "Your choice is sent, so your ratings are locked." : "";

// Changes the person's opinion. The service replaces the whole opinion, so the page reads the earlier opinion first.
// Returns a promise, which resolves to `false` if saving failed.
export function rate(id, change) {
  if (lock()) return report("info", lock());
  const before = { ...shotOf(id) }, opinion = mine.get(id), { stars, pick } = change;
  mine.set(id, { ...opinion, ...change });
  changeShot(id, { stars, pick });
  // A running save sends this change as well.
  const [wanted, result = sendOpinion(id, wanted, before, opinion)] = saving.get(id) ?? [{}];
  Object.assign(wanted, change);
  saving.set(id, [wanted, result]);
  return result;
}

async function sendOpinion(id, wanted, before, opinion) {
  let sent, failure;
  try {
    const { stars = null, pick = null, comment = null } = own(await detail(id));
    while (sent !== JSON.stringify(wanted)) {
      sent = JSON.stringify(wanted);
      await call("POST", `/v1/shots/${id}/rating`, { stars, pick, comment, ...wanted });
    }
    if (wanted.comment) changeShot(id, { flags: shotOf(id)?.flags | flag.comment });
  } catch (error) {
    failure = error;
    mine.set(id, opinion);
    changeShot(id, before);
    fail(error, "Your rating was not saved. ");
  }
  saving.delete(id);
  forget(id);
  changed("opinion", id);
  return !failure;
}

// Draws the controls for stars and pick. Returns their element and the function that shows a shot's rating.
export function ratingBar(oncomment) {
  let id;
  const toggle = (value) => rate(id, { pick: mine.get(id)?.pick === value ? null : value });
  const radios = [0, 1, 2, 3, 4, 5].map((value) => el("input", { type: "radio", name: "stars", value, onchange: () => rate(id, { stars: value }) }));
  const stars = el("fieldset.starbar", el("legend.unseen", "Stars"), radios.map((radio, value) => el("label", { title: `Key ${value}` }, radio,
    el("span.unseen", value ? count(value, "star") : "No stars"), el("span.star", { ariaHidden: "true" }, value ? "★" : "∅"))));
  const [pick, reject] = [[true, "✓ Pick", "P"], [false, "✗ Reject", "X"]].map(([value, word, key]) => button(word, () => toggle(value), { title: `Key ${key}` }));
  const comment = button("Comment", oncomment, { title: "Key C" }), reason = caption();
  return [el("div.rating", { role: "group", ariaLabel: "Your rating" }, stars, pick, reject, comment, reason), (shot) => {
    ({ id } = shot);
    const opinion = mine.get(id) ?? {}, given = opinion.stars ?? 0, disabled = !!lock();
    fill(reason, lock());
    radios.forEach((radio, value) => {
      Object.assign(radio, { checked: value === given, disabled });
      radio.parentElement.className = value && value <= given ? "on" : "";
    });
    Object.assign(pick, { ariaPressed: opinion.pick === true, disabled });
    Object.assign(reject, { ariaPressed: opinion.pick === false, disabled });
    comment.classList.toggle("has", shot.flags & flag.comment);
  }];
}

// Draws the comments of all people, and the form for the person's comment. Returns the element, the text field, and the
// function that shows a shot's comments.
export function comments() {
  let id, stored;
  const list = el("ul"), left = el("span.caption number"), problem = el("p.problem", { role: "alert" });
  const draw = () => fill(left, `${text.value.length} of 2000`);
  const text = el("textarea", { maxLength: 2000, rows: 3, oninput: () => { draw(); fill(problem); } });
  const form = el("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      const saved = id, isFailed = await rate(saved, { comment: text.value.trim() || null }) === false;
      // The form may show another shot now.
      if (saved === id) fill(problem, isFailed && "The comment is not saved. Save it again.");
    },
  }, el("label", "Your comment", text), problem, el("div.row", el("button.primary", "Save"), left));
  return [el("section", el("h3", "Comments"), list, form), text, (shot, reply) => {
    const mine = own(reply);
    if (id !== shot.id) fill(problem);
    // A text that the person has changed stays until it is saved.
    if (id !== shot.id || text.value === stored) text.value = mine.comment ?? "";
    stored = mine.comment ?? "";
    ({ id } = shot);
    draw();
    form.hidden = !!lock();
    const shown = reply.opinions.filter(({ stars, pick, comment }) => comment || stars || pick != null);
    fill(list, shown.map((opinion) => el("li", el("p", el("b", opinion === mine ? "You" : opinion.author),
      ` ${"★".repeat(opinion.stars)} ${opinion.pick === true ? "✓ picked" : opinion.pick === false ? "✗ rejected" : ""}`),
    opinion.comment && el("p.text", opinion.comment))), !shown.length && el("li.caption", "No comments yet."));
  }];
}
