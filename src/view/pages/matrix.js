// Cases by variants on one canvas the size of its window: drawn from bytes, walked with arrow keys, told to screen
// readers cell by cell. Rows of labels are elements, at most as many as the window shows.
import { announce, append, el, fill, foreignLine, pressable, table, visible } from './dom.js';
import { isNarrow } from './chart.js';
import { count, points } from './format.js';
import { scoreBin, STATE_MARKS } from './marks.js';
import { stateOfByte } from './cells.js';

const ROWS_WITHOUT_WINDOW = 60; // so many rows stand on the page; more scroll in a window of their own
const ROWS_IN_WINDOW = 34;
const CELLS_OF_TABLE_MAX = 6000; // elements that a browser lays out at once; more rows follow by pages
const SCROLL_HEIGHT_MAX = 4000000; // browsers lose precision far beyond; more rows share it
const MEAN_WIDTH = 48;

/**
 * @typedef {{label: string, name: string, columns: number[], group: string, levels: string[]}} Column
 * @typedef {{cells: import('./cells.js').Cells, columns: Column[], levelNames: string[],
 *   layer: () => import('./layers.js').Layer | null, asTable: boolean,
 *   rowLabel: (row: number) => string, rowLink: (row: number) => string,
 *   moved: (row: number, column: number, isWanted?: boolean) => void,
 *   opened: (row: number, column: number) => void}} MatrixOf
 */

// What a column shows of a row: the mean of its variants that have a score, else the state of the first; of a layer
// what that says. `value` is what rows are averaged of, `bin` its step of light.
function cellOf(cells, row, { columns }, layer) {
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
  if (layer) {
    const value = layer.at(row, columns);
    return value === null
      ? { value, bin: null, text: '', state: scored ? 'unknown' : state, partial: false }
      : { value, bin: layer.binOf(value), text: layer.figure(value), said: layer.words(value), state, partial: false };
  }
  if (scored === 0) return { value: null, bin: null, text: '', state, partial };
  const value = sum / scored / 200;
  return { value, bin: scoreBin(value), text: points(value), state: 'scored', partial };
}

function wordsOf(cell) {
  const said = cell.value === null ? (STATE_MARKS[cell.state] || STATE_MARKS.missing).word : cell.said || cell.text;
  return cell.partial ? `${said}, partial` : said;
}

// The darkest step of each row.
const NO_BIN = 255;
function overviewBins(cells, columns, layer) {
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

const meanText = (value, layer) => (layer ? layer.figure(value) : points(value, 1));

/** @param {any} host @param {MatrixOf} of */
export function buildMatrix(host, of) {
  const { cells } = of;
  let rows = [],
    chosen = { index: 0, column: 0 },
    wanted = null, // the row that the reader chose, also while a filter leaves it out
    geometry,
    asTable = of.asTable,
    colours = readColours();
  const canvas = el('canvas', {
    tabindex: 0,
    role: 'grid',
    'aria-label': 'Cases by variants. Arrows go from cell to cell, Enter opens one.',
    'aria-activedescendant': 'matrix-cell',
  });
  const told = el('div', { role: 'gridcell', id: 'matrix-cell' });
  canvas.append(el('div', { role: 'row' }, told));
  const labels = el('div.labels'),
    heads = el('div.heads'),
    corner = el('div.corner');
  const spacer = el('div.spacer'),
    scroller = el('div.scroller', canvas, spacer);
  const overview = el('canvas.overview', { 'aria-hidden': 'true' });

  function lay() {
    const phone = isNarrow();
    const labelWidth = phone ? 116 : isNarrow(899) ? 150 : 210;
    const hasGroups = of.levelNames.length > 0 && !phone;
    const room = Math.max(120, (host.clientWidth || 600) - labelWidth - (phone ? 0 : MEAN_WIDTH) - 16);
    const gaps = hasGroups ? new Set(of.columns.map((each) => each.group)).size - 1 : 0;
    const wide = Math.max(
      phone ? 44 : 26,
      Math.min(phone ? 64 : 46, Math.floor((room - gaps * 8) / of.columns.length)),
    );
    const high = phone ? 44 : 24;
    const lefts = [];
    of.columns.forEach((column, index) => {
      const isNewGroup = hasGroups && index > 0 && column.group !== of.columns[index - 1].group;
      lefts.push(index === 0 ? 0 : lefts[index - 1] + wide + (isNewGroup ? 8 : 0));
    });
    const width = lefts[lefts.length - 1] + wide + (phone ? 0 : MEAN_WIDTH);
    const isWindow = rows.length > ROWS_WITHOUT_WINDOW;
    const shownRows = isWindow ? ROWS_IN_WINDOW : Math.max(1, rows.length);
    const whole = Math.min(SCROLL_HEIGHT_MAX, rows.length * high);
    geometry = {
      phone,
      labelWidth,
      hasGroups,
      wide,
      high,
      lefts,
      width,
      isWindow,
      shownRows,
      whole,
      height: shownRows * high,
      seen: Math.min(width, room + (phone ? 0 : MEAN_WIDTH)),
    };
    host.style.setProperty('--label-width', `${labelWidth}px`);
    scroller.style.height = `${geometry.height + (width > geometry.seen ? 14 : 0)}px`;
    scroller.style.overflowY = isWindow ? 'auto' : 'hidden';
    labels.style.height = `${geometry.height}px`;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.ceil(geometry.seen * ratio);
    canvas.height = Math.ceil(geometry.height * ratio);
    canvas.style.width = `${geometry.seen}px`;
    canvas.style.height = `${geometry.height}px`;
    spacer.style.width = `${width}px`;
    spacer.style.height = `${Math.max(0, whole - geometry.height)}px`;
    canvas.setAttribute('aria-rowcount', String(rows.length));
    canvas.setAttribute('aria-colcount', String(of.columns.length));
    drawHeads();
    drawOverview();
  }

  // The first row in sight, as a fraction of rows.
  function top() {
    if (!geometry.isWindow) return 0;
    const far = geometry.whole - geometry.height;
    return far <= 0 ? 0 : (scroller.scrollTop / far) * (rows.length - geometry.shownRows);
  }
  function scrollToRow(index) {
    if (!geometry.isWindow) return;
    const first = top();
    const last = first + geometry.shownRows - 1;
    if (index >= first && index <= last) return;
    const wanted = index < first ? index : index - geometry.shownRows + 1;
    scroller.scrollTop = (wanted / (rows.length - geometry.shownRows)) * (geometry.whole - geometry.height);
  }

  function drawHeads() {
    const { phone, hasGroups, lefts, wide, width } = geometry;
    heads.style.width = `${width}px`;
    const groups = [];
    of.columns.forEach((column, index) => {
      if (!groups.length || groups[groups.length - 1].name !== column.group) {
        groups.push({ name: column.group, from: index, to: index });
      } else groups[groups.length - 1].to = index;
    });
    const levels = hasGroups ? of.levelNames : [];
    const isSlanted = !hasGroups && of.columns.some((column) => column.label.length * 7 > wide - 4);
    const groupHeight = hasGroups ? 22 : 0;
    const height = hasGroups ? groupHeight + levels.length * 19 : isSlanted ? 92 : 22;
    const short = (text, room) =>
      text.length * 6.6 > room ? `${text.slice(0, Math.max(1, Math.floor(room / 6.6) - 1))}…` : text;
    const slanted = (column, index) =>
      el(
        'text',
        {
          x: 0,
          y: 0,
          'text-anchor': 'start',
          transform: `translate(${lefts[index] + wide / 2 + 2} ${height - 6}) rotate(-55)`,
        },
        short(column.label, 104),
      );
    const svg = el(
      'svg',
      { width, height, 'aria-hidden': 'true' },
      hasGroups &&
        groups.map((group) => [
          el(
            'text.group',
            { x: lefts[group.from], y: 13 },
            short(group.name, lefts[group.to] + wide - lefts[group.from]),
          ),
          el('line.zero', { x1: lefts[group.from], x2: lefts[group.to] + wide - 2, y1: 19, y2: 19 }),
        ]),
      of.columns.map((column, index) =>
        hasGroups
          ? column.levels.map((level, row) =>
              el(
                'text',
                { x: lefts[index] + wide / 2 - 1, y: groupHeight + row * 19 + 14, 'text-anchor': 'middle' },
                short(level, wide),
              ),
            )
          : isSlanted
            ? slanted(column, index)
            : el('text', { x: lefts[index] + wide / 2, y: 15, 'text-anchor': 'middle' }, column.label),
      ),
      !phone && el('text', { x: width - 8, y: height - 5, 'text-anchor': 'end' }, 'mean'),
    );
    fill(heads, svg);
    fill(
      corner,
      levels.map((name) => el('span', visible(name))),
    );
    heads.style.height = corner.style.height = `${height}px`;
  }

  function drawOverview() {
    overview.hidden = !geometry.isWindow;
    if (!geometry.isWindow) return;
    const height = geometry.height;
    overview.width = 14;
    overview.height = height;
    const context = overview.getContext('2d');
    const columns = of.columns.flatMap((column) => column.columns);
    const bins = overviewBins(cells, columns, of.layer());
    for (let y = 0; y < height; y++) {
      // each pixel the darkest of its rows: a failure is never averaged away
      const from = Math.floor((y * rows.length) / height),
        to = Math.max(from + 1, Math.floor(((y + 1) * rows.length) / height));
      let low = NO_BIN;
      for (let index = from; index < to && index < rows.length; index++) low = Math.min(low, bins[rows[index]]);
      context.fillStyle = low === NO_BIN ? colours.paper : colours.bins[low];
      context.fillRect(0, y, 14, 1);
    }
  }

  function paint() {
    if (!geometry || asTable) return;
    const context = canvas.getContext('2d');
    const ratio = window.devicePixelRatio || 1;
    const { high, wide, lefts, seen, height, width, phone } = geometry;
    const layer = of.layer();
    const first = top(),
      from = Math.floor(first),
      left = scroller.scrollLeft;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, seen, height);
    context.font = `12px ${colours.font}`;
    context.textBaseline = 'middle';
    for (let index = from; index < Math.min(rows.length, from + geometry.shownRows + 1); index++) {
      const y = (index - first) * high;
      let sum = 0,
        scored = 0;
      of.columns.forEach((column, at) => {
        const x = lefts[at] - left;
        const cell = cellOf(cells, rows[index], column, layer);
        if (cell.value !== null) {
          sum += cell.value;
          scored++;
        }
        if (x + wide < 0 || x > seen) return;
        drawCell(context, cell, x, y, wide - 2, high - 2);
        if (index === chosen.index && at === chosen.column) {
          context.strokeStyle = colours.ink;
          context.lineWidth = 2;
          context.strokeRect(x - 1, y - 1, wide, high);
        }
      });
      if (!phone) {
        context.fillStyle = colours.ink;
        context.textAlign = 'right';
        context.fillText(scored ? meanText(sum / scored, layer) : '–', width - left - 8, y + high / 2);
      }
    }
    drawLabels(first, from);
    heads.style.transform = `translateX(${-left}px)`;
  }

  function drawCell(context, cell, x, y, wide, high) {
    context.textAlign = 'center';
    if (cell.value === null) {
      const { mark, style } = STATE_MARKS[cell.state] || STATE_MARKS.missing;
      if (cell.state !== 'unplanned') {
        context.strokeStyle = style === 'error' ? colours.fault : colours.edge;
        context.lineWidth = 1;
        if (style !== 'skipped') context.strokeRect(x + 0.5, y + 0.5, wide - 1, high - 1);
      }
      context.fillStyle = style === 'error' ? colours.fault : colours.soft;
      context.fillText(mark, x + wide / 2, y + high / 2);
      if (cell.partial) drawCorner(context, x + wide, y + high);
      return;
    }
    context.fillStyle = colours.bins[cell.bin];
    context.fillRect(x, y, wide, high);
    context.fillStyle = colours.onBins[cell.bin];
    if (wide >= 22) context.fillText(cell.text, x + wide / 2, y + high / 2 + 1);
    if (cell.partial) drawCorner(context, x + wide, y + high);
  }
  function drawCorner(context, right, bottom) {
    context.beginPath();
    context.moveTo(right, bottom - 8);
    context.lineTo(right, bottom);
    context.lineTo(right - 8, bottom);
    context.fill();
  }

  function drawLabels(first, from) {
    const wanted = [];
    for (let index = from; index < Math.min(rows.length, from + geometry.shownRows + 1); index++) {
      wanted.push(
        el(
          'a',
          {
            href: of.rowLink(rows[index]),
            tabindex: -1,
            'aria-current': index === chosen.index ? 'true' : null,
            style: {
              top: `${(index - first) * geometry.high}px`,
              height: `${geometry.high}px`,
              'line-height': `${geometry.high}px`,
            },
          },
          foreignLine(of.rowLabel(rows[index]), 40),
        ),
      );
    }
    fill(labels, wanted);
  }

  let frame = 0;
  const paintSoon = () => {
    frame =
      frame ||
      requestAnimationFrame(() => {
        frame = 0;
        paint();
      });
  };

  function tell() {
    const row = rows[chosen.index],
      column = of.columns[chosen.column];
    if (row === undefined || !column) return;
    told.setAttribute('aria-rowindex', String(chosen.index + 1));
    told.setAttribute('aria-colindex', String(chosen.column + 1));
    const said = wordsOf(cellOf(cells, row, column, of.layer()));
    told.textContent = visible(`${of.rowLabel(row)}, ${column.name}: ${said}`);
  }
  function choose(index, column, { isPinned = true } = {}) {
    if (rows.length === 0) return;
    chosen = {
      index: Math.max(0, Math.min(rows.length - 1, index)),
      column: Math.max(0, Math.min(of.columns.length - 1, column)),
    };
    wanted = rows[chosen.index];
    if (isPinned) scrollToRow(chosen.index);
    tell();
    if (asTable) markLine();
    else paintSoon();
    of.moved(rows[chosen.index], chosen.column);
  }
  function hit(event) {
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left + scroller.scrollLeft;
    const index = Math.floor(top() + (event.clientY - box.top) / geometry.high);
    const column = geometry.lefts.findIndex((left) => x >= left && x < left + geometry.wide);
    return index >= 0 && index < rows.length && column >= 0 ? { index, column } : null;
  }

  let isPinned = false;
  canvas.addEventListener('mousemove', (event) => {
    const at = hit(event);
    if (at && !isPinned && (at.index !== chosen.index || at.column !== chosen.column)) {
      choose(at.index, at.column, { isPinned: false });
    }
  });
  canvas.addEventListener('click', (event) => {
    const at = hit(event);
    if (!at) return;
    const isSame = isPinned && at.index === chosen.index && at.column === chosen.column;
    isPinned = !isSame;
    choose(at.index, at.column, { isPinned: false });
  });
  canvas.addEventListener('dblclick', () => of.opened(rows[chosen.index], chosen.column));
  canvas.addEventListener('keydown', (event) => {
    const step = {
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
    }[event.key];
    if (step) {
      event.preventDefault();
      isPinned = true;
      choose(chosen.index + step[0], chosen.column + step[1]);
    } else if (event.key === 'Enter' && rows.length) {
      event.preventDefault();
      of.opened(rows[chosen.index], chosen.column);
    }
  });
  scroller.addEventListener('scroll', () => (asTable ? undefined : paintSoon()), { passive: true });
  labels.addEventListener(
    'wheel',
    (event) => {
      scroller.scrollTop += event.deltaY;
    },
    { passive: true },
  );
  overview.addEventListener('click', (event) => {
    scroller.scrollTop = (event.offsetY / geometry.height) * (geometry.whole - geometry.height);
  });

  const drawing = el('div.matrix', corner, el('div.heads-window', heads), labels, scroller, overview);
  const tableHost = el('div.scroll', {
    tabindex: 0,
    role: 'group',
    'aria-label': 'Scores as a table',
  });
  const turn = (text, pages) =>
    pressable(text, () => {
      choose(page.from + pages * page.size, chosen.column);
      announce(page.caption);
    });
  const before = turn('Rows before', -1),
    after = turn('Rows after', 1);
  const rowNumber = el('input.field.row-number', {
    type: 'number',
    min: 1,
    onchange: () => choose((Number(rowNumber.value) || 1) - 1, chosen.column),
  });
  const pager = el(
    'div.filters',
    { role: 'group', 'aria-label': 'Rows of the table' },
    before,
    after,
    el('label.small', 'from row ', rowNumber),
  );
  const twin = el('div', pager, tableHost);
  drawing.hidden = asTable;
  twin.hidden = !asTable;
  append(host, [drawing, twin]);

  // The page of rows with the chosen one, whose place is in the address.
  let page = { from: 0, size: 1, caption: '', lines: [] };
  function drawTable() {
    const size = Math.max(20, Math.floor(CELLS_OF_TABLE_MAX / of.columns.length)),
      from = Math.floor(chosen.index / size) * size,
      to = Math.min(rows.length, from + size);
    const caption =
      to - from === rows.length
        ? `all ${count(to)} rows, in the same order`
        : `rows ${count(from + 1)} to ${count(to)} of ${count(rows.length)}, in the same order`;
    const lines = rows.slice(from, to).map((row, index) =>
      el(
        'tr',
        { 'aria-rowindex': from + index + 2 },
        el('th', { scope: 'row' }, el('a', { href: of.rowLink(row) }, foreignLine(of.rowLabel(row)))),
        of.columns.map((column) => {
          const cell = cellOf(cells, row, column, of.layer());
          return el(`td.number${cell.bin === null ? '' : `.s${cell.bin}`}`, wordsOf(cell));
        }),
      ),
    );
    page = { from, size, caption, lines };
    pager.hidden = to - from === rows.length;
    before.disabled = from === 0;
    after.disabled = to === rows.length;
    rowNumber.value = String(from + 1);
    rowNumber.max = String(rows.length);
    const heads = ['Case', ...of.columns.map((each) => ({ text: foreignLine(each.name), class: 'number' }))];
    fill(tableHost, table(heads, lines, { class: 'twin', 'aria-rowcount': rows.length + 1, caption }));
    if (lines.length > 0) markLine();
  }
  function markLine() {
    const line = page.lines[chosen.index - page.from];
    if (!line) return drawTable();
    tableHost.querySelector('[aria-current]')?.removeAttribute('aria-current');
    line.setAttribute('aria-current', 'true');
  }

  return {
    /** @param {number[]} next rows in the order in which they are shown */
    show(next, keep = true) {
      const row = rows[chosen.index];
      rows = next;
      const again = keep ? rows.indexOf(wanted ?? row) : -1;
      chosen.index = again >= 0 ? again : 0;
      lay();
      if (again < 0) scroller.scrollTop = 0;
      tell();
      if (asTable) drawTable();
      else paint();
      if (wanted !== null && rows.length > 0 && rows[chosen.index] !== row)
        of.moved(rows[chosen.index], chosen.column, rows[chosen.index] === wanted);
    },
    repaint() {
      if (asTable) drawTable();
      else paintSoon();
    },
    refit() {
      colours = readColours();
      lay();
      if (asTable) drawTable();
      else paint();
    },
    chooseRow(row, column) {
      const index = rows.indexOf(row);
      isPinned = true;
      if (index >= 0) choose(index, column);
      else if (rows.length > 0) {
        wanted = row;
        chosen.column = column;
        of.moved(rows[chosen.index], column, false);
      }
    },
    move(rowsDown) {
      isPinned = true;
      choose(chosen.index + rowsDown, chosen.column);
    },
    chosenColumn: () => chosen.column,
    openChosen() {
      if (rows.length) of.opened(rows[chosen.index], chosen.column);
    },
    focus() {
      canvas.focus();
    },
    toggleTable() {
      asTable = !asTable;
      drawing.hidden = asTable;
      twin.hidden = !asTable;
      if (asTable) drawTable();
      else {
        lay();
        scrollToRow(chosen.index);
        paint();
      }
      return asTable;
    },
  };
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
