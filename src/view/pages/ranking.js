// What rankings share: the ranks that a row may have, its mean with its interval, how far it is behind the first.
import { el } from './dom.js';
import { axisAround, axisRow, dotPlot, tickText } from './chart.js';
import { percent, pointDigits, points, range, signedPoints, signedWithInterval } from './format.js';

const WHY_TEXTS = {
  no_case: 'no case has a score',
  no_pair: 'no case has a score for both',
  one_case: 'only one case',
  one_cluster: 'all cases share one cluster',
  no_spread: 'nothing varies, so the data say nothing about chance',
  one_attempt: 'one attempt each: chance and the choice of cases cannot be separated',
  no_pairs: 'no criterion has two votes',
  no_variation: 'all votes are the same',
  degenerate: 'hangs on a single case',
  no_label: 'no label',
  one_label: 'one label',
  few_labels: 'too few labels that were drawn',
  not_like_the_rest: 'the labels are of answers unlike the rest',
};

/** Why a number is not defined (docs/statistics.md). @param {any} why */
export function whyText(why) {
  return WHY_TEXTS[why] || String(why || '');
}

const intervalWords = (row) =>
  row.interval
    ? `95 %: ${range(row.interval, pointDigits(row.interval))}`
    : `no interval${row.why ? `: ${whyText(row.why)}` : ''}`;

/** The ranks that a row may have; a dash where no data could rank it. @param {any} row */
export function rankText(row) {
  if (!row.can_rank) return '–';
  return row.rank === row.rank_last ? String(row.rank) : `${row.rank}–${row.rank_last}`;
}

/** The axes of means and of gaps, as wide as there is room. @param {any[]} rows @param {number} wide
 * @param {number} gapWide @param {string} [value] what rows are ranked by: "mean", "best of 10" */
export function axesOf(rows, wide, gapWide, value = 'mean') {
  const values = rows.flatMap((row) => [row.mean, ...(row.interval || [])]).filter(Number.isFinite);
  const gaps = rows.flatMap((row) => (row.to_leader?.interval ? [...row.to_leader.interval, 0] : [0]));
  return {
    wide,
    gapWide,
    hasGaps: rows.some((row) => row.to_leader),
    value,
    hasPlain: rows.some((row) => typeof row.plain_mean === 'number'),
    means: axisAround(values, wide, {
      most: wide < 200 ? 4 : 7,
      low: Math.min(0, ...values),
      high: Math.max(1, ...values),
    }),
    gaps: axisAround(gaps, gapWide, { most: 4 }),
  };
}

const capitalized = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** The heads of the columns that every ranking has. @param {string} what @param {ReturnType<typeof axesOf>} axes
 * @param {boolean} hasGaps */
export function rankHeads(what, axes, hasGaps) {
  return [
    { text: 'Rank', class: 'number.rank' },
    what,
    { text: capitalized(axes.value), class: 'number' },
    axes.hasPlain && { text: 'Mean', class: 'number.wide-only' },
    { text: 'Passed', class: 'number.wide-only' },
    {
      text: [
        el('span.sr', `${capitalized(axes.value)} with its 95 % interval`),
        axisRow(axes.means, axes.wide, tickText(axes.means, points)),
      ],
    },
    hasGaps && {
      text: [
        'Behind the first, 95 %',
        axes.hasGaps && axisRow(axes.gaps, axes.gapWide, tickText(axes.gaps, signedPoints)),
      ],
      class: 'gap',
    },
  ];
}

/** @param {any} row */
export function rankCell(row) {
  return el('td.number.rank', rankText(row));
}

/** The mean as a figure, and drawn with its interval. @param {any} row @param {string} name
 * @param {ReturnType<typeof axesOf>} axes @param {any} [beside] what a phone shows beside the interval */
export function meanCells(row, name, axes, beside = null) {
  return [
    el('td.number.mean', points(row.mean, 1)),
    axes.hasPlain && el('td.number.small.wide-only', points(row.plain_mean, 1)),
    el('td.number.small.wide-only', percent(row.pass_rate)),
    el(
      'td.plot',
      dotPlot(axes.means, {
        value: row.mean,
        interval: row.interval,
        width: axes.wide,
        label: `${name}: ${axes.value} ${points(row.mean, 1)}, ${intervalWords(row)}`,
      }),
      el(
        'span.interval-text',
        intervalWords(row),
        axes.hasPlain && ` · mean ${points(row.plain_mean, 1)}`,
        ` · ${percent(row.pass_rate)} passed`,
        beside,
      ),
    ),
  ];
}

const ENOUGH = 0.05; // of p: what is shown

// Why a gap whose interval excludes 0 is not shown.
function whyHollow(gap, count) {
  if (gap.is_worse || !gap.excludes_0) return null;
  const text =
    gap.p <= ENOUGH ? `enough between two alone, not among ${count}` : 'too few cases changed to rule out chance';
  return el('small', text);
}

/** How far a row is behind the first; hollow where it is not shown to be worse.
 * @param {any} gap @param {ReturnType<typeof axesOf>} axes @param {number} count of rows that are ranked */
export function gapOf(gap, axes, count) {
  const text = signedWithInterval(gap.difference, gap.interval);
  return [
    dotPlot(axes.gaps, {
      value: gap.difference,
      interval: gap.interval,
      width: axes.gapWide,
      zero: 0,
      hollow: !gap.is_worse,
      label: `difference to the first: ${text}${gap.is_worse ? '' : ', not shown to be worse'}`,
    }),
    el('span.gap-text', text, whyHollow(gap, count)),
  ];
}

/** What ranks and hollow dots say. @param {number} count of rows that are ranked @param {string} [more] */
export function rankNote(count, more = '') {
  const others = count === 2 ? 'the other' : `the ${count - 1} others`;
  return el(
    'p.mini.soft.note',
    `Rank: the ranks that a row may have, each with 95 % confidence, corrected for its comparisons with ${others}. `,
    `Hollow: not shown to be worse than the first.${more}`,
  );
}
