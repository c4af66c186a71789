// What cells of the map show beside scores: times, prices, the spread of attempts; each on seven steps of the same
// scale of light, the most darkest.
import { valueOfLayer } from './cells.js';
import { duration, inPoints, money, points } from './format.js';

const LAYER_STEPS = 7;

/** What a layer is called, and which end of it is dark. */
export const LAYERS = {
  ms: { text: 'times', unit: 'seconds an answer', dark: 'slow; pale: fast', first: 'slowest first' },
  usd: { text: 'prices', unit: 'price of the answers', dark: 'dear; pale: cheap', first: 'dearest first' },
  spread: {
    text: 'spread of attempts',
    unit: 'points, standard deviation of a cell’s attempts',
    dark: 'wide; pale: none',
    first: 'widest first',
  },
};

const valueOf = (name, byte) => (name === 'spread' ? (byte > 200 ? null : byte / 200) : valueOfLayer(name, byte));

// Two digits: 0.42, 4.2, 42.
const twoDigits = (value) => (value >= 9.95 ? String(Math.round(value)) : String(Number(value.toPrecision(2))));

/**
 * @typedef {{name: string, note: string, at: (row: number, columns: number[]) => number | null,
 *   binOf: (value: number) => number, figure: (value: number) => string, words: (value: number) => string,
 *   steps: string[], tally: (rows: number, columns: number[]) => number[]}} Layer
 */

/**
 * A layer as the map asks for it.
 * @param {'ms' | 'usd' | 'spread'} name @param {Uint8Array} bytes @param {number} width variants of the run
 * @returns {Layer}
 */
export function layerOf(name, bytes, width) {
  let least = Infinity,
    most = 0;
  const seen = new Uint8Array(256);
  for (let at = 0; at < bytes.length; at++) seen[bytes[at]] = 1;
  for (let byte = 0; byte < 256; byte++) {
    const value = seen[byte] ? valueOf(name, byte) : null;
    if (value === null) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const isLinear = name === 'spread';
  const place = isLinear ? (value) => value : Math.log;
  const from = isLinear ? 0 : place(least),
    size = (place(most) - from) / LAYER_STEPS || 1;
  // Prices in the power of ten that gives most figures two digits.
  const unit = name === 'usd' ? 10 ** Math.floor(Math.log10(Math.sqrt(least * most) || 1)) : 1;
  const figure = {
    ms: (value) => twoDigits(value / 1000),
    usd: (value) => twoDigits(value / unit),
    spread: (value) => points(value),
  }[name];
  const stepOf = (value) => Math.floor((place(value) - from) / size);
  const binOf = (value) => LAYER_STEPS - 1 - Math.max(0, Math.min(LAYER_STEPS - 1, stepOf(value)));
  const at = (row, columns) => {
    let sum = 0,
      known = 0;
    for (let i = 0; i < columns.length; i++) {
      const value = valueOf(name, bytes[row * width + columns[i]]);
      if (value === null) continue;
      sum += value;
      known++;
    }
    return known ? sum / known : null;
  };
  const words = { ms: duration, usd: money, spread: (value) => `${inPoints(points(value))} of spread` }[name];
  const isKnown = least <= most,
    isFlat = isKnown && most - least < 1e-12;
  const figures = unit === 1 ? '' : `, figures in $${unit.toFixed(Math.max(0, -Math.log10(unit)))}`;
  const bound = (step) => (isLinear ? from + step * size : Math.exp(from + step * size));
  return {
    name,
    note: !isKnown
      ? 'nothing is known of it'
      : `${LAYERS[name].unit}${figures}${isFlat ? `: ${words(most)} everywhere` : ''}`,
    at,
    binOf,
    figure,
    words,
    steps:
      !isKnown || isFlat
        ? []
        : Array.from({ length: LAYER_STEPS }, (_, bin) => `from ${figure(bound(LAYER_STEPS - 1 - bin))}`),
    tally(rows, columns) {
      const bins = new Array(LAYER_STEPS).fill(0);
      for (let row = 0; row < rows; row++) {
        for (let i = 0; i < columns.length; i++) {
          const value = valueOf(name, bytes[row * width + columns[i]]);
          if (value !== null) bins[binOf(value)]++;
        }
      }
      return bins;
    },
  };
}
