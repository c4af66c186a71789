// What rankings share: ranks, a mean with its interval, how far a row is behind the first of its tier.
import { el } from './dom.js';
import { axisAround, axisRow, dotPlot, tickText } from './chart.js';
import { counted, pointDigits, points, range, signedPoints, signedWithInterval } from './format.js';

const WHY_TEXTS = {
  no_case: 'no case has a score',
  no_pair: 'no case has a score for both',
  one_case: 'only one case',
  one_cluster: 'all cases share one cluster',
  no_spread: 'nothing varies, so the data say nothing about chance',
  one_attempt: 'one attempt each: sampling cannot be told from cases',
  no_pairs: 'no point has two votes',
  no_variation: 'all votes are the same',
  degenerate: 'hangs on a single case',
  no_label: 'no label',
  one_label: 'one label',
};

/** Why a number is not defined (docs/statistics.md). @param {any} why */
export function whyText(why) {
  return WHY_TEXTS[why] || String(why || '');
}

const intervalWords = (row) =>
  row.interval
    ? `95 %: ${range(row.interval, pointDigits(row.interval))}`
    : `no interval${row.why ? `: ${whyText(row.why)}` : ''}`;

/** The rows by tier, those without one last. @param {any[]} rows @returns {[any, any[]][]} */
export function byTier(rows) {
  const tiers = new Map();
  for (const row of rows) tiers.set(row.tier ?? 'none', [...(tiers.get(row.tier ?? 'none') || []), row]);
  return [...tiers.entries()];
}

/** The axes of means and of gaps, as wide as there is room. @param {any[]} rows @param {number} wide
 * @param {number} gapWide */
export function axesOf(rows, wide, gapWide) {
  const values = rows.flatMap((row) => [row.mean, ...(row.interval || [])]).filter(Number.isFinite);
  const gaps = rows.flatMap((row) => (row.to_first?.interval ? [...row.to_first.interval, 0] : [0]));
  return {
    wide,
    gapWide,
    hasGaps: rows.some((row) => row.to_first),
    means: axisAround(values, wide, {
      most: wide < 200 ? 4 : 7,
      low: Math.min(0, ...values),
      high: Math.max(1, ...values),
    }),
    gaps: axisAround(gaps, gapWide, { most: 4 }),
  };
}

/** The heads of the columns that every ranking has. @param {string} what @param {ReturnType<typeof axesOf>} axes
 * @param {boolean} hasGaps */
export function rankHeads(what, axes, hasGaps) {
  return [
    { text: 'Rank', class: 'number.rank' },
    what,
    { text: 'Mean', class: 'number' },
    {
      text: [
        el('span.sr', 'Mean with its 95 % interval'),
        axisRow(axes.means, axes.wide, tickText(axes.means, points)),
      ],
    },
    hasGaps && {
      text: [
        'To the first of its tier, 95 %',
        axes.hasGaps && axisRow(axes.gaps, axes.gapWide, tickText(axes.gaps, signedPoints)),
      ],
      class: 'gap',
    },
  ];
}

/** @param {any} row @param {boolean} isShared */
export function rankCell(row, isShared) {
  return el(isShared ? 'td.number.rank.shared' : 'td.number.rank', row.rank ?? '–', isShared && '=');
}

/** The mean as a figure, and drawn with its interval. @param {any} row @param {string} name
 * @param {ReturnType<typeof axesOf>} axes @param {any} [beside] what a phone shows beside the interval */
export function meanCells(row, name, axes, beside = null) {
  return [
    el('td.number.mean', points(row.mean, 1)),
    el(
      'td.plot',
      dotPlot(axes.means, {
        value: row.mean,
        interval: row.interval,
        width: axes.wide,
        label: `${name}: mean ${points(row.mean, 1)}, ${intervalWords(row)}`,
      }),
      el('span.interval-text', intervalWords(row), beside),
    ),
  ];
}

/** How far a row is behind the first of its tier; hollow where it is not shown to be worse.
 * @param {any} gap @param {ReturnType<typeof axesOf>} axes @param {number} pairs */
export function gapOf(gap, axes, pairs) {
  const text = signedWithInterval(gap.difference, gap.interval);
  return [
    dotPlot(axes.gaps, {
      value: gap.difference,
      interval: gap.interval,
      width: axes.gapWide,
      zero: 0,
      hollow: !gap.is_worse,
      label: `difference to the first of its tier: ${text}${gap.is_worse ? '' : ', not shown to be worse'}`,
    }),
    el(
      'span.gap-text',
      text,
      !gap.is_worse && gap.excludes_0 && el('small', `not after correction for ${counted(pairs, 'pair')}`),
    ),
  ];
}

/** What the hollow dots of a ranking say. @param {number} pairs @param {string} [more] */
export function correctionNote(pairs, more = '') {
  return el(
    'p.mini.soft.note',
    `Hollow: not shown to be worse, corrected for ${counted(pairs, 'pair')}.${more}`,
  );
}
