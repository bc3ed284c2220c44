// Builds elements. All texts become text nodes: no text is ever parsed as HTML.

// Creates an element: `el("p.caption number", { title: "…" }, child, …)`. The properties may be left out.
export function el(name, props, ...children) {
  const [tag, classes = ""] = name.split(".");
  const node = document.createElement(tag);
  if (classes) node.className = classes;
  if (props?.constructor !== Object) children.unshift(props);
  else for (const [key, value] of Object.entries(props)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  }
  return fill(node, ...children);
}

// The fixed elements of the page.
export const [bar, banner, main, live] = ["bar", "banner", "main", "live"].map((id) => document.getElementById(id));

// Replaces the contents of an element.
export function fill(node, ...children) {
  node.replaceChildren(...children.flat(3).filter(Boolean));
  return node;
}

// Sets the size and the place of an element, in pixels.
export function setStyle({ style }, width, height, x = 0, y = 0) {
  Object.assign(style, { width: `${width}px`, height: `${height}px`, transform: `translate(${x}px, ${y}px)` });
}

// A word with its tone. The style sheet adds the tone's sign.
export const badge = ([word, tone]) => el(`span.badge ${tone}`, word);
export const button = (label, onclick, props) => el("button", { type: "button", onclick, ...props }, label);
export const caption = (...children) => el("p.caption", children);
// A list of names and values. Leaves out a name without a value.
export const facts = (rows) => el("dl.facts", Object.entries(rows).filter(([, value]) => value).map(([name, value]) => [el("dt", name), el("dd", value)]));
export const link = (...parts) => parts.filter(Boolean).join(" · ");

export const number = (value) => Math.round(value).toLocaleString("en");
export const count = (value, noun) => `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
export function size(bytes) {
  const power = Math.min(4, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power ? 1 : 0).replace(".0", "")} ${["B", "kB", "MB", "GB", "TB"][power]}`;
}
export function duration(ms) {
  const seconds = Math.max(0, ms / 1000), [length, unit] = [[86400, "d"], [3600, "h"], [60, "min"]].find(([length]) => seconds >= length) ?? [1, "s"];
  return `${Math.floor(seconds / length)} ${unit}`;
}
export const moment = (time) => new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });

// Settings of this browser. A private window may have no storage.
export function saved(key, fallback) {
  try { return JSON.parse(localStorage.getItem(`framefast.${key}`)) ?? fallback; } catch { return fallback; }
}
export function save(key, value) {
  try { localStorage.setItem(`framefast.${key}`, JSON.stringify(value)); } catch { /* Without storage, the setting is lost at the next reload. */ }
}
