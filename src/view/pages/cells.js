// All cells of a run as bytes (docs/formats/view.md, cells.bin): sorted, filtered and counted without a request.
import { scoreBin } from './marks.js';

const STATES_OF_BYTES = { 251: 'error', 252: 'unscored', 253: 'skipped', 254: 'pending', 255: 'unplanned' };
const PARTIAL = 1,
  FLAKY = 2,
  CLAMPED = 4,
  POINT_ERROR = 8,
  FAILED = 16;

/** The state that a byte says. @param {number} byte */
export function stateOfByte(byte) {
  return byte <= 200 ? 'scored' : STATES_OF_BYTES[byte] || 'unplanned';
}

/** @param {number} byte */
export function scoreOfByte(byte) {
  return byte <= 200 ? byte / 200 : null;
}

/** Decodes a layer of times or prices. @param {string} layer @param {number} byte */
export function valueOfLayer(layer, byte) {
  if (byte === 0) return null;
  return layer === 'ms' ? 10 ** (((byte - 1) * 7) / 254) : 10 ** (((byte - 1) * 9) / 254 - 7);
}

/** The cells of one run: rows are cases, columns variants. */
export class Cells {
  /** @param {Uint8Array} bytes @param {Uint8Array | null} bits @param {number} rows @param {number} columns */
  constructor(bytes, bits, rows, columns) {
    this.bytes = bytes;
    this.bits = bits || new Uint8Array(bytes.length);
    this.rows = rows;
    this.columns = columns;
    /** @type {Record<string, Uint8Array>} */
    this.layers = {};
  }

  at(row, column) {
    return this.bytes[row * this.columns + column];
  }
  set(row, column, byte) {
    this.bytes[row * this.columns + column] = byte;
  }
  setBits(row, column, bits) {
    this.bits[row * this.columns + column] = bits;
  }
  /** Whether it is an error, or too few of its attempts pass. @param {number} row @param {number} column */
  hasFailed(row, column) {
    return this.at(row, column) === 251 || (this.bits[row * this.columns + column] & FAILED) !== 0;
  }
  isPartial(row, column) {
    return (this.bits[row * this.columns + column] & PARTIAL) !== 0;
  }
  isFlaky(row, column) {
    return (this.bits[row * this.columns + column] & FLAKY) !== 0;
  }
  isClamped(row, column) {
    return (this.bits[row * this.columns + column] & CLAMPED) !== 0;
  }
  hasPointError(row, column) {
    return (this.bits[row * this.columns + column] & POINT_ERROR) !== 0;
  }

  /** Mean, spread and lowest of each row over these columns, in half points; a row without a score is last. */
  rowFigures(columns) {
    const mean = new Float64Array(this.rows),
      spread = new Float64Array(this.rows),
      lowest = new Uint8Array(this.rows);
    for (let row = 0; row < this.rows; row++) {
      let sum = 0,
        scored = 0,
        low = 255,
        high = 0;
      const start = row * this.columns;
      for (let i = 0; i < columns.length; i++) {
        const byte = this.bytes[start + columns[i]];
        if (byte === 251) low = 0;
        if (byte > 200) continue;
        sum += byte;
        scored++;
        if (byte < low) low = byte;
        if (byte > high) high = byte;
      }
      mean[row] = scored ? sum / scored : Infinity;
      spread[row] = scored > 1 ? high - low : -1;
      lowest[row] = low;
    }
    return { mean, spread, lowest };
  }

  /** How many cells of these columns stand in each step of the score and in each state. */
  tally(columns) {
    const perByte = new Uint32Array(256);
    let partial = 0,
      flaky = 0,
      failed = 0;
    for (let row = 0; row < this.rows; row++) {
      const start = row * this.columns;
      for (let i = 0; i < columns.length; i++) {
        perByte[this.bytes[start + columns[i]]]++;
        const bits = this.bits[start + columns[i]];
        partial += bits & PARTIAL;
        flaky += (bits & FLAKY) >> 1;
        failed += (bits & FAILED) >> 4;
      }
    }
    const bins = [0, 0, 0, 0, 0, 0, 0];
    for (let byte = 0; byte <= 200; byte++) bins[scoreBin(byte / 200)] += perByte[byte];
    failed += perByte[251];
    const states = {};
    for (const [byte, state] of Object.entries(STATES_OF_BYTES)) states[state] = perByte[Number(byte)];
    return { bins, states, partial, flaky, failed };
  }
}

// What may stand behind the colon of filters that know their values.
const VALUES_OF_KEYS = {
  state: ['scored', 'error', 'unscored', 'skipped', 'pending', 'unplanned', 'partial', 'failed'],
  point: ['error'],
  partial: ['yes'],
  flaky: ['yes'],
  clamped: ['yes'],
};

/**
 * A filter as it is typed: words of the case, and tag:, check:, state:, partial:yes, flaky:yes, clamped:yes,
 * point:error, score:<40, ms:>5000, usd:>1, delta:>20 (points between the best and the worst variant), model:NAME
 * (whose columns count) and answer:WORD. `asked` are the parts that only the program knows.
 * @param {string} text
 */
export function parseFilter(text) {
  const filter = { words: [], tests: [], models: [], answers: [], asked: [], unknown: [] };
  for (const part of text.match(/[a-z]+:"[^"]*"|"[^"]*"|\S+/gi) || []) addPart(filter, part);
  return filter;
}

function addPart(filter, part) {
  const match = /^([a-z]+):(.*)$/i.exec(part);
  const key = match ? match[1].toLowerCase() : '';
  const value = (match ? match[2] : part).replace(/^"|"$/g, '');
  if (['score', 'ms', 'usd', 'delta'].includes(key)) {
    const test = comparison(key, value);
    if (test) filter.tests.push(test);
    else filter.unknown.push(part);
  } else if (Object.hasOwn(VALUES_OF_KEYS, key)) {
    if (VALUES_OF_KEYS[key].includes(value)) filter.tests.push({ kind: key, value });
    else filter.unknown.push(part);
  } else if (key === 'tag' || key === 'check') filter.tests.push({ kind: key, value });
  else if (key === 'model') filter.models.push(value.toLowerCase());
  else {
    filter.asked.push(part);
    if (key === 'answer') filter.answers.push(value);
    else filter.words.push((match ? part : value).toLowerCase());
  }
}

function comparison(kind, value) {
  const match = /^(<=|>=|<|>|=)?(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?$/.exec(value);
  if (!match) return null;
  const [, operator = '=', first, last] = match;
  const limit = Number(first);
  const holds =
    last !== undefined
      ? (each) => each >= limit && each <= Number(last)
      : {
          '<': (each) => each < limit,
          '<=': (each) => each <= limit,
          '>': (each) => each > limit,
          '>=': (each) => each >= limit,
          '=': (each) => Math.abs(each - limit) < 0.5,
        }[operator];
  return { kind, holds };
}

// Whether one cell meets one test.
function cellMeets(cells, test, row, column) {
  const byte = cells.at(row, column);
  const layer = cells.layers[test.kind];
  switch (test.kind) {
    case 'state':
      if (test.value === 'partial') return cells.isPartial(row, column);
      if (test.value === 'failed') return cells.hasFailed(row, column);
      return stateOfByte(byte) === test.value || (test.value === 'error' && cells.hasPointError(row, column));
    case 'partial':
      return cells.isPartial(row, column);
    case 'flaky':
      return cells.isFlaky(row, column);
    case 'point':
      return cells.hasPointError(row, column);
    case 'clamped':
      return cells.isClamped(row, column);
    case 'score':
      return byte <= 200 && test.holds(byte / 2);
    case 'bin':
      if (test.layer) {
        const value = test.layer.at(row, [column]);
        return value !== null && test.value.has(test.layer.binOf(value));
      }
      return byte <= 200 && test.value.has(scoreBin(byte / 200));
    default:
      return (
        layer !== undefined &&
        layer[row * cells.columns + column] > 0 &&
        test.holds(valueOfLayer(test.kind, layer[row * cells.columns + column]))
      );
  }
}

/**
 * The rows that a filter keeps: one cell of the chosen columns has to meet all tests of cells.
 * @param {Cells} cells @param {any[]} rows what is said of each case @param {ReturnType<typeof parseFilter>} filter
 * @param {{columns: number[], found?: Set<number> | null, bins?: Set<number>,
 *   layer?: import('./layers.js').Layer | null}} among `bins`: steps of the layer, or of the score
 */
export function filterRows(cells, rows, filter, { columns, found = null, bins = new Set(), layer = null }) {
  const ofRow = filter.tests.filter((test) => ['tag', 'check'].includes(test.kind));
  const ofCell = filter.tests.filter((test) => !['tag', 'check', 'delta'].includes(test.kind));
  const spreads = filter.tests.filter((test) => test.kind === 'delta');
  if (bins.size) ofCell.push({ kind: 'bin', value: bins, layer });
  const figures = spreads.length ? cells.rowFigures(columns) : null;
  const kept = [];
  for (let row = 0; row < cells.rows; row++) {
    const told = rows[row] || {};
    if (found ? !found.has(row) : !holdsWords(told, filter.words)) continue;
    if (!ofRow.every((test) => ((test.kind === 'tag' ? told.tags : told.checks) || []).includes(test.value)))
      continue;
    if (figures && !spreads.every((test) => figures.spread[row] >= 0 && test.holds(figures.spread[row] / 2)))
      continue;
    if (ofCell.length && !columns.some((column) => ofCell.every((test) => cellMeets(cells, test, row, column))))
      continue;
    kept.push(row);
  }
  return kept;
}

function holdsWords(told, words) {
  if (words.length === 0) return true;
  const text = `${told.id} ${told.title || ''} ${(told.tags || []).join(' ')}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** @param {Cells} cells @param {number[]} rows @param {string} order @param {number[]} columns
 * @param {import('./layers.js').Layer | null} [layer] of the order `layer` */
export function sortRows(cells, rows, order, columns, layer = null) {
  if (order === 'suite') return rows;
  const { mean, spread } = cells.rowFigures(columns);
  const key =
    order === 'layer' && layer
      ? (row) => -(layer.at(row, columns) ?? -Infinity)
      : order === 'split'
        ? (row) => -spread[row]
        : (row) => mean[row];
  const keys = new Float64Array(cells.rows);
  for (const row of rows) keys[row] = key(row);
  return rows.slice().sort((a, b) => (keys[a] === keys[b] ? a - b : keys[a] < keys[b] ? -1 : 1));
}
