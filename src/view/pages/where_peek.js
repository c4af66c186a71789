// What stands in the cell of the map that is looked at: at once its score, soon after what the checks say.
import { el, fill, foreignLine, pressable } from './dom.js';
import { changeQuery, linkTo } from './address.js';
import { scoreOfByte, stateOfByte } from './cells.js';
import { isNarrow } from './chart.js';
import { nameOfCase } from './data.js';
import { counted } from './format.js';
import { chip } from './marks.js';
import { keyOf, runPath } from './run_frame.js';
import { textOf } from './texts.js';

const PEEK_AFTER_MS = 180;
const POINTS_SHOWN = 5;
const ATTEMPTS_SHOWN = 8;

/** The panel beside the map. */
export class WherePeek {
  /** @param {import('./main.js').PageContext} context @param {any} run */
  constructor(context, run) {
    this.context = context;
    this.run = run;
    this.timer = 0;
    this.node = el('aside.panel.peek', { 'aria-label': 'The chosen cell' });
  }

  /** @param {() => void} clear */
  showNothing(clear) {
    fill(this.node, el('p', 'No case is left. ', pressable('Clear filters', clear)));
  }

  /**
   * @param {import('./cells.js').Cells} cells @param {number} row
   * @param {{told: any, column: import('./matrix_cells.js').Column, isWanted: boolean}} of `told`: what is said of the
   *   case; `isWanted`: by the reader; else a filter leaves out what he chose, which the address keeps
   */
  show(cells, row, { told, column, isWanted }) {
    const at = column.columns[0],
      variant = this.run.variants[at];
    // A column of several is named by its first.
    if (isWanted) changeQuery({ cell: `${told.id},${variant.key || variant.id}` });
    const byte = cells.at(row, at);
    const head = () => peekHead(told, column, byte, cells.isPartial(row, at));
    fill(this.node, head(), el('p.small.soft', foreignLine(told.title, 160)));
    clearTimeout(this.timer);
    if (isNarrow() || column.columns.length > 1 || stateOfByte(byte) === 'unplanned') return;
    this.timer = setTimeout(() => this.read(told, variant, head), PEEK_AFTER_MS);
  }

  async read(told, variant, head) {
    const { run } = this.run;
    const body = await this.context.source
      .json(runPath(run, 'case', `${encodeURIComponent(told.id)}?v=${encodeURIComponent(variant.id)}`))
      .catch(() => null);
    if (!body || !this.context.isOpen()) return;
    const link = linkTo(['run', run, 'case', told.id], { a: keyOf(this.run, variant.id) });
    fill(
      this.node,
      head(),
      peekBody(body.cells?.[0]),
      el('p', el('a.btn', { href: link }, 'Open ', el('kbd', { 'aria-hidden': 'true' }, '↵'))),
    );
  }
}

function peekHead(told, column, byte, partial) {
  return [
    el('p.small.soft', foreignLine(column.name, 80)),
    el(
      'h3.peek-title',
      foreignLine(nameOfCase(told.id), 60),
      ' ',
      column.columns.length === 1 && chip(scoreOfByte(byte), stateOfByte(byte), { partial }),
    ),
  ];
}

/** What of a cell's attempts is looked at first: one without a score, the lowest points, the last turn.
 * @param {any[]} attempts at least one */
export function firstLookOf(attempts) {
  const first = attempts.find((each) => each.state !== 'scored') || attempts[0];
  const graded = attempts.find((each) => each.points && each.points.length) || first;
  return {
    error: first.error,
    lowest: (graded.points || [])
      .slice()
      .sort((a, b) => (a.score ?? -1) - (b.score ?? -1))
      .slice(0, POINTS_SHOWN),
    last: (graded.turns || []).slice(-1)[0],
  };
}

function peekBody(cell) {
  if (!cell) return el('p.soft', 'Not planned: the case does not ask this variant.');
  const attempts = cell.attempts || [];
  if (attempts.length === 0) return el('p.soft', 'No attempt yet.');
  const { error, lowest, last } = firstLookOf(attempts);
  return [
    attempts.length > 1 &&
      el(
        'p.small.soft',
        `${counted(attempts.length, 'attempt')}: `,
        attempts.slice(0, ATTEMPTS_SHOWN).map((each) => [chip(each.score, each.state), ' ']),
      ),
    error && el('p.small.fault', foreignLine(error, 300)),
    el('ul.peek-points', lowest.map(peekPoint)),
    last && el('div.peek-answer', textOf(null, last.text, { most: 600 })),
  ];
}

function peekPoint(point) {
  return el(
    'li',
    chip(point.max > 0 && typeof point.score === 'number' ? point.score / point.max : point.score, point.state),
    el('span', point.not && el('b', 'not: '), foreignLine(point.text, 140)),
  );
}
