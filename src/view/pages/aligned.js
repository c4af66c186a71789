// Blanks and other items of a point, line by line: what was expected, and what each answer has in its place.
import { el, foreign, foreignLine, sideways, table } from './dom.js';

/** The mark of an item's share of its points. @param {any} share */
export function itemMark(share) {
  if (typeof share !== 'number') return null;
  const mark = share >= 1 ? '✓' : share > 0 ? '◐' : '✗';
  return el(share >= 1 ? 'span.good' : 'span.bad', { 'aria-hidden': 'true' }, mark);
}

// Under the name of its answer what was given stands alone.
const given = (found) => /^given: “([^]*)”$/.exec(found)?.[1] ?? found;
const hasLines = (point) => point?.items?.length > 1 && !point.items.some((item) => item.program);

/**
 * The items of one point of all answers in one table; null where there are none to lay side by side.
 * @param {any[]} points of each answer, or undefined @param {string[]} names of the answers
 */
export function alignedItems(points, names) {
  if (!points.some(hasLines)) return null;
  const lists = points.map((point) => point?.items || []);
  const lines = Array.from({ length: Math.max(...lists.map((each) => each.length)) }, (_, index) => index);
  const cell = (item) =>
    el(
      'td',
      item && [
        itemMark(item.share),
        ' ',
        item.found ? foreign(given(item.found), 'code') : el('span.soft', 'nothing'),
        item.share > 0 && item.share < 1 && el('span.soft', ` ${item.points} of ${item.weight}`),
        item.note && foreign(item.note, 'p.soft'),
      ],
    );
  return sideways(
    'Expected and given, line by line',
    table(
      [{ text: el('span.sr', 'Line'), class: 'number' }, 'Expected', ...names.map((name) => foreignLine(name, 40))],
      lines.map((index) => [
        el('td.number.soft', String(index + 1)),
        el('td', foreign(lists.map((list) => list[index]?.wanted).find(Boolean) || '', 'code')),
        lists.map((list) => cell(list[index])),
      ]),
      { class: 'small aligned' },
    ),
  );
}
