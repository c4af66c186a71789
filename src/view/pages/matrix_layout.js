// Where the parts of the matrix stand, in pixels: columns and their heads, rows in sight, the table's page of rows.
// Knows no element.

export const ROWS_IN_WINDOW = 34;
const ROWS_WITHOUT_WINDOW = 60; // so many rows stand on the page; more scroll in a window of their own
const CELLS_OF_TABLE_MAX = 6000; // elements that a browser lays out at once; more rows follow by pages
const SCROLL_HEIGHT_MAX = 4000000; // browsers lose precision far beyond; more rows share it
const MEAN_WIDTH = 48;
const GROUP_GAP = 8;
const LETTER_WIDTH = 6.6;

/** @typedef {import('./matrix_cells.js').Column} Column */

/**
 * @typedef {{rows: number, phone: boolean, labelWidth: number, hasGroups: boolean, wide: number, high: number,
 *   lefts: number[], width: number, isWindow: boolean, shownRows: number, whole: number, height: number,
 *   seen: number}} Layout `wide`, `high`: a cell; `width`, `whole`: all cells; `seen`, `height`: the window over them
 */

/**
 * The layout of some rows in a host.
 * @param {Column[]} columns
 * @param {{rows: number, hasLevels: boolean, hostWidth: number, phone: boolean, isMedium: boolean}} of
 * @returns {Layout}
 */
export function layoutOf(columns, { rows, hasLevels, hostWidth, phone, isMedium }) {
  const labelWidth = phone ? 116 : isMedium ? 150 : 210;
  const hasGroups = hasLevels && !phone;
  const meanWidth = phone ? 0 : MEAN_WIDTH;
  const room = Math.max(120, hostWidth - labelWidth - meanWidth - 16);
  const wide = cellWidth(columns, room, { phone, hasGroups });
  const high = phone ? 44 : 24;
  const lefts = leftsOf(columns, wide, hasGroups);
  const width = lefts[lefts.length - 1] + wide + meanWidth;
  const isWindow = rows > ROWS_WITHOUT_WINDOW;
  const shownRows = isWindow ? ROWS_IN_WINDOW : Math.max(1, rows);
  return {
    rows,
    phone,
    labelWidth,
    hasGroups,
    wide,
    high,
    lefts,
    width,
    isWindow,
    shownRows,
    whole: Math.min(SCROLL_HEIGHT_MAX, rows * high),
    height: shownRows * high,
    seen: Math.min(width, room + meanWidth),
  };
}

function cellWidth(columns, room, { phone, hasGroups }) {
  const gaps = hasGroups ? new Set(columns.map((each) => each.group)).size - 1 : 0;
  const share = Math.floor((room - gaps * GROUP_GAP) / columns.length);
  return Math.max(phone ? 44 : 26, Math.min(phone ? 64 : 46, share));
}

function leftsOf(columns, wide, hasGroups) {
  const lefts = [];
  columns.forEach((column, index) => {
    const isNewGroup = hasGroups && index > 0 && column.group !== columns[index - 1].group;
    lefts.push(index === 0 ? 0 : lefts[index - 1] + wide + (isNewGroup ? GROUP_GAP : 0));
  });
  return lefts;
}

// ---- rows in sight

/** The first row in sight, as a fraction of rows. @param {Layout} layout @param {number} scrollTop */
export function firstInSight(layout, scrollTop) {
  if (!layout.isWindow) return 0;
  const far = layout.whole - layout.height;
  return far <= 0 ? 0 : (scrollTop / far) * (layout.rows - layout.shownRows);
}

/** How far to scroll until a row is in sight; null where it is. @param {Layout} layout @param {number} scrollTop
 * @param {number} index */
export function scrollFor(layout, scrollTop, index) {
  if (!layout.isWindow) return null;
  const first = firstInSight(layout, scrollTop);
  const last = first + layout.shownRows - 1;
  if (index >= first && index <= last) return null;
  const wanted = index < first ? index : index - layout.shownRows + 1;
  return (wanted / (layout.rows - layout.shownRows)) * (layout.whole - layout.height);
}

/** The cell at a point of the window; null where there is none. @param {Layout} layout
 * @param {{x: number, y: number, scrollLeft: number, scrollTop: number}} point */
export function cellAt(layout, { x, y, scrollLeft, scrollTop }) {
  const index = Math.floor(firstInSight(layout, scrollTop) + y / layout.high);
  const far = x + scrollLeft;
  const column = layout.lefts.findIndex((left) => far >= left && far < left + layout.wide);
  return index >= 0 && index < layout.rows && column >= 0 ? { index, column } : null;
}

// ---- heads of columns

/** The heads above the columns. @param {Column[]} columns @param {string[]} levelNames @param {Layout} layout */
export function headsOf(columns, levelNames, { hasGroups, wide }) {
  const levels = hasGroups ? levelNames : [];
  const isSlanted = !hasGroups && columns.some((column) => column.label.length * 7 > wide - 4);
  const groupHeight = hasGroups ? 22 : 0;
  const height = hasGroups ? groupHeight + levels.length * 19 : isSlanted ? 92 : 22;
  return { groups: hasGroups ? groupsOf(columns) : [], levels, isSlanted, groupHeight, height };
}

// Columns of one group that stand beside each other.
function groupsOf(columns) {
  const groups = [];
  columns.forEach((column, index) => {
    const last = groups[groups.length - 1];
    if (last && last.name === column.group) last.to = index;
    else groups.push({ name: column.group, from: index, to: index });
  });
  return groups;
}

/** A text cut to a width. @param {string} text @param {number} room */
export function shortened(text, room) {
  const most = Math.max(1, Math.floor(room / LETTER_WIDTH) - 1);
  return text.length * LETTER_WIDTH > room ? `${text.slice(0, most)}…` : text;
}

// ---- pages of the table

/** The page of rows, from one and up to another, that shows a row. @param {number} rows @param {number} columns
 * @param {number} index */
export function tablePageOf(rows, columns, index) {
  const size = Math.max(20, Math.floor(CELLS_OF_TABLE_MAX / columns)),
    from = Math.floor(index / size) * size;
  return { size, from, to: Math.min(rows, from + size) };
}
