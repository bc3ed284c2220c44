// The contact sheet. Only the tiles near the view and the focused tile exist. All rows have the same height, so no tile
// is measured.
import { button, el, fill, setStyle } from "./dom.js";
import { flag, hasPicture, label, pictureURL, position, shotOf, store } from "./store.js";

const gap = 8, markHeight = 28, spareRows = 2;

// The tiles in view that need a picture. A browser opens six connections to a host, and one is the event stream: at most
// five pictures load at once.
let waiting = [];
const loading = new Set();

function loadPictures() {
  while (loading.size < 5 && waiting[0]) {
    const tile = waiting.shift();
    loading.add(tile);
    tile.image.src = tile.url;
    tile.isRequested = true;
  }
}
function endPicture(tile) {
  if (loading.delete(tile)) loadPictures();
}
function cancelPicture(tile) {
  tile.isRequested = false;
  tile.image.removeAttribute("src");
  endPicture(tile);
}

// Safari hides the role of a list without bullets from VoiceOver (WebKit bug 170179).
const list = el("ul.grid", { role: "list", ariaLabel: "Photos", onkeydown: onkey, onfocusin: (event) => setFocused(Number(event.target.closest("li").dataset.id)) });
export const sheet = el("div.sheet", { onscroll: schedule }, list);
// `focused` is the shot whose tile the Tab key reaches. `onopen` is called with the shot of a pressed tile.
export const grid = { ids: [], get isAtTop() { return sheet.scrollTop < 24; } };

const tiles = new Map();
let indexes = new Map(), columns, width, height, row, frame, shape = 1;
new ResizeObserver(resize).observe(sheet);

// Shows shots. With `isNew`, for a new list or filter, scrolls to the top and chooses the tiles' shape again.
export function showTiles(ids, isNew) {
  grid.ids = ids;
  indexes = new Map(ids.map((id, index) => [id, index]));
  if (isNew) {
    const sample = ids.slice(0, 500).map(shotOf);
    sheet.scrollTop = 0;
    shape = sample.filter(({ width, height }) => height > width).length > sample.length / 5 ? 1 : 0.7;
  }
  if (!indexes.has(grid.focused)) grid.focused = ids[0];
  resize();
}

function resize() {
  const space = list.clientWidth, before = width;
  if (!space) return;
  columns = Math.max(2, Math.floor((space + gap) / ((space < 500 ? 88 : space < 1200 ? 168 : space < 2400 ? 208 : 320) + gap)));
  width = (space - gap * (columns - 1)) / columns;
  height = Math.round(width * shape);
  row = height + markHeight + gap;
  list.style.height = `${Math.ceil(grid.ids.length / columns) * row}px`;
  // Wide tiles have longer marks.
  if (width !== before) updateTiles();
  render();
}

function schedule() {
  frame ||= requestAnimationFrame(() => { frame = 0; render(); });
}

function render() {
  if (!row) return;
  const { ids, focused } = grid;
  const { scrollTop, clientHeight } = sheet;
  const first = Math.max(0, Math.floor(scrollTop / row) - spareRows) * columns;
  const wanted = new Set(ids.slice(first, (Math.ceil((scrollTop + clientHeight) / row) + spareRows) * columns));
  // The focused tile always exists, so the focus is never lost.
  if (indexes.has(focused)) wanted.add(focused);
  for (const [id, tile] of tiles) if (!wanted.has(id)) { cancelPicture(tile); tile.item.remove(); tiles.delete(id); }
  for (const id of wanted) place(tiles.get(id) ?? create(id), id);
  waiting = [...wanted].map((id) => tiles.get(id)).filter((tile) => tile.url && !tile.isRequested);
  loadPictures();
}

function create(id) {
  const image = el("img", { alt: "", draggable: false, decoding: "async" }), marks = el("span.marks", { ariaHidden: "true" }), box = el("span.photo", image);
  const open = button([box, marks], () => grid.onopen(id), { className: "tile" }), item = el("li", open), tile = { image, marks, box, open, item };
  image.onload = () => {
    image.className = "ready";
    endPicture(tile);
  };
  // The service may not have made the preview yet.
  image.onerror = () => {
    endPicture(tile);
    if (++tile.tries > 3) box.dataset.text = "No preview";
    else setTimeout(() => { tile.isRequested = false; schedule(); }, 2000 * tile.tries);
  };
  item.dataset.id = id;
  tiles.set(id, tile);
  drawTile(tile, id);
  list.append(item);
  return tile;
}

function place({ open, item, box }, id) {
  const index = indexes.get(id), shot = shotOf(id), ratio = shot.width ? shot.width / shot.height : 1.5, w = Math.min(width, height * ratio);
  open.tabIndex = id === grid.focused ? 0 : -1;
  Object.assign(item, { ariaSetSize: grid.ids.length, ariaPosInSet: index + 1 });
  setStyle(item, width, row - gap, (index % columns) * (width + gap), Math.floor(index / columns) * row);
  setStyle(box, w, w / ratio);
}

function drawTile(tile, id) {
  const shot = shotOf(id), { flags, stars, pick } = shot, mark = (name, text) => el(`span.${name}`, text);
  const isDelivered = flags & flag.delivered && width >= 150 && store.me.role === "owner", isWide = width >= (isDelivered ? 240 : 150);
  tile.open.ariaLabel = label(shot, position(id));
  tile.open.classList.toggle("rejected", pick === false);
  fill(tile.marks, pick === true && mark("success", "✓"), pick === false && mark("danger", "✗"),
    stars > 0 && mark("stars", isWide ? "★".repeat(stars) : `${stars}★`), flags & flag.comment && mark("info", "✎"), mark("space", ""),
    flags & flag.damaged ? mark("danger", "Damaged") : isDelivered && mark("success", "Delivered"),
    flags & flag.movie ? mark("form", "Movie") : flags & flag.raw && mark("form", flags & flag.jpeg && isWide ? "RAW+JPEG" : "RAW"));
  const url = hasPicture(shot) ? pictureURL(shot, 512) : "";
  tile.box.style.backgroundColor = url && shot.color;
  tile.box.dataset.text = url ? "" : shot.revision ? "No preview" : "Saving …";
  if (tile.url === url) return;
  cancelPicture(tile);
  tile.image.className = "";
  Object.assign(tile, { url, tries: 0 });
}

// Draws a shot again after a change.
export function updateTile(id) {
  const tile = tiles.get(id);
  if (!tile) return;
  drawTile(tile, id);
  schedule();
}
export const updateTiles = () => [...tiles.keys()].filter(shotOf).forEach(updateTile);

function setFocused(id) {
  grid.focused = id;
  for (const [other, { open }] of tiles) open.tabIndex = other === id ? 0 : -1;
}

function reveal(id) {
  const y = Math.floor(indexes.get(id) / columns) * row, { scrollTop, clientHeight } = sheet;
  if (y < scrollTop) sheet.scrollTop = y;
  else if (y + row > scrollTop + clientHeight) sheet.scrollTop = y + row - clientHeight + gap;
}

export function focusTile(id = grid.focused) {
  if (!indexes.has(id)) id = grid.ids[0];
  if (id === undefined) return;
  setFocused(id);
  reveal(id);
  render();
  tiles.get(id).open.focus({ preventScroll: true });
}

function onkey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { ids } = grid, by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
  const target = event.key === "Home" ? 0 : event.key === "End" ? ids.length - 1 : indexes.get(grid.focused) + by;
  if (isNaN(target)) return;
  event.preventDefault();
  if (target in ids) focusTile(ids[target]);
}
