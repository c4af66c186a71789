// A picture as a PNG of at most 256 colours: a third of the size, and no eye sees the difference on these pages.
import { deflateSync } from 'node:zlib';

const COLOURS_MAX = 256;

const FREQUENT = 80; // colours that are there for their number alone
const parts = (colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];

function nearest(known, colour) {
  const [red, green, blue] = parts(colour);
  let at = -1,
    distance = Infinity;
  known.forEach(([r, g, b], index) => {
    const each = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (each < distance) [at, distance] = [index, each];
  });
  return { at, distance };
}

// The most frequent colours, and of the others those that are unlike all before; each colour goes to the nearest.
function paletteOf(pixels) {
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) || 0) + 1);
  const order = [...counts.entries()].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([colour]) => colour);
  const known = order.slice(0, FREQUENT).map(parts);
  for (const unlike of [900, 200, 60, 0]) {
    for (const colour of order) {
      if (known.length < COLOURS_MAX && nearest(known, colour).distance > unlike) known.push(parts(colour));
    }
  }
  return { known, index: new Map(order.map((colour) => [colour, nearest(known, colour).at])) };
}

const CRC_TABLE = Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum >>> 0;
});
function crc32(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ CRC_TABLE[(sum ^ byte) & 255];
  return (sum ^ 0xffffffff) >>> 0;
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const size = Buffer.alloc(4),
    sum = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}

/** @param {number} width @param {number} height @param {Uint8Array} rgba */
export function smallPng(width, height, rgba) {
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < pixels.length; at++)
    pixels[at] = rgba[4 * at] | (rgba[4 * at + 1] << 8) | (rgba[4 * at + 2] << 16);
  const { known, index } = paletteOf(pixels);
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = index.get(pixels[y * width + x]);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8); // 8 bits, a palette
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(known.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
