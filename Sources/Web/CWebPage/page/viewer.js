// One photo, as large as the window: always dark and grey, because pictures are judged here.
import { button, el, fill, one, say } from "./dom.js";
import { get, picture } from "./api.js";
import { mark, share } from "./clipping.js";
import { label } from "./store.js";
import { count as counted } from "./words.js";

export class Viewer {
  constructor(store, { me, rate, closed }) {
    Object.assign(this, { store, me, rate, closed, zoom: 0, place: { x: .5, y: .5 }, isFollowing: false, isMarking: false });
    this.image = el("img", { alt: "", onload: () => this.came(true), onerror: () => this.came(false) });
    this.marks = el("canvas", { hidden: true, "aria-hidden": true });
    this.overlay = el("p", { class: "overlay" });
    let touch = null;
    this.stage = el("div", {
      class: "stage", tabindex: "0", ondblclick: (event) => this.zoomAt(event, this.zoom ? 0 : 1), onscroll: () => this.keepPlace(),
      onpointerdown: (event) => { touch = { x: event.clientX, y: event.clientY }; },
      onpointerup: (event) => {
        if (touch && !this.zoom && Math.abs(event.clientX - touch.x) > 60 && Math.abs(event.clientY - touch.y) < 80) this.step(event.clientX < touch.x ? 1 : -1);
        touch = null;
      },
    }, this.image, this.marks, this.overlay);
    this.panel = el("div", { class: "panel", hidden: true });
    this.bar = el("div", { class: "bar" });
    this.element = el("dialog", {
      class: "viewer", "aria-label": "Photo", onclose: () => { this.follow(false); this.closed(this.id); }, onkeydown: (event) => this.press(event),
    }, this.stage, el("div", {}, this.panel, this.bar));
    this.stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoomAt(event, Math.min(2, Math.max(0, this.zoom - Math.sign(event.deltaY))));
    }, { passive: false });
    document.body.append(this.element);
  }

  get isOpen() { return this.element.open; }
  get mayRate() { return this.me.may_rate && !this.me.is_done; }

  open(id) {
    this.id = id;
    if (!this.isOpen) this.element.showModal();
    this.stage.focus();
    this.show();
  }

  // The shot has other stars, or another picture.
  changed(id) { if (this.isOpen && id === this.id) this.show(true); }

  show(isSame = false) {
    const shot = this.store.shots.get(this.id);
    if (!shot) return this.element.close();
    this.store.seen.add(this.id);
    this.image.alt = label(shot);
    if (!isSame || this.image.dataset.version !== shot.version) this.load(shot);
    this.drawBar(shot);
    if (!this.panel.hidden) this.drawPanel();
    this.drawOverlay();
  }

  // What is told over the picture.
  drawOverlay() {
    const shot = this.store.shots.get(this.isFollowing ? this.store.order[0] : this.id);
    const minutes = shot ? Math.floor((Date.now() / 1000 - shot.savedAt) / 60) : 0;
    const age = minutes >= 1 ? `No photo for ${minutes} min` : "";
    this.overlay.textContent = this.isFollowing && this.isLost ? "Not connected" : this.image.hidden ? "No preview" : this.isFollowing ? age : shot?.name ?? "";
  }

  // The picture came, or there is none that can be shown.
  came(isGood) {
    this.image.hidden = !isGood;
    this.drawMarks();
    this.drawOverlay();
  }

  // First what is there already, then what the screen shows, then every pixel.
  async load(shot) {
    const wanted = this.loadedFor = `${shot.id} ${shot.version} ${this.zoom > 0}`;
    this.image.dataset.version = shot.version;
    if (!shot.version) {
      this.image.removeAttribute("src");
      return this.came(false);
    }
    if (this.image.dataset.shot !== String(shot.id)) this.image.src = picture(shot, 512);
    this.image.dataset.shot = shot.id;
    this.layOut(shot);
    for (const size of this.zoom ? ["screen", "full"] : ["screen"]) {
      const better = new Image();
      better.src = picture(shot, size);
      try { await better.decode(); } catch { return; }
      if (this.loadedFor !== wanted) return;
      this.image.src = better.src;
      // How large it is may not have been known before.
      if (size === "full" && shot.width !== better.naturalWidth) {
        [shot.width, shot.height] = [better.naturalWidth, better.naturalHeight];
        this.layOut(shot);
      }
    }
  }

  layOut(shot) {
    this.stage.classList.toggle("zoomed", this.zoom > 0);
    const [width, height] = [shot.width || 1500, shot.height || 1000];
    const scale = this.zoom / devicePixelRatio;
    for (const { style } of [this.image, this.marks]) [style.width, style.height] = [width, height].map((side) => (this.zoom ? `${side * scale}px` : ""));
    if (!this.zoom) return;
    this.isMoving = true;
    this.stage.scrollTo(this.place.x * this.stage.scrollWidth - this.stage.clientWidth / 2, this.place.y * this.stage.scrollHeight - this.stage.clientHeight / 2);
    requestAnimationFrame(() => { this.isMoving = false; });
  }

  // The marks of what is clipped lie on the picture, as large as it is shown.
  drawMarks() {
    this.marks.hidden = !this.isMarking || this.image.hidden || !this.image.naturalWidth;
    if (!this.marks.hidden) mark(this.marks, this.image);
  }

  toggleMarks() {
    this.isMarking = !this.isMarking;
    this.drawMarks();
    one("[data-key=clipping]", this.panel)?.setAttribute("aria-pressed", String(this.isMarking));
  }

  // The place stays from photo to photo: that is how focus is compared.
  keepPlace() {
    if (!this.zoom || this.isMoving) return;
    this.place = {
      x: (this.stage.scrollLeft + this.stage.clientWidth / 2) / this.stage.scrollWidth,
      y: (this.stage.scrollTop + this.stage.clientHeight / 2) / this.stage.scrollHeight,
    };
  }

  zoomAt(event, zoom) {
    const box = this.image.getBoundingClientRect(), { naturalWidth, naturalHeight } = this.image;
    if (event && box.width && naturalWidth) {
      // The picture is in the middle of its box.
      const scale = Math.min(box.width / naturalWidth, box.height / naturalHeight);
      const share = (at, middle, length) => Math.min(1, Math.max(0, .5 + (at - middle) / (length * scale)));
      this.place = { x: share(event.clientX, box.left + box.width / 2, naturalWidth), y: share(event.clientY, box.top + box.height / 2, naturalHeight) };
    }
    this.zoom = zoom;
    this.show();
  }

  step(count) {
    const ids = this.store.list(), here = ids.indexOf(this.id);
    const next = ids[Math.min(ids.length - 1, Math.max(0, here + count))];
    if (next === undefined || next === this.id) return;
    this.follow(false);
    this.id = next;
    this.show();
    say(label(this.store.shots.get(next)));
  }

  // The last shot is shown as it comes.
  async follow(isOn) {
    this.isFollowing = isOn;
    clearInterval(this.ticking);
    this.lock?.release?.();
    this.lock = null;
    if (!isOn) return this.drawOverlay();
    try { this.lock = await navigator.wakeLock?.request("screen"); } catch { /* the screen may sleep */ }
    this.ticking = setInterval(() => this.drawOverlay(), 1000);
    this.showNewest();
  }

  // The last shot, while that is followed; there may be none yet.
  showNewest() {
    const newest = this.store.order[0];
    if (!this.isFollowing || newest === undefined) return;
    if (newest !== this.id || !this.isOpen) this.open(newest);
    this.drawOverlay();
  }

  drawBar(shot) {
    const may = this.mayRate, mine = this.store.mine(shot.id);
    const focused = document.activeElement?.dataset?.key;
    const act = (key, text, properties) => button(text, { "data-key": key, ...properties });
    fill(this.bar,
      act("close", "Close", { onclick: () => this.element.close() }),
      el("span", { class: "grow one-line" }, shot.name),
      may ? this.stars(shot) : shot.stars > 0 ? el("span", {}, `${"★".repeat(shot.stars)}`) : null,
      may ? act("pick", "Pick", { "aria-pressed": mine.pick === true, onclick: () => this.say({ pick: mine.pick === true ? null : true }) }) : null,
      may ? act("reject", "Reject", { class: "danger", "aria-pressed": mine.pick === false, onclick: () => this.say({ pick: mine.pick === false ? null : false }) }) : null,
      act("more", "Details", { "aria-expanded": !this.panel.hidden, onclick: () => this.togglePanel() }),
      act("zoom", this.zoom ? `${this.zoom * 100} %` : "Zoom", { "aria-pressed": this.zoom > 0, onclick: () => this.zoomAt(null, (this.zoom + 1) % 3) }),
      act("back", "‹", { class: "step", "aria-label": "Previous photo", onclick: () => this.step(-1) }),
      act("next", "›", { class: "step", "aria-label": "Next photo", onclick: () => this.step(1) }));
    if (focused) one(`[data-key="${focused}"]`, this.bar)?.focus();
  }

  stars(shot) {
    const mine = this.store.mine(shot.id).stars ?? Math.max(0, shot.stars);
    return el("fieldset", { class: "stars", role: "radiogroup", "aria-label": "Stars" }, [0, 1, 2, 3, 4, 5].map((count) =>
      el("label", { "data-on": String(count > 0 && count <= mine) },
        el("input", { type: "radio", name: "stars", value: count, checked: count === mine, "data-key": `star${count}`, "aria-label": counted(count, "star"), onchange: () => this.say({ stars: count }) }),
        el("span", { "aria-hidden": true }, count === 0 ? "∅" : count <= mine ? "★" : "☆"))));
  }

  async say(change) {
    const sent = this.rate(this.id, change);
    this.drawBar(this.store.shots.get(this.id));
    await sent;
  }

  togglePanel() {
    this.panel.hidden = !this.panel.hidden;
    this.show(true);
  }

  async drawPanel() {
    const id = this.id;
    let detail;
    try { detail = await get(`/v1/shots/${id}`); } catch { return; }
    if (id !== this.id) return;
    this.store.learn(id, detail.ratings.find((rating) => rating.is_mine));
    const shot = this.store.shots.get(id);
    const comment = el("textarea", { rows: "2", maxlength: "2000", "aria-label": "Your comment", value: this.store.mine(id).comment ?? "" });
    if (document.activeElement?.tagName === "TEXTAREA") return;
    fill(this.panel,
      el("p", { class: "caption" }, [shot.camera, shot.kind.toUpperCase().replace("+", " + "), shot.width ? `${shot.width} × ${shot.height}` : "", new Date(shot.savedAt * 1000).toLocaleTimeString()].filter(Boolean).join(" · ")),
      detail.histogram.length ? [histogram(detail.histogram), el("div", { class: "row" }, el("span", { class: "caption" }, share(detail.histogram)),
        button("Show clipping", { "data-key": "clipping", "aria-pressed": this.isMarking, onclick: () => this.toggleMarks() }))] : null,
      el("ul", { class: "comments" }, detail.ratings.filter((rating) => rating.comment || rating.stars !== null || rating.pick !== null).map((rating) =>
        el("li", {}, el("span", { class: "caption" }, `${rating.by}${rating.stars === null ? "" : ` ${"★".repeat(rating.stars)}`}${rating.pick === true ? " picked" : rating.pick === false ? " rejected" : ""}`), rating.comment ? ` ${rating.comment}` : ""))),
      this.mayRate ? el("div", { class: "row" }, comment, button("Comment", { onclick: () => this.say({ comment: comment.value || null }) })) : null);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "TEXTAREA") return;
    const isRadio = event.target.type === "radio";
    const shot = this.store.shots.get(this.id);
    const acts = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), z: () => this.zoomAt(null, this.zoom ? 0 : 1),
      f: () => (document.fullscreenElement ? document.exitFullscreen() : this.element.requestFullscreen?.()),
      h: () => this.togglePanel(), j: () => this.toggleMarks(), l: () => this.follow(!this.isFollowing),
      c: () => { this.panel.hidden = false; this.drawPanel().then(() => one("textarea", this.panel)?.focus()); },
    };
    if (this.mayRate) {
      Object.assign(acts, { p: () => this.say({ pick: true }), x: () => this.say({ pick: false }), u: () => this.say({ pick: null }) });
      if (/^[0-5]$/.test(event.key)) acts[event.key] = () => this.say({ stars: Number(event.key) });
    }
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || !shot || (isRadio && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    act();
  }
}

function svg(name, attributes, children = []) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return fill(element, children);
}

// Red, green and blue; of the camera's JPEG, not of the RAW.
export function histogram(counts) {
  const most = Math.max(1, ...counts.slice(1, 255), ...counts.slice(257, 511), ...counts.slice(513, 767));
  const points = (channel) => counts.slice(channel * 256, channel * 256 + 256).map((count, value) => `L${value} ${(96 - Math.min(1, count / most) * 92).toFixed(1)}`).join("");
  return svg("svg", { class: "histogram", viewBox: "0 0 256 96", preserveAspectRatio: "none", role: "img", "aria-label": "Histogram of the camera's picture" },
    ["#ff5f5f", "#5fd75f", "#5f9fff"].map((colour, channel) => svg("path", { d: `M0 96${points(channel)}L255 96Z`, fill: colour, "fill-opacity": ".55" })));
}
