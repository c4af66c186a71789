// What the reader chose of the map: filter, order, layer, steps of light, marked variants. Knows no element.
import { filterRows, parseFilter, sortRows } from './cells.js';
import { LAYERS } from './layers.js';

const FIRST_ORDER = 'hard';
const ORDERS = [
  [FIRST_ORDER, 'hardest first'],
  ['split', 'most disagreement first'],
  ['suite', 'order of the suite'],
];
// Of what cells show: the rows with most of it first.
const LAYER_ORDER = 'layer';
const COMPARED_AT_ONCE = 2;

/** The state of the map, as its address has it. */
export class WhereView {
  /** @param {Record<string, string>} query */
  constructor(query) {
    this.filterText = query.q || '';
    this.order = query.order || FIRST_ORDER;
    this.asTable = query.as === 'table';
    /** @type {Set<number>} steps of light that are kept, by their numbers */
    this.bins = new Set((query.bins || '').split(',').filter((each) => /^[0-6]$/.test(each)).map(Number));
    /** @type {Set<number> | null} rows in which the program found the words of the filter */
    this.found = null;
    /** @type {import('./layers.js').Layer | null} */
    this.layer = null;
    /** @type {string[]} ids of variants */
    this.marked = [];
  }

  filter() {
    return parseFilter(this.filterText);
  }

  isFiltered() {
    return this.bins.size > 0 || this.filterText !== '';
  }

  /** The orders that there are now: [value, text]. */
  orders() {
    return this.layer ? [...ORDERS, [LAYER_ORDER, LAYERS[this.layer.name].first]] : ORDERS;
  }

  /** Goes to the next order, and says which it is. */
  turnOrder() {
    const orders = this.orders();
    const [order, text] = orders[(orders.findIndex(([each]) => each === this.order) + 1) % orders.length];
    this.order = order;
    return text;
  }

  /** The order for the address, which leaves out the first. */
  orderInAddress() {
    return this.order === FIRST_ORDER ? '' : this.order;
  }

  /** What cells show from now on. @param {import('./layers.js').Layer | null} layer */
  setLayer(layer) {
    this.layer = layer;
    if (!layer && this.order === LAYER_ORDER) this.order = FIRST_ORDER;
  }

  /** @param {number} bin */
  toggleBin(bin) {
    if (!this.bins.delete(bin)) this.bins.add(bin);
  }

  binsInAddress() {
    return [...this.bins].sort().join(',');
  }

  /** Marks a variant, or takes the mark away; the last two stay. @param {string} id */
  toggleMark(id) {
    if (this.marked.includes(id)) this.marked.splice(this.marked.indexOf(id), 1);
    else this.marked.push(id);
    if (this.marked.length > COMPARED_AT_ONCE) this.marked.shift();
  }

  /** The two that are compared: one that is marked alone, with the first of the ranking. @param {string[]} ranking */
  pair(ranking) {
    const first = ranking.find((id) => !this.marked.includes(id));
    return this.marked.length === 1 ? [this.marked[0], first] : [...this.marked];
  }

  /** The rows that are shown, in their order. @param {import('./cells.js').Cells} cells @param {any[]} rows
   * @param {number[]} columns */
  shownOf(cells, rows, columns) {
    const { found, bins, layer } = this;
    const kept = filterRows(cells, rows, this.filter(), { columns, found, bins, layer });
    return sortRows(cells, kept, this.order, columns, layer);
  }
}

/** A filter with this tag in the place of others; '' is any. @param {string} text @param {string} tag */
export function withTag(text, tag) {
  const without = text.replace(/(^|\s)tag:("[^"]*"|\S+)/g, '').trim();
  const written = /\s/.test(tag) ? `"${tag}"` : tag;
  return tag ? `${without}${without && ' '}tag:${written}` : without;
}

/** The mean of each tag's cells, the lowest first. @param {import('./cells.js').Cells} cells @param {any[]} rows
 * @param {number[]} columns */
export function tagMeansOf(cells, rows, columns) {
  const { mean } = cells.rowFigures(columns);
  const ofTags = new Map();
  rows.forEach((each, row) => {
    for (const tag of each.tags || [])
      if (mean[row] < Infinity) ofTags.set(tag, [...(ofTags.get(tag) || []), mean[row] / 200]);
  });
  return [...ofTags.entries()]
    .map(([tag, means]) => ({
      tag,
      cases: means.length,
      mean: means.reduce((sum, each) => sum + each, 0) / means.length,
    }))
    .sort((a, b) => a.mean - b.mean);
}

/** The row and the column of a cell as the address names it, CASE,VARIANT; null where no such case is.
 * @param {string} cell @param {any[]} rows @param {any[]} variants @param {{columns: number[]}[]} columns */
export function cellOfAddress(cell, rows, variants, columns) {
  const comma = cell.lastIndexOf(',');
  const row = rows.findIndex((each) => each.id === cell.slice(0, comma));
  const at = variants.findIndex((each) => (each.key || each.id) === cell.slice(comma + 1));
  const column = columns.findIndex((each) => each.columns.includes(at));
  return row < 0 ? null : { row, column: Math.max(0, column) };
}
