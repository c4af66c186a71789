// The matrix as a drawing: one canvas the size of its window, heads above, labels beside, an overview at its right.
import { el, fill, foreignLine, visible } from './dom.js';
import { isNarrow } from './chart.js';
import { STATE_MARKS } from './marks.js';
import { cellOf, darkestAt, meanText, NO_BIN, overviewBins, wordsOfCell } from './matrix_cells.js';
import { cellAt, firstInSight, headsOf, layoutOf, scrollFor, shortened } from './matrix_layout.js';

const OVERVIEW_WIDTH = 14;

/**
 * Draws what a matrix shows. `rows` and `chosen` are the matrix's; it says by `lay` that there are others.
 */
export class MatrixCanvas {
  /** @param {any} host @param {import('./matrix.js').Matrix} matrix */
  constructor(host, matrix) {
    this.host = host;
    this.matrix = matrix;
    this.colours = readColours();
    /** @type {import('./matrix_layout.js').Layout | null} */
    this.layout = null;
    this.frame = 0;
    this.canvas = el('canvas', {
      tabindex: 0,
      role: 'grid',
      'aria-label': 'Cases by variants. Arrows go from cell to cell, Enter opens one.',
      'aria-activedescendant': 'matrix-cell',
    });
    this.told = el('div', { role: 'gridcell', id: 'matrix-cell' });
    this.canvas.append(el('div', { role: 'row' }, this.told));
    this.labels = el('div.labels');
    this.heads = el('div.heads');
    this.corner = el('div.corner');
    this.spacer = el('div.spacer');
    this.scroller = el('div.scroller', this.canvas, this.spacer);
    this.overview = el('canvas.overview', { 'aria-hidden': 'true' });
    const above = el('div.heads-window', this.heads);
    this.node = el('div.matrix', this.corner, above, this.labels, this.scroller, this.overview);
    this.listen();
  }

  listen() {
    const { scroller, labels, overview } = this;
    scroller.addEventListener('scroll', () => (this.matrix.asTable ? undefined : this.paintSoon()), { passive: true });
    labels.addEventListener(
      'wheel',
      (event) => {
        scroller.scrollTop += event.deltaY;
      },
      { passive: true },
    );
    overview.addEventListener('click', (event) => {
      scroller.scrollTop = (event.offsetY / this.layout.height) * (this.layout.whole - this.layout.height);
    });
  }

  /** Takes the colours of the theme anew. */
  readTheme() {
    this.colours = readColours();
  }

  // ---- layout

  /** Fits the parts to the host and to the rows that are shown. */
  lay() {
    const { of, rows } = this.matrix;
    this.layout = layoutOf(of.columns, {
      rows: rows.length,
      hasLevels: of.levelNames.length > 0,
      hostWidth: this.host.clientWidth || 600,
      phone: isNarrow(),
      isMedium: isNarrow(899),
    });
    this.fitParts();
    this.drawHeads();
    this.drawOverview();
  }

  fitParts() {
    const { canvas, scroller, spacer, layout } = this;
    const { width, height, seen, whole } = layout;
    this.host.style.setProperty('--label-width', `${layout.labelWidth}px`);
    scroller.style.height = `${height + (width > seen ? 14 : 0)}px`;
    scroller.style.overflowY = layout.isWindow ? 'auto' : 'hidden';
    this.labels.style.height = `${height}px`;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.ceil(seen * ratio);
    canvas.height = Math.ceil(height * ratio);
    canvas.style.width = `${seen}px`;
    canvas.style.height = `${height}px`;
    spacer.style.width = `${width}px`;
    spacer.style.height = `${Math.max(0, whole - height)}px`;
    canvas.setAttribute('aria-rowcount', String(layout.rows));
    canvas.setAttribute('aria-colcount', String(this.matrix.of.columns.length));
  }

  first() {
    return firstInSight(this.layout, this.scroller.scrollTop);
  }

  /** @param {number} index */
  scrollTo(index) {
    const top = scrollFor(this.layout, this.scroller.scrollTop, index);
    if (top !== null) this.scroller.scrollTop = top;
  }

  /** The cell under the pointer. @param {MouseEvent} event */
  hit(event) {
    const box = this.canvas.getBoundingClientRect();
    const { scrollLeft, scrollTop } = this.scroller;
    return cellAt(this.layout, { x: event.clientX - box.left, y: event.clientY - box.top, scrollLeft, scrollTop });
  }

  // ---- heads

  drawHeads() {
    const { heads, corner, layout } = this;
    const { of } = this.matrix;
    const { width } = layout;
    const given = headsOf(of.columns, of.levelNames, layout);
    heads.style.width = `${width}px`;
    const svg = el(
      'svg',
      { width, height: given.height, 'aria-hidden': 'true' },
      given.groups.map((group) => groupHead(group, layout)),
      of.columns.map((column, index) => columnHead(column, layout.lefts[index], given, layout)),
      !layout.phone && el('text', { x: width - 8, y: given.height - 5, 'text-anchor': 'end' }, 'mean'),
    );
    fill(heads, svg);
    fill(
      corner,
      given.levels.map((name) => el('span', visible(name))),
    );
    heads.style.height = corner.style.height = `${given.height}px`;
  }

  drawOverview() {
    const { overview, colours } = this;
    const { cells, of, rows } = this.matrix;
    const { isWindow, height } = this.layout;
    overview.hidden = !isWindow;
    if (!isWindow) return;
    overview.width = OVERVIEW_WIDTH;
    overview.height = height;
    const context = overview.getContext('2d');
    const columns = of.columns.flatMap((column) => column.columns);
    const bins = overviewBins(cells, columns, of.layer());
    for (let y = 0; y < height; y++) {
      const low = darkestAt(bins, rows, y, height);
      context.fillStyle = low === NO_BIN ? colours.paper : colours.bins[low];
      context.fillRect(0, y, OVERVIEW_WIDTH, 1);
    }
  }

  // ---- cells

  paintSoon() {
    this.frame =
      this.frame ||
      requestAnimationFrame(() => {
        this.frame = 0;
        this.paint();
      });
  }

  paint() {
    if (!this.layout || this.matrix.asTable) return;
    const { colours, layout, scroller } = this;
    const context = this.canvas.getContext('2d');
    const ratio = window.devicePixelRatio || 1;
    const left = scroller.scrollLeft;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, layout.seen, layout.height);
    context.font = `12px ${colours.font}`;
    context.textBaseline = 'middle';
    const first = this.first();
    for (const index of this.indexesFrom(first)) this.paintRow(context, index, (index - first) * layout.high, left);
    this.drawLabels(first);
    this.heads.style.transform = `translateX(${-left}px)`;
  }

  // The rows of the window: one more than it holds, since the first may be cut.
  indexesFrom(first) {
    const from = Math.floor(first);
    const to = Math.min(this.layout.rows, from + this.layout.shownRows + 1);
    return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  }

  paintRow(context, index, y, left) {
    const { colours } = this;
    const { cells, of, rows, chosen } = this.matrix;
    const { high, wide, lefts, seen, width, phone } = this.layout;
    const layer = of.layer();
    const shown = of.columns.map((column) => cellOf(cells, rows[index], column, layer));
    shown.forEach((cell, at) => {
      const x = lefts[at] - left;
      if (x + wide < 0 || x > seen) return;
      paintCell(context, colours, cell, { x, y, wide: wide - 2, high: high - 2 });
      if (index === chosen.index && at === chosen.column) {
        context.strokeStyle = colours.ink;
        context.lineWidth = 2;
        context.strokeRect(x - 1, y - 1, wide, high);
      }
    });
    if (phone) return;
    context.fillStyle = colours.ink;
    context.textAlign = 'right';
    context.fillText(meanText(shown, layer), width - left - 8, y + high / 2);
  }

  drawLabels(first) {
    const { of, rows, chosen } = this.matrix;
    const high = `${this.layout.high}px`;
    const label = (index) =>
      el(
        'a',
        {
          href: of.rowLink(rows[index]),
          tabindex: -1,
          'aria-current': index === chosen.index ? 'true' : null,
          style: { top: `${(index - first) * this.layout.high}px`, height: high, 'line-height': high },
        },
        foreignLine(of.rowLabel(rows[index]), 40),
      );
    fill(this.labels, this.indexesFrom(first).map(label));
  }

  /** Says the chosen cell to screen readers. */
  tell() {
    const { cells, of, rows, chosen } = this.matrix;
    const row = rows[chosen.index],
      column = of.columns[chosen.column];
    if (row === undefined || !column) return;
    this.told.setAttribute('aria-rowindex', String(chosen.index + 1));
    this.told.setAttribute('aria-colindex', String(chosen.column + 1));
    const said = wordsOfCell(cellOf(cells, row, column, of.layer()));
    this.told.textContent = visible(`${of.rowLabel(row)}, ${column.name}: ${said}`);
  }
}

// ---- single parts

function groupHead(group, { lefts, wide }) {
  const left = lefts[group.from],
    right = lefts[group.to] + wide;
  return [
    el('text.group', { x: left, y: 13 }, shortened(group.name, right - left)),
    el('line.zero', { x1: left, x2: right - 2, y1: 19, y2: 19 }),
  ];
}

function columnHead(column, left, { isSlanted, groupHeight, height }, { hasGroups, wide }) {
  const middle = left + wide / 2;
  if (hasGroups) {
    return column.levels.map((level, row) =>
      el(
        'text',
        { x: middle - 1, y: groupHeight + row * 19 + 14, 'text-anchor': 'middle' },
        shortened(level, wide),
      ),
    );
  }
  if (!isSlanted) return el('text', { x: middle, y: 15, 'text-anchor': 'middle' }, column.label);
  const transform = `translate(${middle + 2} ${height - 6}) rotate(-55)`;
  return el('text', { x: 0, y: 0, 'text-anchor': 'start', transform }, shortened(column.label, 104));
}

function paintCell(context, colours, cell, { x, y, wide, high }) {
  context.textAlign = 'center';
  if (cell.value === null) paintState(context, colours, cell.state, { x, y, wide, high });
  else {
    context.fillStyle = colours.bins[cell.bin];
    context.fillRect(x, y, wide, high);
    context.fillStyle = colours.onBins[cell.bin];
    if (wide >= 22) context.fillText(cell.text, x + wide / 2, y + high / 2 + 1);
  }
  if (cell.partial) paintCorner(context, x + wide, y + high);
}

function paintState(context, colours, state, { x, y, wide, high }) {
  const { mark, style } = STATE_MARKS[state] || STATE_MARKS.missing;
  if (state !== 'unplanned') {
    context.strokeStyle = style === 'error' ? colours.fault : colours.edge;
    context.lineWidth = 1;
    if (style !== 'skipped') context.strokeRect(x + 0.5, y + 0.5, wide - 1, high - 1);
  }
  context.fillStyle = style === 'error' ? colours.fault : colours.soft;
  context.fillText(mark, x + wide / 2, y + high / 2);
}

function paintCorner(context, right, bottom) {
  context.beginPath();
  context.moveTo(right, bottom - 8);
  context.lineTo(right, bottom);
  context.lineTo(right - 8, bottom);
  context.fill();
}

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const each = (name) => [0, 1, 2, 3, 4, 5, 6].map((bin) => read(`${name}${bin}`));
  return {
    ink: read('ink'),
    soft: read('soft'),
    edge: read('edge'),
    fault: read('fault'),
    paper: read('paper'),
    font: read('sans'),
    bins: each('s'),
    onBins: each('on'),
  };
}
