// Means and pass rates by group, by language and by tag: a table for each dimension, chosen by buttons.
import { el, fill, foreignLine, pressable, section, sideways, table } from './dom.js';
import { count, counted, percent, pointDigits, points, range, signedWithInterval } from './format.js';
import { nameOf } from './run_frame.js';
import { whyText } from './ranking.js';

const VARIANTS_AT_ONCE = 8;
const GROUP_TITLES = { group: 'By group', tag: 'By tag', lang: 'By language' };

/** @typedef {{by: string, variant: string, groups: any[], micro: any, macro: any}} GroupsOfVariant */

/** The dimensions that a run has, in the order of their tables. @param {GroupsOfVariant[]} groups */
export function dimensionsOf(groups) {
  return [...new Set((groups || []).map((each) => each.by))];
}

/** "By group", "By group.2", "By language". @param {string} by */
export const titleOfDimension = (by) => GROUP_TITLES[by] || `By ${by}`;

/** The rows of a table: groups in their order, then micro and macro, each with a number for each variant.
 * @param {GroupsOfVariant[]} entries of one dimension, a variant each, in the order of the columns */
export function rowsOf(entries) {
  if (entries.length === 0) return [];
  const rows = entries[0].groups.map((group, at) => ({
    name: group.group,
    kind: 'group',
    numbers: entries.map((each) => each.groups[at]),
  }));
  rows.push({ name: 'All cases (micro)', kind: 'sum', numbers: entries.map((each) => each.micro) });
  if (entries[0].macro)
    rows.push({ name: 'Mean of groups (macro)', kind: 'sum', numbers: entries.map((each) => each.macro) });
  return rows;
}

/** "69 to 92 · passed 61 %", or why there is no interval. @param {any} number */
export function beside(number) {
  const interval = number.interval
    ? range(number.interval, pointDigits(number.interval))
    : `no interval${number.why ? `: ${whyText(number.why)}` : ''}`;
  const left = number.cases_left_out > 0 ? ` (${count(number.cases_left_out)} left out)` : '';
  const size = number.groups === undefined ? counted(number.cases, 'case') + left : counted(number.groups, 'group');
  return `${interval} · passed ${percent(number.pass_rate)} · ${size}`;
}

function groupCell(number) {
  if (typeof number.mean !== 'number') return el('td.number.soft', '–');
  return el('td.number', points(number.mean, 1), el('small.soft.group-beside', beside(number)));
}

function tableOf(run, entries) {
  const heads = ['', ...entries.map((each) => ({ text: foreignLine(nameOf(run, each.variant), 40), class: 'number' }))];
  const lines = rowsOf(entries).map((row) =>
    el(
      `tr${row.kind === 'sum' ? '.group-sum' : ''}`,
      el('th', { scope: 'row' }, row.kind === 'sum' ? row.name : foreignLine(row.name, 40)),
      row.numbers.map(groupCell),
    ),
  );
  return sideways(table(heads, lines, { class: 'groups' }));
}

/** The section of a run's page; nothing where no case names a group, a language or a tag. @param {any} run */
export function groupsSection(run) {
  const dimensions = dimensionsOf(run.groups);
  if (dimensions.length === 0) return [];
  const ranked = (run.statistics?.ranking || []).map((row) => row.variant);
  const place = (id) => (ranked.includes(id) ? ranked.indexOf(id) : ranked.length);
  const body = el('div');
  const buttons = el('p.group-buttons');
  let isAll = false;
  let chosen = dimensions[0];
  const draw = () => {
    const entries = run.groups
      .filter((each) => each.by === chosen)
      .sort((a, b) => place(a.variant) - place(b.variant));
    const shown = isAll ? entries : entries.slice(0, VARIANTS_AT_ONCE);
    fill(
      buttons,
      dimensions.length > 1 &&
        dimensions.map((by) => [
          pressable(titleOfDimension(by), () => choose(by), { 'aria-pressed': by === chosen }),
          ' ',
        ]),
    );
    fill(
      body,
      tableOf(run, shown),
      shown.length < entries.length &&
        el(
          'p',
          pressable(`Show all ${entries.length} variants`, () => {
            isAll = true;
            draw();
          }),
        ),
      el(
        'p.mini.soft.note',
        'Points of 100. Each 95 % interval holds by itself: about one of 20 does not contain the true mean. ',
        chosen !== 'tag' && 'Micro: each case counts the same. Macro: each group counts the same.',
      ),
    );
  };
  const choose = (by) => {
    chosen = by;
    draw();
  };
  draw();
  const title = dimensions.length > 1 ? 'Groups' : titleOfDimension(chosen);
  return section(title, null, [buttons, body]);
}

/** What stands in the row of a group of a comparison. @param {string} name @param {any} group */
export function differenceCells(name, group) {
  const sides = (a, b, text) =>
    typeof a === 'number' && typeof b === 'number' ? `${text(a)} against ${text(b)}` : '–';
  return [
    name,
    sides(group.mean_a, group.mean_b, (each) => points(each, 1)),
    sides(group.pass_rate_a, group.pass_rate_b, percent),
    typeof group.difference === 'number' ? signedWithInterval(group.difference, group.interval) : '–',
    group.groups === undefined ? counted(group.cases, 'case') : counted(group.groups, 'group'),
    typeof group.p === 'number' ? Number(group.p.toPrecision(3)).toString() : '–',
  ];
}

const COMPARED = ['Means', 'Passed', 'Points, 95 %', 'Cases', 'p'].map((text) => ({ text, class: 'number' }));

/** The sections of a comparison by group and by language. @param {any[]} [tables] */
export function differencesByGroup(tables = []) {
  const lineOf = (name, group, isSum) =>
    el(
      `tr${isSum ? '.group-sum' : ''}`,
      differenceCells(name, group).map((cell, at) =>
        at === 0 ? el('th', { scope: 'row' }, isSum ? cell : foreignLine(cell, 40)) : el('td.number', cell),
      ),
    );
  return tables.map((each) =>
    section(titleOfDimension(each.by), `p of a group is corrected for ${counted(each.groups.length, 'group')}`, [
      sideways(
        table(
          ['', ...COMPARED],
          [
            ...each.groups.map((group) => lineOf(group.group, group, false)),
            lineOf('All cases (micro)', each.micro, true),
            each.macro && lineOf('Mean of groups (macro)', each.macro, true),
          ].filter(Boolean),
          { class: 'groups' },
        ),
      ),
    ]),
  );
}
