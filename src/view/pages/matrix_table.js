// The matrix as a table: the same rows in the same order, as many at once as a browser lays out in no time.
import { announce, el, fill, foreignLine, pressable, table } from './dom.js';
import { count } from './format.js';
import { cellOf, wordsOfCell } from './matrix_cells.js';
import { tablePageOf } from './matrix_layout.js';

/** The table twin of a matrix. */
export class MatrixTable {
  /** @param {import('./matrix.js').Matrix} matrix */
  constructor(matrix) {
    this.matrix = matrix;
    /** The page of rows with the chosen one, whose place is in the address. */
    this.page = { from: 0, size: 1, caption: '', lines: [] };
    this.host = el('div.scroll', { tabindex: 0, role: 'group', 'aria-label': 'Scores as a table' });
    this.before = pressable('Rows before', () => this.turn(-1));
    this.after = pressable('Rows after', () => this.turn(1));
    this.rowNumber = el('input.field.row-number', {
      type: 'number',
      min: 1,
      onchange: () => matrix.choose((Number(this.rowNumber.value) || 1) - 1, matrix.chosen.column),
    });
    this.pager = el(
      'div.filters',
      { role: 'group', 'aria-label': 'Rows of the table' },
      this.before,
      this.after,
      el('label.small', 'from row ', this.rowNumber),
    );
    this.node = el('div', this.pager, this.host);
  }

  // Goes some pages on.
  turn(pages) {
    this.matrix.choose(this.page.from + pages * this.page.size, this.matrix.chosen.column);
    announce(this.page.caption);
  }

  draw() {
    const { of, rows, chosen } = this.matrix;
    const { size, from, to } = tablePageOf(rows.length, of.columns.length, chosen.index);
    const isWhole = to - from === rows.length;
    const caption = isWhole
      ? `all ${count(to)} rows, in the same order`
      : `rows ${count(from + 1)} to ${count(to)} of ${count(rows.length)}, in the same order`;
    const lines = rows.slice(from, to).map((row, index) => this.line(row, from + index));
    this.page = { from, size, caption, lines };
    this.pager.hidden = isWhole;
    this.before.disabled = from === 0;
    this.after.disabled = to === rows.length;
    this.rowNumber.value = String(from + 1);
    this.rowNumber.max = String(rows.length);
    const heads = ['Case', ...of.columns.map((each) => ({ text: foreignLine(each.name), class: 'number' }))];
    fill(this.host, table(heads, lines, { class: 'twin', 'aria-rowcount': rows.length + 1, caption }));
    if (lines.length > 0) this.markLine();
  }

  line(row, index) {
    const { cells, of } = this.matrix;
    return el(
      'tr',
      { 'aria-rowindex': index + 2 },
      el('th', { scope: 'row' }, el('a', { href: of.rowLink(row) }, foreignLine(of.rowLabel(row)))),
      of.columns.map((column) => {
        const cell = cellOf(cells, row, column, of.layer());
        return el(`td.number${cell.bin === null ? '' : `.s${cell.bin}`}`, wordsOfCell(cell));
      }),
    );
  }

  /** Marks the chosen row; draws its page where it is on another. */
  markLine() {
    const line = this.page.lines[this.matrix.chosen.index - this.page.from];
    if (!line) {
      this.draw();
      return;
    }
    this.host.querySelector('[aria-current]')?.removeAttribute('aria-current');
    line.setAttribute('aria-current', 'true');
  }
}
