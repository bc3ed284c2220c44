// The owner's status page: the facts, words and tones of `framefast status`. Only an owner's page loads this module.
import { controls } from "./control.js";
import { badge, caption, count, duration, el, facts, fill, link, moment, number, size } from "./dom.js";
import { notice } from "./messages.js";
import { store } from "./store.js";
import { words } from "./words.js";

const wordOf = (kind, state) => words[kind][state] ?? [state, "neutral"];
const countsOf = (uploads) => ["failed", "retrying", "uploading", "queued", "held", "delivered"].filter((state) => uploads[state]).map((state) => `${number(uploads[state])} ${state}`);
const section = (title, children, more) => el("section", el("h2", title), children, more);
// A section with a list of cards or notices, and the number of items. Without items, the section has a sentence.
const list = (title, items, draw, sentence) => section([title, items[0] && el("span.caption", ` ${items.length}`)], items[0] ? el("ul.cards", items.map(draw)) : sentence);
const card = (title, word, ...children) => el("li.card", el("div.row spread", el("h3.ellipsis", title), badge(word)), children);

function camera(camera) {
  let [word, tone] = camera.is_ignored ? ["Ignored", "neutral"] : wordOf("camera", camera.state);
  const { progress, guidance } = camera;
  if (camera.state === "downloading" && progress?.total_bytes) word += ` ${Math.floor(100 * progress.bytes / progress.total_bytes)} %`;
  return card(camera.name, [word, tone], el("p.caption ellipsis", camera.model ?? "Unknown model"),
    el("p.number", link(camera.exposure?.text, camera.battery_percent != null && `battery\u00a0${camera.battery_percent}\u00a0%`,
      camera.shots_left != null && `${count(camera.shots_left, "shot")} left`, camera.pending && `${number(camera.pending)} to fetch`)),
    !camera.is_ignored && guidance && [el("p", guidance.sentence), el("ol", guidance.steps.map((step) => el("li", step)))], controls.camera(camera));
}

function destination({ name, location, state, statistics, bytes_per_second: speed }) {
  const isSending = state === "ready" && statistics.uploading + statistics.verifying > 0;
  return card(name, isSending ? words.uploading : wordOf("destination", state), el("p.caption ellipsis", location),
    el("p.number", link(...countsOf(statistics), speed && `${size(speed)}/s`) || "No uploads"));
}

function condition({ severity, name, sentence, next_step: step, since }) {
  const [, tone] = wordOf("severity", severity);
  return el("li", notice(tone, sentence.includes(name ?? "") ? sentence : `${name}: ${sentence}`, step, caption(`${duration(Date.now() - Date.parse(since))} ago`)));
}

function disk({ guard, free_bytes: free, total_bytes: total }) {
  if (guard === "away") return "The photo folder is unavailable";
  const text = link(`${size(free)} free`, { low: "almost full", full: "full, photos wait on cameras" }[guard]);
  if (!total) return text;
  const bar = el("span");
  bar.style.width = `${100 - (100 * free) / total}%`;
  return [text, el(`span.meter ${{ full: "danger", low: "warning" }[guard] ?? "success"}`, { ariaHidden: "true" }, bar)];
}

// The keyboard can scroll only an element that takes the focus.
export const statusView = el("div.page", { tabIndex: 0 });
export const { stopViews } = controls;
let timer;

// Shows the page. Starts live view of the camera with the id `live`, if any, as soon as the camera is ready.
export function showStatus(live) {
  controls.wanted = live;
  drawStatus();
}

// Draws the page, at most four times a second. Draws nothing while a person types or has a menu open.
export function drawStatus() {
  timer ||= setTimeout(() => {
    timer = 0;
    if (!statusView.isConnected) return;
    const focus = document.activeElement;
    if (focus.matches("input, select") && statusView.contains(focus)) return drawStatus();
    const { key } = focus.dataset;
    draw(store.status);
    if (key) [...statusView.querySelectorAll("button")].find((button) => button.dataset.key === key)?.focus();
  }, 250);
}

function draw(status) {
  if (!status) return fill(statusView, el("p.lead", "Loading …"));
  const { session, captures, uploads, conditions, cameras, destinations } = status;
  const rows = {
    Session: session ? link(session.name, count(session.shots, "shot"), `since ${moment(session.started_at)}`) : "none",
    Photos: link(`${count(captures.shots, "shot")} saved (${size(captures.bytes)})`, `${number(captures.shots_today)} today`, `${number(captures.shots_per_minute)} per minute`),
    Uploads: link(...countsOf(uploads)) || "none", Disk: disk(status.disk),
  };
  fill(statusView, el("div.row spread", el("h2", "Status"), badge(wordOf("daemon", status.state))),
    list("Attention", conditions, condition, badge(["Nothing needs attention", "success"])),
    list("Cameras", cameras, camera, caption("No cameras. Connect one by USB, or add a network camera with `framefast connect`.")),
    section("Session", facts(rows), controls.session(session)),
    list("Destinations", destinations, destination, caption("No destinations: photos stay on this computer. Add a [[destination]] to framefast.toml.")));
}
