// Builds elements. Texts are always texts: nothing here reads markup.

export function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value == null || value === false && !key.startsWith("aria-")) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") for (const [rule, text] of Object.entries(value)) element.style.setProperty(rule, text);
    else if (["value", "checked", "disabled"].includes(key)) element[key] = value;
    else element.setAttribute(key, value === true && !key.startsWith("aria-") ? "" : value);
  }
  return fill(element, ...children);
}

export const button = (text, properties) => el("button", { type: "button", ...properties }, text);

// Puts these into an element, in the place of what was there: lists of any depth, and nothing for what is none.
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

export const one = (selector, root = document) => root.querySelector(selector);

let spoken = 0, waiting = null;
// Says something to those who listen, at most every five seconds.
export function say(text) {
  clearTimeout(waiting);
  waiting = setTimeout(() => { spoken = Date.now(); one("#said").textContent = text; }, Math.max(0, spoken + 5000 - Date.now()));
}

export function badge(tone, word) {
  const signs = { neutral: "○", info: "●", busy: "◌", success: "✓", warning: "▲", danger: "✗" };
  return el("span", { class: "badge", "data-tone": tone, "data-sign": signs[tone] ?? "○" }, word);
}

export function banner(tone, word, sentence, nextStep) {
  return el("div", { class: "banner", "data-tone": tone, role: tone === "danger" ? "alert" : null }, badge(tone, word),
    el("p", {}, sentence, nextStep ? el("span", { class: "caption" }, ` ${nextStep}`) : null));
}

export const waits = (text) => el("div", { class: "empty", "aria-busy": true }, el("p", {}, text));

export function empty(title, sentence) { return el("div", { class: "empty" }, el("h2", {}, title), el("p", {}, sentence)); }
