// What the service is doing, for its owner.
import { badge, banner, button, el, waits } from "./dom.js";
import { post } from "./api.js";
import { CAMERA, DESTINATION, HOST, MODE, SEVERITY, count, size } from "./words.js";

// What is used keeps its element while the cards around it are drawn anew: a moving picture, a name that is typed.
const kept = new Map();
const keep = (key, make) => kept.get(key) ?? kept.set(key, make()).get(key);

export function statusView(status, me, fleet) {
  if (!status) return waits("Asking the service…");
  const session = status.session;
  return el("div", { class: "cards" },
    card("Session", [
      facts([
        ["Event", session ? session.name : "none"],
        ["Shots", session ? count(session.shots, "shot") : `${count(status.captures.shots_today, "shot")} today`],
        ["Uploads", uploads(status.uploads)],
        ["Mode", session ? MODE[session.upload_mode] ?? session.upload_mode : null],
      ]),
      me.may_control ? keep(`session ${session?.id} ${session?.upload_mode}`, () => sessionTools(session)) : null,
    ]),
    card("Disk", [
      facts([["Free", size(status.disk.free_bytes)]]),
      status.disk.total_bytes ? meter(status.disk) : null,
    ]),
    status.cameras.filter((camera) => !camera.is_ignored).map((camera) => cameraCard(camera, me)),
    status.destinations.map((destination) => {
      const [word, tone] = DESTINATION[destination.state] ?? [destination.state, "neutral"];
      return card(destination.name, [facts([["Queue", count(destination.statistics.queued + destination.statistics.retrying, "upload")], ["Delivered", count(destination.statistics.delivered, "upload")]])], badge(tone, word));
    }),
    fleet?.broker.state === "away" ? banner("warning", "Away", `The broker is not connected. Of other computers, what was so at ${time(fleet.broker.since)} is shown.`) : null,
    fleet?.hosts.filter((host) => !host.is_self).map(hostCard));
}

const time = (text) => new Date(text).toLocaleTimeString("en");

// Another computer of the fleet, by its last word.
function hostCard({ name, state, status, heard_at }) {
  const troubles = status?.conditions ?? [], worst = state === "online" ? troubles[0]?.severity : null;
  const [word, tone] = worst ? [SEVERITY[worst], worst] : HOST[state] ?? [state, "neutral"];
  return card(name, [
    facts([
      ["Cameras", status && `${status.cameras_ready} of ${status.cameras} ready`], ["Event", status?.session_name],
      ["Shots", status && `${status.shots_today} today`], ["Queue", status && count(status.uploads_waiting, "upload")],
      ["Heard", state !== "online" && heard_at && time(heard_at)],
    ]),
    troubles.map(({ name, sentence }) => el("p", {}, name ? `${name}: ${sentence}` : sentence)),
  ], badge(tone, word));
}

export function conditionBanners(conditions) {
  return conditions.map((condition) => banner(condition.severity, SEVERITY[condition.severity], `${condition.name ? `${condition.name}: ` : ""}${condition.sentence}`, condition.next_step));
}

function cameraCard(camera, me) {
  const [word, tone] = CAMERA[camera.state] ?? [camera.state, "neutral"];
  return card(camera.name, [
    facts([
      ["Exposure", camera.exposure?.text], ["Battery", camera.battery_percent == null ? null : `${camera.battery_percent} %`],
      ["Card", camera.shots_left == null ? null : `${count(camera.shots_left, "shot")} left`],
      ["To fetch", camera.pending ? count(camera.pending, "photo") : null],
    ]),
    camera.guidance ? el("p", {}, camera.guidance.sentence, el("span", { class: "caption" }, ` ${camera.guidance.steps.join(" ")}`)) : null,
    me.may_control && ["ready", "downloading"].includes(camera.state) ? keep(`camera ${camera.id}`, () => cameraTools(camera)) : null,
  ], badge(tone, word));
}

function cameraTools(camera) {
  const place = encodeURIComponent(camera.id);
  const picture = el("img", { alt: `What ${camera.name} sees`, hidden: true, style: { width: "100%" } });
  const failed = failure();
  const look = button("Live view", { "aria-pressed": false, onclick: () => {
    const isOn = look.getAttribute("aria-pressed") === "true";
    look.setAttribute("aria-pressed", String(!isOn));
    picture.hidden = isOn;
    if (isOn) picture.removeAttribute("src");
    else picture.src = `/v1/cameras/${place}/live.mjpeg?rate=8`;
  } });
  return el("div", {}, picture, el("div", { class: "tools" },
    act("Release", () => post(`/v1/cameras/${place}/trigger`), failed, "primary"), look), failed);
}

function sessionTools(session) {
  const failed = failure();
  if (session) {
    const mode = el("select", { "aria-label": "Upload mode", onchange: () => attempt(() => post("/v1/mode", { mode: mode.value }), failed) },
      Object.entries(MODE).map(([value, word]) => el("option", { value, selected: value === session.upload_mode }, word)));
    return el("div", {}, el("div", { class: "tools" }, mode, act("End the session", () => post("/v1/sessions/stop"), failed)), failed);
  }
  const name = el("input", { type: "text", maxlength: "100", "aria-label": "Name of the session", placeholder: "Name of the session" });
  return el("form", { class: "tools", onsubmit: (event) => event.preventDefault() }, name, act("Start", () => post("/v1/sessions", { name: name.value }), failed), failed);
}

const failure = () => el("p", { class: "wrong", role: "alert", hidden: true });

// A button whose work may take a while, and may fail.
function act(text, work, failed, kind) {
  const one = button(text, { class: kind, onclick: async () => {
    one.disabled = true;
    one.setAttribute("aria-busy", "true");
    await attempt(work, failed);
    one.disabled = false;
    one.removeAttribute("aria-busy");
  } });
  return one;
}

async function attempt(work, failed) {
  failed.hidden = true;
  try { await work(); } catch (error) {
    failed.hidden = false;
    failed.textContent = `${error.message}. ${error.nextStep ?? ""}`;
  }
}

function card(title, rows, mark) {
  return el("section", { class: "card" }, el("div", { class: "row" }, el("h2", { class: "one-line" }, title), mark), rows);
}

function facts(rows) {
  return el("dl", { class: "facts" }, rows.filter(([, value]) => value).map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

function meter(disk) {
  const used = Math.round(100 * (1 - disk.free_bytes / disk.total_bytes));
  const tone = disk.guard === "ok" ? "success" : disk.guard === "low" ? "warning" : "danger";
  return el("div", { class: "meter", role: "img", "aria-label": `${used} % of the disk is used`, "data-tone": tone }, el("span", { style: { width: `${used}%` } }));
}

function uploads(all) {
  return ["uploading", "queued", "held", "retrying", "failed", "delivered"]
    .filter((key) => all[key]).map((key) => `${all[key].toLocaleString("en")} ${key}`).join(", ") || "nothing to upload";
}
