// What is too bright or too dark to show anything, marked on the picture itself: of the camera's JPEG, not of the RAW.

// Levels of the brightest colour of a pixel; and marks, as a canvas keeps them: alpha, blue, green, red.
const BRIGHT = 254, DARK = 1, BRIGHT_MARK = 0xff3030ff, DARK_MARK = 0xffff8040;
// Longest side that is looked at, in pixels.
const SIDE = 1600;

// Draws the marks for a picture that has come. The nearest pixel stands for its neighbours: a mean would hide small spots.
export function mark(canvas, image) {
  const scale = Math.min(1, SIDE / Math.max(image.naturalWidth, image.naturalHeight));
  canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height), { data } = pixels, marks = new Uint32Array(data.buffer);
  for (let at = 0; at < marks.length; at += 1) {
    const most = Math.max(data[4 * at], data[4 * at + 1], data[4 * at + 2]);
    marks[at] = most >= BRIGHT ? BRIGHT_MARK : most <= DARK ? DARK_MARK : 0;
  }
  context.putImageData(pixels, 0, 0);
}

// How much of a histogram is at its ends, in words; of the colour that has most of it there.
export function share(counts) {
  const channels = [0, 256, 512].map((start) => counts.slice(start, start + 256));
  const all = channels[0].reduce((sum, count) => sum + count, 0) || 1;
  const most = (first, second) => `${(100 * Math.max(...channels.map((levels) => levels[first] + levels[second])) / all).toFixed(1)} %`;
  return `Clipped: ${most(255, BRIGHT)} bright, ${most(0, DARK)} dark`;
}
