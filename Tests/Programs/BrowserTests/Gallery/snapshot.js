// Describes the visible document: a line for each element with a text, a name or a state, with its position. The golden
// files of the gallery consist of these lines. The test runs this file as the body of a function, which ends with `return`.
const blocks = "header, nav, main, form, section, aside, footer, dialog, fieldset, ul, ol, li, svg, canvas, img, textarea, input, select, button, a, .stage, .meter, .sheet, .graph";
const lines = [], faults = [];
const modal = [...document.querySelectorAll("dialog[open]")].at(-1);

const ownText = (node) => [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE).map((child) => child.data).join(" ").replace(/\s+/g, " ").trim();
const isUnseen = (node) => !!node.closest(".unseen");

function states(node) {
  const words = [];
  for (const name of ["label", "current", "pressed", "expanded", "invalid", "live", "describedby", "labelledby"]) {
    const value = node.getAttribute(`aria-${name}`);
    if (value !== null) words.push(`${name}=${JSON.stringify(value)}`);
  }
  // The position of a tile in the list is an attribute of the tile's list item.
  const { ariaPosInSet: position, ariaSetSize: total } = node.parentElement;
  if (position) words.push(`${position}/${total}`);
  if (node.disabled) words.push("disabled");
  if (node.checked) words.push("checked");
  if (node.matches(":focus")) words.push("focused");
  if (node.matches("img") && node.alt) words.push(`alt=${JSON.stringify(node.alt)}`);
  if (node.matches("a")) words.push(`href=${JSON.stringify(node.getAttribute("href"))}`);
  if (node.matches("textarea, select, input:not([type])") && node.value) words.push(`value=${JSON.stringify(node.value)}`);
  return words;
}

function describe(node, depth) {
  if (!node.checkVisibility() || node.matches("script, noscript, option, path")) return;
  const text = ownText(node) || node.dataset.text || "", words = states(node);
  const isListed = node.matches(blocks) && !node.matches(".grid li, img[alt='']") || text || words.length;
  if (isListed && isUnseen(node)) {
    if (text) lines.push(`${"  ".repeat(depth)}unseen ${JSON.stringify(text)}`);
  } else if (isListed) {
    const { x, y, width, height } = node.getBoundingClientRect();
    const classes = [...node.classList].filter((name) => name !== "ready").map((name) => `.${name}`).join("");
    const box = `@${Math.round(x)},${Math.round(y)} ${Math.round(width)}x${Math.round(height)}`;
    lines.push([`${"  ".repeat(depth)}${node.localName}${classes}`, ...words, text && JSON.stringify(text), box].filter(Boolean).join(" "));
    check(node, { x, y, width, height });
  }
  for (const child of node.children) describe(child, isListed ? depth + 1 : depth);
}

// Checks the needs of a touch screen: touch targets of at least 44 px, and nothing beyond the edge of the window.
function check(node, { x, width, height }) {
  const target = node.matches("[type=checkbox], [type=radio]") ? node.closest("label") : node.matches("button, .button, select, textarea, input, nav a") ? node : null;
  if (target) {
    const box = target.getBoundingClientRect();
    if (box.height < 43.5 || box.width < 43.5) faults.push(`small: ${node.localName} ${JSON.stringify(node.textContent)} ${Math.round(box.width)}x${Math.round(box.height)}`);
  }
  if (width && (x < -0.5 || x + width > innerWidth + 0.5) && !node.closest(".frame, .stage")) faults.push(`outside: ${node.localName}.${node.className} ${Math.round(x)}+${Math.round(width)}`);
}

describe(modal ?? document.body, 0);
if (document.scrollingElement.scrollWidth > innerWidth) faults.push(`the page is ${document.scrollingElement.scrollWidth} px wide`);
return { lines, faults };
