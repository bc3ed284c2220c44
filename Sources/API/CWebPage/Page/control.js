// The owner's controls: shutter, live view, session and mode. They exist only with `[web] control = true`.
import { call } from "./api.js";
import { button, el } from "./dom.js";
import { ask, fail, report } from "./messages.js";
import { drawStatus } from "./status.js";
import { store } from "./store.js";
import { words } from "./words.js";

const views = new Map();

async function run(path, body) {
  try {
    const [refused] = (await call("POST", path, body, 60000)).refused ?? [];
    if (refused) report("warning", `${refused.camera}: ${refused.message}`);
  } catch (error) { fail(error); }
}

const keyed = (key, node) => { node.dataset.key = key; return node; };

export const controls = {

  camera({ id, name, state }) {
    if (!store.me.control) return;
    if (state !== "ready" && state !== "downloading") return void views.delete(id);
    const path = `/v1/cameras/${encodeURIComponent(id)}`;
    const stop = () => { views.get(id)?.removeAttribute("src"); views.delete(id); drawStatus(); };
    const start = () => {
      views.set(id, el("img.liveview", { alt: `Live view of ${name}`, src: `${path}/live.mjpeg?rate=10`, onerror: stop }));
      drawStatus();
    };
    if (id === controls.wanted) { controls.wanted = null; start(); }
    const view = views.get(id);
    return [view, el("div.row", keyed(`release ${id}`, button("Release", () => run(`${path}/trigger`), { className: "primary" })),
      keyed(`live ${id}`, button(view ? "Stop live view" : "Live view", view ? stop : start)))];
  },

  session(session) {
    if (!store.me.control) return;
    const name = el("input", { required: true, maxLength: 120 });
    const form = el("form.row", { onsubmit: (event) => { event.preventDefault(); name.blur(); run("/v1/sessions", { name: name.value.trim() }); } },
      el("label", "New session", name), el("button", "Start"));
    const stop = async () => { if (await ask(`Stop ${session.name}?`, el("p", "Later photos belong to no session."), [["yes", "Stop"], ["", "Cancel"]])) run("/v1/sessions/stop"); };
    const mode = el("select", { onchange: () => { mode.blur(); run("/v1/mode", { mode: mode.value }); } },
      Object.entries(words.mode).map(([value, word]) => el("option", { value, selected: value === session?.upload_mode }, word)));
    return [form, session && el("div.row", el("label", "Uploads", mode), keyed("stop", button("Stop the session", stop)))];
  },

  stopViews() {
    for (const image of views.values()) image.removeAttribute("src");
    views.clear();
  },
};
