// What the cells of the matrix show: a score or a layer's value, its step of light, its words.
import { stateOfByte } from './cells.js';
import { points } from './format.js';
import { scoreBin, STATE_MARKS } from './marks.js';

/** The step of a row without a value. */
export const NO_BIN = 255;

/**
 * @typedef {{label: string, name: string, columns: number[], group: string, levels: string[]}} Column
 * @typedef {{value: number | null, bin: number | null, text: string, said?: string, state: string,
 *   partial: boolean}} Cell `value` is what rows are averaged of, `bin` its step of light
 */

/**
 * What a column shows of a row: the mean of its variants that have a score, else the state of the first; of a layer
 * what that says.
 * @param {import('./cells.js').Cells} cells @param {number} row @param {{columns: number[]}} column
 * @param {import('./layers.js').Layer | null} layer @returns {Cell}
 */
export function cellOf(cells, row, { columns }, layer) {
  let sum = 0,
    scored = 0,
    partial = false,
    state = 'unplanned';
  for (const column of columns) {
    const byte = cells.at(row, column);
    partial = partial || cells.isPartial(row, column);
    if (byte <= 200) {
      sum += byte;
      scored++;
    } else if (state === 'unplanned' || byte === 251) state = stateOfByte(byte);
  }
  if (layer) return cellOfLayer(layer, layer.at(row, columns), { state, isScored: scored > 0 });
  if (scored === 0) return { value: null, bin: null, text: '', state, partial };
  const value = sum / scored / 200;
  return { value, bin: scoreBin(value), text: points(value), state: 'scored', partial };
}

function cellOfLayer(layer, value, { state, isScored }) {
  return value === null
    ? { value, bin: null, text: '', state: isScored ? 'unknown' : state, partial: false }
    : { value, bin: layer.binOf(value), text: layer.figure(value), said: layer.words(value), state, partial: false };
}

/** A cell in words. @param {Cell} cell */
export function wordsOfCell(cell) {
  const said = cell.value === null ? (STATE_MARKS[cell.state] || STATE_MARKS.missing).word : cell.said || cell.text;
  return cell.partial ? `${said}, partial` : said;
}

/** The darkest step of each row. @param {import('./cells.js').Cells} cells @param {number[]} columns
 * @param {import('./layers.js').Layer | null} layer */
export function overviewBins(cells, columns, layer) {
  const bins = new Uint8Array(cells.rows).fill(NO_BIN);
  if (!layer) {
    const { lowest } = cells.rowFigures(columns);
    for (let row = 0; row < cells.rows; row++) if (lowest[row] <= 200) bins[row] = scoreBin(lowest[row] / 200);
    return bins;
  }
  for (let row = 0; row < cells.rows; row++) {
    for (const column of columns) {
      const value = layer.at(row, [column]);
      if (value !== null) bins[row] = Math.min(bins[row], layer.binOf(value));
    }
  }
  return bins;
}

/** The darkest step of the rows that one of `height` pixels stands for: a failure is never averaged away.
 * @param {Uint8Array} bins @param {number[]} rows @param {number} y @param {number} height */
export function darkestAt(bins, rows, y, height) {
  const from = Math.floor((y * rows.length) / height),
    to = Math.max(from + 1, Math.floor(((y + 1) * rows.length) / height));
  let low = NO_BIN;
  for (let index = from; index < to && index < rows.length; index++) low = Math.min(low, bins[rows[index]]);
  return low;
}

/** The mean of a row, as its column shows it. @param {Cell[]} shown
 * @param {import('./layers.js').Layer | null} layer */
export function meanText(shown, layer) {
  const values = shown.flatMap((cell) => (cell.value === null ? [] : [cell.value]));
  if (values.length === 0) return '–';
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
  return layer ? layer.figure(mean) : points(mean, 1);
}
