// Returns a PNG of cells, one pixel for each cell. The test runs this file as the body of a function.
const [columns, rows, colors] = arguments, text = atob(colors);
const canvas = document.createElement("canvas");
Object.assign(canvas, { width: columns, height: rows });
const pen = canvas.getContext("2d"), image = pen.createImageData(columns, rows);
for (let i = 0; i < columns * rows; i += 1) {
  for (let channel = 0; channel < 3; channel += 1) image.data[4 * i + channel] = text.charCodeAt(3 * i + channel);
  image.data[4 * i + 3] = 255;
}
pen.putImageData(image, 0, 0);
return canvas.toDataURL("image/png").split(",")[1];
