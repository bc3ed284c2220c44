// One photo, as large as possible: 512 px first, then the screen size, and the original when zoomed. The next photo opens at
// the same place and zoom, to compare the focus of a series.
import { el, fill, setStyle } from "./dom.js";
import { hasPicture, pictureURL } from "./store.js";

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

// Returns a stage. `onzoom` is called after a change of the zoom, `onpaint` after a sharper picture, `onstep` with -1 or 1
// after a swipe. Without `onzoom`, the stage ignores gestures.
export function makeStage({ onzoom, onpaint, onstep, hasOriginals } = {}) {
  const pointers = new Map(), frame = el("div.frame"), message = el("p.lead");
  const node = el("div.stage", { onpointerdown: down, onpointermove: move, onpointerup: up, onpointercancel: up }, frame, message);
  node.addEventListener("wheel", wheel, { passive: false });
  new ResizeObserver(layout).observe(node);
  // `box` is the photo's place in the view. `center` is the place in the photo that is in the middle of the view.
  let zoom = 0, level = 0, center = { x: .5, y: .5 }, shot, alt, shown, image, overlay, box, start, pinch, tapped = 0, wheeled = 0;

  function show(newShot, newAlt = "") {
    const key = newShot && [newShot.id, newShot.revision, !newShot.width, hasPicture(newShot)].join();
    alt = newAlt;
    if (image) image.alt = alt;
    if (key === shown) return;
    shown = key;
    shot = newShot && { ...newShot };
    level = 0;
    const isEmpty = !hasPicture(shot);
    fill(message, isEmpty && shot && (shot.revision ? "No preview for this file." : "Saving …"));
    frame.hidden = isEmpty;
    if (isEmpty) return fill(frame);
    overlay?.remove();
    frame.style.backgroundColor = shot.color;
    layout();
    paint(1, "512");
    paint(2, "screen");
    sharpen();
  }

  // Loads a picture. Shows the decoded picture, unless a sharper picture is already shown.
  async function paint(newLevel, form, tries = 1) {
    const mine = shot, picture = el("img", { alt, draggable: false, src: pictureURL(shot, form) });
    try { await picture.decode(); } catch {
      // The service may not have made the preview yet.
      if (shot !== mine) return;
      if (!level) fill(message, tries < 5 ? "Loading …" : "This photo does not load. Check the connection.");
      if (tries < 5) setTimeout(() => { if (shot === mine && level < newLevel) paint(newLevel, form, tries + 1); }, 2000 * tries);
      return;
    }
    if (shot !== mine || level >= newLevel) return;
    level = newLevel;
    fill(message);
    if (!shot.width) Object.assign(shot, { width: picture.naturalWidth, height: picture.naturalHeight });
    image = picture;
    fill(frame, image);
    layout();
    onpaint?.(level);
  }

  function sharpen() {
    if (zoom && level < 3 && hasPicture(shot) && hasOriginals?.()) paint(3, "full");
  }

  // Returns the scale at which the whole photo is visible, in CSS pixels a photo pixel.
  const fit = () => Math.min(node.clientWidth / shot.width, node.clientHeight / shot.height);

  function layout() {
    node.classList.toggle("zoomed", zoom);
    if (!shot?.width) return;
    // 100 % is one pixel of the photo on one pixel of the screen.
    const scale = Math.max(fit(), zoom / devicePixelRatio), w = shot.width * scale, h = shot.height * scale;
    const place = (part, size, space) => size <= space ? (space - size) / 2 : clamp(space / 2 - part * size, space - size, 0);
    box = { w, h, x: place(center.x, w, node.clientWidth), y: place(center.y, h, node.clientHeight) };
    setStyle(frame, w, h, box.x, box.y);
  }

  // Changes the zoom. The part of the photo at `point` stays there.
  function setZoom(newZoom, point) {
    if (!box) return;
    const place = point && at(point);
    zoom = newZoom;
    layout();
    if (point) centerOn(place.x + (node.clientWidth / 2 - point.x) / box.w, place.y + (node.clientHeight / 2 - point.y) / box.h);
    sharpen();
    onzoom(zoom);
  }

  function centerOn(x, y) {
    center = { x: clamp(x, 0, 1), y: clamp(y, 0, 1) };
    layout();
  }

  function pan(dx, dy) {
    if (zoom && box) centerOn(center.x - dx / box.w, center.y - dy / box.h);
  }

  // Returns the place in the photo, 0...1, at a point of the view.
  const at = ({ x, y }) => ({ x: (x - box.x) / box.w, y: (y - box.y) / box.h });

  function pointOf({ clientX, clientY }) {
    const { left, top } = node.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  function spread() {
    const [a, b] = [...pointers.values()];
    return { length: Math.hypot(a.x - b.x, a.y - b.y) || 1, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  }

  function down(event) {
    if (event.button || !box || !onzoom) return;
    node.setPointerCapture(event.pointerId);
    const point = pointOf(event);
    pointers.set(event.pointerId, point);
    if (pointers.size === 1) start = point;
    else pinch = { length: spread().length, zoom: zoom || fit() * devicePixelRatio };
  }

  function move(event) {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = pointOf(event);
    pointers.set(event.pointerId, now);
    if (pointers.size === 2) {
      const fingers = spread(), wanted = Math.min(4, pinch.zoom * fingers.length / pinch.length);
      setZoom(wanted / devicePixelRatio <= fit() * 1.02 ? 0 : wanted, fingers);
    } else if (start.isMoved || Math.hypot(now.x - start.x, now.y - start.y) > 8) {
      start.isMoved = true;
      pan(now.x - before.x, now.y - before.y);
    }
  }

  function up({ pointerId, pointerType, timeStamp, type }) {
    const point = pointers.get(pointerId), wasPinch = pinch;
    if (!pointers.delete(pointerId) || pointers.size) return;
    pinch = null;
    if (wasPinch || type === "pointercancel") return;
    const dx = point.x - start.x, dy = point.y - start.y;
    if (start.isMoved) {
      if (!zoom && pointerType !== "mouse" && Math.abs(dx) > Math.max(48, 2 * Math.abs(dy))) onstep(dx < 0 ? 1 : -1);
      return;
    }
    const isDouble = timeStamp - tapped < 350, place = at(point);
    tapped = isDouble ? 0 : timeStamp;
    if (isDouble) setZoom(zoom ? 0 : 1, point);
    // In a zoomed photo, a tap moves the tapped place to the middle.
    else if (zoom) centerOn(place.x, place.y);
  }

  function wheel(event) {
    if (!box || !onzoom) return;
    event.preventDefault();
    if (event.timeStamp - wheeled < 150) return;
    wheeled = event.timeStamp;
    const wanted = event.deltaY < 0 ? (zoom < 1 ? 1 : 2) : zoom > 1 ? 1 : 0;
    if (wanted !== zoom) setZoom(wanted, pointOf(event));
  }

  // Marks the pixels without detail: highlights red, shadows blue. Examines a picture of at least the screen size, in which
  // small highlights are still visible.
  function clip(isOn) {
    overlay?.remove();
    if (!isOn || level < 2) return;
    const { naturalWidth: w, naturalHeight: h } = image, share = Math.min(1, 2048 / Math.max(w, h));
    overlay = el("canvas", { width: w * share, height: h * share });
    const { width, height } = overlay, pen = overlay.getContext("2d");
    pen.drawImage(image, 0, 0, width, height);
    const picture = pen.getImageData(0, 0, width, height), pixels = new Uint32Array(picture.data.buffer);
    pixels.forEach((pixel, i) => {
      const most = Math.max(pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255);
      pixels[i] = most >= 254 ? 0xFF2626E6 : most <= 1 ? 0xFFF08228 : 0;
    });
    pen.putImageData(picture, 0, 0);
    frame.append(overlay);
  }

  return { node, show, setZoom, pan, clip, get zoom() { return zoom; } };
}
