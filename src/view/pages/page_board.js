// The leaderboard of a suite: who is best over its runs, and what cannot be compared.
import { el, fill, foreign, foreignLine, section, sideways } from './dom.js';
import { linkTo } from './address.js';
import { axisAround, axisRow, dotPlot, tickText, historyPlot, isNarrow, roomFor } from './chart.js';
import { count, counted, moment, pointDigits, points, range, signedPoints, signedWithInterval } from './format.js';
import { trustPanel, verdict } from './marks.js';
import { conditionsOf } from './run_frame.js';
import { overallTabs } from './page_runs.js';
import { whyText } from './page_run.js';
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
  let waiting;
  const refit = () => {
    clearTimeout(waiting);
    waiting = setTimeout(draw, 120);
  };
  addEventListener('resize', refit);
  context.onLeave(() => removeEventListener('resize', refit));
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
  const width = phone ? Math.max(150, room - 110) : Math.max(140, Math.min(380, Math.round((room - 620) * 0.6))),
    gapWidth = phone ? 110 : Math.max(90, Math.min(200, Math.round((room - 620) * 0.35)));
  const axis = axisAround(
    rows.flatMap((each) => [each.mean, ...(each.interval || [])]),
    width,
    { most: width < 200 ? 4 : 7 },
  );
  const gapAxis = axisAround([0, ...rows.flatMap((each) => each.to_first?.interval || [])], gapWidth, { most: 4 });
  const newest = Math.max(...rows.map((each) => each.measured_ms || 0));
  const tiers = new Map();
  for (const row of rows) tiers.set(row.tier ?? 'none', [...(tiers.get(row.tier ?? 'none') || []), row]);
  const gapCell = (each, shared) => {
    const gap = each.to_first;
    if (!gap) return el('span.soft', shared ? 'first of its tier' : '');
    const text = signedWithInterval(gap.difference, gap.interval);
    return [
      dotPlot(gapAxis, {
        value: gap.difference,
        interval: gap.interval,
        width: gapWidth,
        zero: 0,
        hollow: !gap.is_worse,
        label: `difference to the first of its tier: ${text}`,
      }),
      el(
        'span.gap-text',
        text,
        !gap.is_worse &&
          gap.excludes_0 &&
          gap.interval &&
          el('small', `not after correction for ${counted(told.pairs, 'pair')}`),
      ),
    ];
  };
  const row = (each, shared) => {
    const days = Math.round((newest - each.measured_ms) / DAY_MS),
      steps = (each.history || []).filter((step) => typeof step.mean === 'number');
    return el(
      'tr',
      el(shared ? 'td.number.rank.shared' : 'td.number.rank', each.rank ?? '–', shared && '='),
      el(
        'th.name',
        { scope: 'row' },
        el('a', { href: linkTo(['run', each.run]) }, foreignLine(each.name || each.variant, 60)),
      ),
      el('td.number.mean', points(each.mean, 1)),
      el(
        'td.plot',
        dotPlot(axis, {
          value: each.mean,
          interval: each.interval,
          width,
          label: `mean ${points(each.mean, 1)}, ${each.interval ? `95 % ${range(each.interval)}` : 'no interval'}`,
        }),
        el(
          'span.interval-text',
          each.interval
            ? `95 %: ${range(each.interval, pointDigits(each.interval))}`
            : `no interval${each.why ? `: ${whyText(each.why)}` : ''}`,
        ),
      ),
      el('td.gap', gapCell(each, shared)),
      hasHistory &&
        el(
          'td',
          steps.length > 1
            ? historyPlot(
                steps.map((step) => ({ mean: step.mean, interval: step.interval, at: step.measured_ms })),
                {
                  width: 150,
                  height: 38,
                  label: steps.map((step) => `${moment(step.measured_ms, false)} ${points(step.mean)}`).join(', '),
                },
              )
            : el('span.soft.small', 'one run'),
        ),
      el(
        days > OLD_AFTER_DAYS ? 'td.number.small.coverage.bad' : 'td.number.small.coverage',
        days > OLD_AFTER_DAYS && '! ',
        moment(each.measured_ms, false),
      ),
      el(
        each.cases < told.cases ? 'td.number.small.coverage.bad' : 'td.number.small.coverage',
        each.cases < told.cases && '! ',
        `${count(each.cases)} of ${count(told.cases)}`,
      ),
    );
  };
  const columns = hasHistory ? 8 : 7;
  return [
    el(
      'div.head',
      el('h2', 'Ranking'),
      el(
        'span.small.soft',
        'those of one tier cannot be told apart from its first; dot: mean, line: 95 %. ',
        'A variant’s latest comparable run counts, never its best',
      ),
    ),
    el(
      'table.ranking',
      el(
        'thead',
        el(
          'tr',
          el('th.number.rank', { scope: 'col' }, 'Rank'),
          el('th', { scope: 'col' }, 'Variant'),
          el('th.number', { scope: 'col' }, 'Mean'),
          el(
            'th',
            { scope: 'col' },
            el('span.sr', 'Mean with its 95 % interval'),
            axisRow(axis, width, tickText(axis, points)),
          ),
          el(
            'th',
            { scope: 'col' },
            'To the first of its tier, 95 %',
            axisRow(gapAxis, gapWidth, tickText(gapAxis, signedPoints)),
          ),
          hasHistory && el('th', { scope: 'col' }, 'History'),
          el('th.number.coverage', { scope: 'col' }, 'Measured'),
          el('th.number.coverage', { scope: 'col' }, 'Cases'),
        ),
      ),
      [...tiers.entries()].map(([tier, members]) =>
        el(
          'tbody',
          el(
            'tr.tier',
            el(
              'th',
              { colspan: columns, scope: 'rowgroup' },
              tier === 'none'
                ? 'Without a score'
                : [
                    el('b', `Tier ${tier}`),
                    el(
                      'span.soft',
                      members.length > 1
                        ? ` · ${members.length} share rank ${members[0].rank}`
                        : ` · rank ${members[0].rank}, alone`,
                    ),
                  ],
            ),
          ),
          members.map((each) => row(each, members.length > 1)),
        ),
      ),
    ),
    el('p.mini.soft.note', `Hollow: not shown to be worse, corrected for ${counted(told.pairs, 'pair')}.`),
  ];
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
      el(
        'table.small',
        el(
          'thead',
          el(
            'tr',
            el('th', { scope: 'col' }, 'Variant'),
            el('th', { scope: 'col' }, 'Run'),
            el('th', { scope: 'col' }, 'Why'),
          ),
        ),
        el(
          'tbody',
          list.map((each) =>
            el(
              'tr',
              el('th', { scope: 'row' }, foreignLine(each.name || each.variant, 70)),
              el('td', el('a', { href: linkTo(['run', each.run]) }, foreignLine(each.run, 40))),
              el('td', foreignLine(each.why, 200)),
            ),
          ),
        ),
      ),
    ),
    null,
    { class: 'below' },
  );
}
