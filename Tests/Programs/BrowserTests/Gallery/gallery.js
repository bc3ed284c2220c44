// The gallery: draws one sample of the page with the page's own modules and style sheet. The query of the address names the
// sample, as in `?photos`. The document's `data-ready` is set when the sample is drawn.
import { samples } from "./samples.js";
import { serve } from "./service.js";

const root = document.documentElement, name = decodeURIComponent(location.search.slice(1)), sample = samples[name];

// Waits for a condition of the document by polling, because some changes have no event.
const until = (condition) => new Promise((resolve) => {
  const check = () => { if (condition()) resolve(); else setTimeout(check, 20); };
  check();
});

// Returns whether all visible pictures and frames are ready. A picture in a stage is ready when it has loaded. Any other
// picture is ready when it has loaded or failed. A frame of a stage is ready when it contains a picture or has no size.
const isPainted = () => [...document.images].filter((image) => image.src && image.checkVisibility())
  .every((image) => image.complete && (image.naturalWidth || !image.closest(".stage")))
  && [...document.querySelectorAll(".stage .frame")].every((frame) =>
    !frame.checkVisibility() || !frame.style.width || frame.querySelector("img"));

async function draw() {
  localStorage.clear();
  sessionStorage.clear();
  serve(sample);
  history.replaceState(null, "", sample.hash ?? "#/");
  await import("./app.js");
  await until(sample.until);
  if (sample.act) {
    // Waits until the event stream is open and the first drawing is complete.
    await until(() => sample.me || document.querySelector("#bar .success") || document.querySelector(".follow"));
    sample.act();
  }
  await until(sample.then ?? sample.until);
  await until(isPainted);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  root.dataset.ready = name;
}

window.galleryNames = Object.keys(samples);
if (sample) draw();
