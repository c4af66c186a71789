// The leaderboard of a suite: who is best over its runs, and what cannot be compared.
import { el, fill, foreign, foreignLine, section, sideways, table } from './dom.js';
import { linkTo } from './address.js';
import { historyPlot, isNarrow, onResize, roomFor } from './chart.js';
import { count, counted, moment, points } from './format.js';
import { trustPanel, verdict } from './marks.js';
import { conditionsOf } from './run_frame.js';
import { overallTabs } from './page_runs.js';
import { axesOf, gapOf, meanCells, rankCell, rankHeads, rankNote } from './ranking.js';
import { setFrame, setKeys } from './frame.js';

const OLD_AFTER_DAYS = 60;
const DAY_MS = 86400000;

/** @param {import('./main.js').PageContext} context */
export async function boardPage(context) {
  const {
    source,
    host,
    names: [suite],
    isOpen,
  } = context;
  if (suite === undefined) return suiteList(context);
  const told = await source.json(`board/${encodeURIComponent(suite)}`);
  if (!isOpen()) return;
  setFrame({
    path: [
      { text: 'runs', link: '#/runs' },
      { text: 'leaderboard', link: '#/board' },
      { text: told.title || suite },
    ],
    tabs: overallTabs('Leaderboard'),
  });
  const ranking = el('section');
  fill(
    host,
    el(
      'div.grid.top',
      verdict(
        [
          foreignLine(told.title || suite, 90),
          ` · ${counted(told.ranking.length, 'variant')} from ${counted(told.runs, 'run')}`,
          ` · ${counted(told.cases, 'case')}`,
        ],
        foreign(told.sentence || 'No variant has a score.'),
      ),
      trustPanel('What is compared', conditionsOf('', told.trust)),
    ),
    ranking,
    belowTheLine(told),
  );
  const draw = () => fill(ranking, boardTable(told, roomFor(ranking, 280, 1480)));
  draw();
  onResize(context, draw);
  setKeys([]);
}

async function suiteList({ source, host, isOpen }) {
  const told = await source.json('runs?limit=200');
  if (!isOpen()) return;
  setFrame({ path: [{ text: 'runs', link: '#/runs' }, { text: 'leaderboard' }], tabs: overallTabs('Leaderboard') });
  const known = new Map(
    (told.suites || []).map((each) => [each.suite, { title: each.title || each.suite, runs: each.runs.length }]),
  );
  for (const run of told.runs) if (!known.has(run.suite)) known.set(run.suite, { title: run.title, runs: 1 });
  fill(
    host,
    verdict(null, known.size ? 'A leaderboard for each suite.' : 'No run yet, so no leaderboard.'),
    el(
      'ul.rows',
      [...known.entries()].map(([suite, each]) =>
        el(
          'li',
          el('a', { href: linkTo(['board', suite]) }, foreignLine(each.title, 80)),
          el('span.soft', counted(each.runs, 'run')),
        ),
      ),
    ),
  );
}

function boardTable(told, room) {
  const rows = told.ranking;
  if (rows.length === 0) return el('p.soft', 'Nothing can be ranked.');
  const phone = isNarrow(),
    hasHistory = !isNarrow(1199) && rows.some((each) => (each.history || []).length > 1);
  const axes = axesOf(
    rows,
    phone ? Math.max(150, room - 110) : Math.max(140, Math.min(380, Math.round((room - 620) * 0.6))),
    phone ? 110 : Math.max(90, Math.min(200, Math.round((room - 620) * 0.35))),
    told.value,
  );
  const newest = Math.max(...rows.map((each) => each.measured_ms || 0));
  const heads = [
    ...rankHeads('Variant', axes, true),
    hasHistory && 'History',
    { text: 'Measured', class: 'number.coverage' },
    { text: 'Cases', class: 'number.coverage' },
  ];
  const row = (each) => {
    const days = Math.round((newest - each.measured_ms) / DAY_MS),
      name = each.name || each.variant;
    return el(
      'tr',
      rankCell(each),
      el(
        'th.name',
        { scope: 'row' },
        el('a', { href: linkTo(['run', each.run]) }, foreignLine(name, 60)),
        each.is_foreign && el('small.bad', ' ◢ not made by this user'),
      ),
      meanCells(each, name, axes),
      el('td.gap', each.to_leader && gapOf(each.to_leader, axes, rows.length)),
      hasHistory && el('td', historyOf(each)),
      noted('td.number.small.coverage', days > OLD_AFTER_DAYS, moment(each.measured_ms, false)),
      noted('td.number.small.coverage', each.cases < told.cases, `${count(each.cases)} of ${count(told.cases)}`),
    );
  };
  return [
    el(
      'div.head',
      el('h2', 'Ranking'),
      el(
        'span.small.soft',
        `dot: ${axes.value}, line: 95 %. A variant’s latest comparable run counts, never its best`,
      ),
    ),
    table(heads, rows.map(row), { class: 'ranking' }),
    rows.length > 1 && rankNote(rows.length),
  ];
}

// A cell that is marked where it needs a look.
const noted = (spec, isNoted, text) => el(isNoted ? `${spec}.bad` : spec, isNoted && '! ', text);

function historyOf(row) {
  const steps = (row.history || []).filter((step) => typeof step.mean === 'number');
  if (steps.length < 2) return el('span.soft.small', 'one run');
  return historyPlot(
    steps.map((step) => ({ mean: step.mean, interval: step.interval, at: step.measured_ms })),
    {
      width: 150,
      height: 38,
      label: steps.map((step) => `${moment(step.measured_ms, false)} ${points(step.mean)}`).join(', '),
    },
  );
}

function belowTheLine(told) {
  const list = told.below || [];
  if (list.length === 0)
    return section('Not comparable', null, el('p.soft', 'Every result of this suite is above.'), null, {
      class: 'below',
    });
  return section(
    'Not comparable',
    counted(list.length, 'result'),
    sideways(
      'Not comparable',
      table(
        ['Variant', 'Run', 'Why'],
        list.map((each) => [
          el('th', { scope: 'row' }, foreignLine(each.name || each.variant, 70)),
          el('td', el('a', { href: linkTo(['run', each.run]) }, foreignLine(each.run, 40))),
          el('td', foreignLine(each.why, 200)),
        ]),
        { class: 'small' },
      ),
    ),
    null,
    { class: 'below' },
  );
}
