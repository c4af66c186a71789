// Cases by variants: which rows there are and which cell is chosen. Drawn on a canvas or as a table, walked with arrow
// keys, told to screen readers cell by cell.
import { append } from './dom.js';
import { MatrixCanvas } from './matrix_canvas.js';
import { ROWS_IN_WINDOW } from './matrix_layout.js';
import { MatrixTable } from './matrix_table.js';

/**
 * @typedef {{cells: import('./cells.js').Cells, columns: import('./matrix_cells.js').Column[], levelNames: string[],
 *   layer: () => import('./layers.js').Layer | null, asTable: boolean,
 *   rowLabel: (row: number) => string, rowLink: (row: number) => string,
 *   moved: (row: number, column: number, isWanted?: boolean) => void,
 *   opened: (row: number, column: number) => void}} MatrixOf
 */

// How far a key goes: rows, columns.
const STEPS_OF_KEYS = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  j: [1, 0],
  k: [-1, 0],
  PageDown: [ROWS_IN_WINDOW, 0],
  PageUp: [-ROWS_IN_WINDOW, 0],
  Home: [0, -1e6],
  End: [0, 1e6],
};

/** The matrix in a host. */
export class Matrix {
  /** @param {any} host @param {MatrixOf} of */
  constructor(host, of) {
    this.of = of;
    this.cells = of.cells;
    /** @type {number[]} in the order in which they are shown */
    this.rows = [];
    this.chosen = { index: 0, column: 0 };
    /** @type {number | null} the row that the reader chose, also while a filter leaves it out */
    this.wanted = null;
    this.asTable = of.asTable;
    this.isPinned = false; // whether the chosen cell stays where the pointer goes elsewhere
    this.drawing = new MatrixCanvas(host, this);
    this.twin = new MatrixTable(this);
    this.hideOther();
    append(host, [this.drawing.node, this.twin.node]);
    this.listen();
  }

  listen() {
    const { canvas } = this.drawing;
    canvas.addEventListener('mousemove', (event) => {
      const at = this.drawing.hit(event);
      if (at && !this.isPinned && !this.isChosen(at)) this.choose(at.index, at.column, { isScrolled: false });
    });
    canvas.addEventListener('click', (event) => {
      const at = this.drawing.hit(event);
      if (!at) return;
      this.isPinned = !(this.isPinned && this.isChosen(at));
      this.choose(at.index, at.column, { isScrolled: false });
    });
    canvas.addEventListener('dblclick', () => this.open());
    canvas.addEventListener('keydown', (event) => this.press(event));
  }

  isChosen({ index, column }) {
    return index === this.chosen.index && column === this.chosen.column;
  }

  press(event) {
    const step = STEPS_OF_KEYS[event.key];
    if (step) {
      event.preventDefault();
      this.isPinned = true;
      this.choose(this.chosen.index + step[0], this.chosen.column + step[1]);
    } else if (event.key === 'Enter' && this.rows.length) {
      event.preventDefault();
      this.open();
    }
  }

  open() {
    this.of.opened(this.rows[this.chosen.index], this.chosen.column);
  }

  /** @param {number} index @param {number} column @param {{isScrolled?: boolean}} [how] into sight */
  choose(index, column, { isScrolled = true } = {}) {
    if (this.rows.length === 0) return;
    this.chosen = {
      index: Math.max(0, Math.min(this.rows.length - 1, index)),
      column: Math.max(0, Math.min(this.of.columns.length - 1, column)),
    };
    const row = this.rows[this.chosen.index];
    this.wanted = row;
    if (isScrolled) this.drawing.scrollTo(this.chosen.index);
    this.drawing.tell();
    if (this.asTable) this.twin.markLine();
    else this.drawing.paintSoon();
    this.of.moved(row, this.chosen.column);
  }

  draw() {
    if (this.asTable) this.twin.draw();
    else this.drawing.paint();
  }

  hideOther() {
    this.drawing.node.hidden = this.asTable;
    this.twin.node.hidden = !this.asTable;
  }

  // ---- what the section around it asks for

  /** @param {number[]} next rows in the order in which they are shown */
  show(next, keep = true) {
    const before = this.rows[this.chosen.index];
    this.rows = next;
    const again = keep ? next.indexOf(this.wanted ?? before) : -1;
    this.chosen.index = again >= 0 ? again : 0;
    this.drawing.lay();
    if (again < 0) this.drawing.scroller.scrollTop = 0;
    this.drawing.tell();
    this.draw();
    const row = next[this.chosen.index];
    if (this.wanted !== null && next.length > 0 && row !== before)
      this.of.moved(row, this.chosen.column, row === this.wanted);
  }

  repaint() {
    if (this.asTable) this.twin.draw();
    else this.drawing.paintSoon();
  }

  refit() {
    this.drawing.readTheme();
    this.drawing.lay();
    this.draw();
  }

  /** @param {number} row @param {number} column */
  chooseRow(row, column) {
    const index = this.rows.indexOf(row);
    this.isPinned = true;
    if (index >= 0) this.choose(index, column);
    else if (this.rows.length > 0) {
      this.wanted = row;
      this.chosen.column = column;
      this.of.moved(this.rows[this.chosen.index], column, false);
    }
  }

  /** @param {number} rowsDown */
  move(rowsDown) {
    this.isPinned = true;
    this.choose(this.chosen.index + rowsDown, this.chosen.column);
  }

  openChosen() {
    if (this.rows.length) this.open();
  }

  toggleTable() {
    this.asTable = !this.asTable;
    this.hideOther();
    if (this.asTable) this.twin.draw();
    else {
      this.drawing.lay();
      this.drawing.scrollTo(this.chosen.index);
      this.drawing.paint();
    }
    return this.asTable;
  }
}
