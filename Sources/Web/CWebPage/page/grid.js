// The contact sheet. Only what is seen, and two rows on either side of it, is in the document.
import { el } from "./dom.js";
import { picture } from "./api.js";
import { label } from "./store.js";

const GAP = 8, SPARE_ROWS = 2, CAPTION = 28, WIDTH = 150, AT_ONCE = 5;

export class Grid {
  constructor(store, { open, key }) {
    Object.assign(this, { store, openShot: open, key, tiles: new Map(), focus: null, loading: 0, wanted: [] });
    this.element = el("ul", {
      class: "sheet", role: "list", "aria-label": "Photos", onkeydown: (event) => this.press(event),
      onfocusin: (event) => { this.focus = Number(event.target.dataset?.id) || this.focus; },
    });
    this.draw = this.draw.bind(this);
    let due = false;
    this.later = () => {
      if (due) return;
      due = true;
      requestAnimationFrame(() => { due = false; this.draw(); });
    };
    addEventListener("scroll", this.later, { passive: true });
    new ResizeObserver(this.later).observe(this.element);
  }

  measure() {
    const width = this.element.clientWidth;
    this.columns = Math.max(1, Math.floor((width + GAP) / (WIDTH + GAP)));
    this.size = (width - (this.columns - 1) * GAP) / this.columns;
    this.height = Math.round(this.size * 2 / 3) + CAPTION;
  }

  // Draws what is seen now.
  draw() {
    if (!this.element.isConnected || !this.element.clientWidth) return;
    this.measure();
    const ids = this.ids = this.store.list();
    const rows = Math.ceil(ids.length / this.columns), step = this.height + GAP;
    this.element.style.height = `${Math.max(0, rows * step - GAP)}px`;
    const top = this.element.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(-top / step) - SPARE_ROWS);
    const last = Math.min(rows, Math.ceil((innerHeight - top) / step) + SPARE_ROWS);
    const shown = new Set(ids.slice(first * this.columns, last * this.columns));
    // What has the focus stays, wherever it is.
    if (this.focus !== null && this.store.shots.has(this.focus) && document.activeElement?.dataset?.id === String(this.focus)) shown.add(this.focus);
    for (const [id, tile] of this.tiles) if (!shown.has(id)) { tile.remove(); this.tiles.delete(id); }
    const place = new Map(ids.slice(first * this.columns, last * this.columns).map((id, index) => [id, first * this.columns + index]));
    for (const id of shown) {
      const index = place.get(id) ?? ids.indexOf(id);
      if (index >= 0) this.tile(id, index, step);
    }
    const stop = this.focus !== null && shown.has(this.focus) ? this.focus : ids[first * this.columns] ?? ids[0];
    for (const [id, tile] of this.tiles) tile.tabIndex = id === stop ? 0 : -1;
  }

  tile(id, index, step) {
    const shot = this.store.shots.get(id);
    const mark = `${shot.version} ${shot.stars} ${shot.pick} ${shot.comments} ${shot.width} ${shot.colour}`;
    let tile = this.tiles.get(id);
    if (!tile) {
      tile = el("li", { class: "tile", role: "listitem", "data-id": id, onclick: () => this.openShot(id) });
      this.tiles.set(id, tile);
      this.element.append(tile);
    }
    const [row, column] = [Math.floor(index / this.columns), index % this.columns];
    tile.style.width = `${this.size}px`;
    tile.style.height = `${this.height}px`;
    tile.style.transform = `translate(${column * (this.size + GAP)}px, ${row * step}px)`;
    tile.setAttribute("aria-setsize", this.ids.length);
    tile.setAttribute("aria-posinset", index + 1);
    if (tile.dataset.mark === mark) return;
    tile.dataset.mark = mark;
    tile.dataset.pick = shot.pick === -1 || shot.stars === -1 ? -1 : shot.pick;
    tile.setAttribute("aria-label", label(shot));
    const old = tile.querySelector("img");
    const isSame = old && old.dataset.version === shot.version;
    tile.style.background = shot.colour ? `#${shot.colour}` : "";
    tile.replaceChildren(
      isSame ? old : shot.version ? this.image(shot) : noPreview(),
      el("span", { class: "marks", "aria-hidden": true },
        el("span", { class: "one-line" }, shot.name),
        el("span", {}, shot.pick === 1 ? "✓ " : tile.dataset.pick === "-1" ? "✗ " : "", shot.stars > 0 ? `★${shot.stars}` : "", shot.comments ? " ✎" : "", kinds(shot))));
  }

  image(shot) {
    const image = el("img", {
      alt: "", decoding: "async", draggable: "false", "data-version": shot.version, onload: () => this.loaded(),
      onerror: () => {
        this.loaded();
        if (image.isConnected) image.replaceWith(noPreview());
      },
    });
    this.wanted.push([image, picture(shot, 512)]);
    this.fetchSome();
    return image;
  }

  // A browser has six connections, and one of them is for events.
  fetchSome() {
    while (this.loading < AT_ONCE && this.wanted.length) {
      // The last wish is what is seen now.
      const [image, address] = this.wanted.pop();
      if (!image.isConnected && image.parentNode) continue;
      this.loading += 1;
      image.src = address;
    }
  }

  loaded() {
    this.loading = Math.max(0, this.loading - 1);
    this.wanted = this.wanted.filter(([image]) => image.isConnected);
    this.fetchSome();
  }

  // Goes to a shot: it is seen, and has the focus.
  go(id, { focus = true } = {}) {
    const index = this.store.list().indexOf(id);
    if (index < 0) return;
    this.focus = id;
    this.measure();
    const step = this.height + GAP, head = 72;
    const top = this.element.getBoundingClientRect().top + Math.floor(index / this.columns) * step;
    if (top < head) scrollBy(0, top - head);
    else if (top + this.height > innerHeight) scrollBy(0, top + this.height - innerHeight + GAP);
    this.draw();
    if (focus) {
      if (!this.tiles.has(id)) this.tile(id, index, step);
      this.tiles.get(id).tabIndex = 0;
      this.tiles.get(id).focus({ preventScroll: true });
    }
  }

  press(event) {
    const ids = this.store.list(), here = ids.indexOf(this.focus);
    const page = Math.max(1, Math.floor(innerHeight / (this.height + GAP))) * this.columns;
    const steps = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns, PageUp: -page, PageDown: page,
      Home: -ids.length, End: ids.length,
    };
    if (event.ctrlKey || event.metaKey || event.altKey || here < 0) return;
    if (event.key in steps) {
      event.preventDefault();
      this.go(ids[Math.min(ids.length - 1, Math.max(0, here + steps[event.key]))]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.openShot(this.focus);
    } else if (this.key(event.key, this.focus)) event.preventDefault();
  }
}

const noPreview = () => el("span", { class: "none" }, "No preview");

const kinds = (shot) => (shot.kind.includes("+") ? " RAW+J" : /^(jpe?g|heic|hif)$/.test(shot.kind) ? "" : ` ${shot.kind.toUpperCase()}`);
