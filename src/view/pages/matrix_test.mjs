// What the matrix shows and where it stands, without a browser.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cells } from './cells.js';
import { layerOf } from './layers.js';
import { cellOf, darkestAt, meanText, NO_BIN, overviewBins, wordsOfCell } from './matrix_cells.js';
import { cellAt, firstInSight, headsOf, layoutOf, scrollFor, shortened, tablePageOf } from './matrix_layout.js';

const ERROR = 251,
  PENDING = 254,
  UNPLANNED = 255;
const PARTIAL_BIT = 1;

const cellsOf = (rows, bits = null) =>
  new Cells(Uint8Array.from(rows.flat()), bits && Uint8Array.from(bits.flat()), rows.length, rows[0].length);
const columnOf = (name, at, group = '', levels = []) => ({ label: name, name, columns: [at], group, levels });
const COLUMNS = [columnOf('a', 0, 'one', ['x']), columnOf('b', 1, 'one', ['y']), columnOf('c', 2, 'two', ['x'])];
const layoutFor = (given) =>
  layoutOf(COLUMNS, { rows: 10, hasLevels: true, hostWidth: 1000, phone: false, isMedium: false, ...given });

describe('a cell', () => {
  it('is the mean of the variants that have a score', () => {
    const cell = cellOf(cellsOf([[200, 100, PENDING]]), 0, { columns: [0, 1, 2] }, null);
    assert.deepEqual(cell, { value: 0.75, bin: 4, text: '75', state: 'scored', partial: false });
  });

  it('is the first state where no variant has a score, and an error before others', () => {
    const stateOf = (...bytes) => cellOf(cellsOf([bytes]), 0, { columns: bytes.map((_, at) => at) }, null).state;
    assert.equal(stateOf(PENDING, UNPLANNED), 'pending');
    assert.equal(stateOf(UNPLANNED, PENDING), 'pending');
    assert.equal(stateOf(PENDING, ERROR), 'error');
    assert.equal(stateOf(UNPLANNED), 'unplanned');
  });

  it('says in words its score or its state, and that it is partial', () => {
    const cells = cellsOf([[100, ERROR]], [[PARTIAL_BIT, 0]]);
    const words = (column) => wordsOfCell(cellOf(cells, 0, { columns: [column] }, null));
    assert.equal(words(0), '50, partial');
    assert.equal(words(1), 'error');
  });

  it('shows what a layer says in the place of the score', () => {
    const cells = cellsOf([[100, 100]]);
    const layer = layerOf('spread', Uint8Array.from([100, 255]), 2);
    const [known, unknown] = [0, 1].map((column) => cellOf(cells, 0, { columns: [column] }, layer));
    assert.equal(known.value, 0.5);
    assert.equal(known.text, '50');
    assert.equal(wordsOfCell(known), '50 points of spread');
    assert.equal(unknown.value, null);
    assert.equal(wordsOfCell(unknown), 'not known');
  });
});

describe('a row', () => {
  it('has the mean of its columns, or a dash', () => {
    const cells = cellsOf([
      [200, 100, ERROR],
      [ERROR, PENDING, UNPLANNED],
    ]);
    const meanOf = (row) =>
      meanText(
        COLUMNS.map((column) => cellOf(cells, row, column, null)),
        null,
      );
    assert.equal(meanOf(0), '75.0');
    assert.equal(meanOf(1), '–');
  });

  it('is in the overview by its lowest score; a failure among many rows is not averaged away', () => {
    const cells = cellsOf([[200], [0], [200], [ERROR], [PENDING]]);
    const bins = overviewBins(cells, [0], null);
    assert.deepEqual([...bins], [6, 0, 6, 0, NO_BIN]);
    assert.equal(darkestAt(bins, [0, 1, 2, 3, 4], 0, 2), 0);
    assert.equal(darkestAt(bins, [0, 2], 0, 1), 6);
    assert.equal(darkestAt(bins, [4], 0, 10), NO_BIN);
  });
});

describe('the layout', () => {
  it('leaves a gap between groups', () => {
    const { lefts, wide, hasGroups } = layoutFor({});
    assert.equal(hasGroups, true);
    assert.deepEqual(lefts, [0, wide, 2 * wide + 8]);
  });

  it('has no groups and no mean on a phone', () => {
    const { lefts, wide, hasGroups, width } = layoutFor({ phone: true, hostWidth: 390 });
    assert.equal(hasGroups, false);
    assert.deepEqual(lefts, [0, wide, 2 * wide]);
    assert.equal(width, 3 * wide);
  });

  it('shows up to 60 rows whole, and more in a window', () => {
    assert.equal(layoutFor({ rows: 60 }).isWindow, false);
    const { isWindow, shownRows, height, high } = layoutFor({ rows: 61 });
    assert.equal(isWindow, true);
    assert.equal(height, shownRows * high);
    assert.equal(layoutFor({ rows: 0 }).shownRows, 1);
  });

  it('stays below what browsers scroll', () => {
    const { whole, height } = layoutFor({ rows: 1e6 });
    assert.equal(whole, 4e6);
    const layout = layoutFor({ rows: 1e6 });
    assert.equal(Math.round(firstInSight(layout, whole - height)), 1e6 - layout.shownRows);
  });

  it('scrolls a row into sight, and stays where it is there', () => {
    const layout = layoutFor({ rows: 200 });
    assert.equal(scrollFor(layout, 0, 10), null);
    const down = scrollFor(layout, 0, 100);
    assert.ok(Math.abs(firstInSight(layout, down) + layout.shownRows - 1 - 100) < 1e-9);
    const up = scrollFor(layout, down, 5);
    assert.ok(Math.abs(firstInSight(layout, up) - 5) < 1e-9);
    assert.equal(scrollFor(layoutFor({ rows: 20 }), 0, 19), null);
  });

  it('finds the cell at a point', () => {
    const layout = layoutFor({ rows: 10 });
    const at = (x, y) => cellAt(layout, { x, y, scrollLeft: 0, scrollTop: 0 });
    assert.deepEqual(at(1, 1), { index: 0, column: 0 });
    assert.deepEqual(at(layout.lefts[2] + 1, layout.high * 3 + 1), { index: 3, column: 2 });
    assert.equal(at(layout.lefts[2] - 4, 1), null);
    assert.equal(at(1, layout.high * 10 + 1), null);
  });
});

describe('the heads', () => {
  it('stand over the columns of their group', () => {
    const { groups, levels, height } = headsOf(COLUMNS, ['style'], { hasGroups: true, wide: 40 });
    assert.deepEqual(groups, [
      { name: 'one', from: 0, to: 1 },
      { name: 'two', from: 2, to: 2 },
    ]);
    assert.deepEqual(levels, ['style']);
    assert.equal(height, 41);
  });

  it('are slanted where a label is wider than its column', () => {
    const heads = (label) => headsOf([columnOf(label, 0)], [], { hasGroups: false, wide: 40 });
    assert.equal(heads('short').isSlanted, false);
    assert.equal(heads('a long label').isSlanted, true);
  });

  it('are cut to their room', () => {
    assert.equal(shortened('word', 40), 'word');
    assert.equal(shortened('a longer word', 40), 'a lon…');
    assert.equal(shortened('word', 1), 'w…');
  });
});

describe('the table', () => {
  it('shows the page of rows with the chosen one', () => {
    assert.deepEqual(tablePageOf(100, 3, 50), { size: 2000, from: 0, to: 100 });
    assert.deepEqual(tablePageOf(5000, 3, 4500), { size: 2000, from: 4000, to: 5000 });
    assert.deepEqual(tablePageOf(100, 6000, 50), { size: 20, from: 40, to: 60 });
  });
});
