// All runs: what happened, did something fall; and two of them marked to be compared.
import { announce, el, fill, foreign, foreignLine, pressable, section, table } from './dom.js';
import { changeQuery, linkTo, openView } from './address.js';
import { axisOf, axisRow, dotPlot, historyPlot } from './chart.js';
import { count, counted, duration, money, moment, percent, points, range, shortMoment, zoneAt } from './format.js';
import { progressOf, stateCounts, verdict } from './marks.js';
import { setFrame, setKeys } from './frame.js';

const LIVE_EVERY_MS = 3000;

/** The tabs of pages that belong to no run. @param {string} open */
export function overallTabs(open) {
  return [
    { text: 'Runs', link: '#/runs' },
    { text: 'Leaderboard', link: '#/board' },
  ].map((tab) => ({ ...tab, open: tab.text === open }));
}

// Why a run is not what was asked for; null if it is.
function stoppedMark(run) {
  const done = `${count(run.done)} of ${count(run.cells)}`;
  if (run.state !== 'unfinished') return run.stopped && ` ◢ stopped (${run.stopped})`;
  if (run.stopped === 'cut off') return ` ◢ was cut off: ${done}`;
  return ` ◢ unfinished${run.stopped ? ` (${run.stopped})` : ''}: ${done}`;
}

/** @param {import('./main.js').PageContext} context */
export async function runsPage(context) {
  const { source, host, query, isOpen } = context;
  let told = await source.json('runs?limit=200');
  if (!isOpen()) return;
  setFrame({ path: [{ text: 'runs' }], tabs: overallTabs('Runs') });
  if (told.runs.length === 0) {
    fill(host, emptyState(told));
    return;
  }
  let runs = told.runs,
    next = told.next;
  const marked = new Set((query.mark || '').split(',').filter(Boolean));
  let filter = query.q || '',
    row = 0;
  const tableHost = el('div'),
    bar = el('div', { 'aria-live': 'polite' }),
    liveHost = el('div'),
    tally = el('span.tally', { role: 'status' });
  const field = el('input.field', {
    type: 'search',
    value: filter,
    'aria-label': 'Filter runs',
    spellcheck: false,
    placeholder: 'Filter: words, suite:NAME, state:unfinished, since:2026-11-01',
    oninput: () => {
      filter = field.value;
      changeQuery({ q: filter.trim() });
      draw();
    },
  });
  const mark = (run) => {
    if (!marked.delete(run)) marked.add(run);
    changeQuery({ mark: [...marked].join(',') });
    draw();
  };
  const compare = () => {
    const [a, b] = runs.filter((each) => marked.has(each.run)).map((each) => each.run);
    if (b) openView(linkTo(['compare', `${a},${b}`]));
    else announce('Mark two runs to compare them');
  };
  const kept = () => runs.filter((each) => meets(each, filter));
  function draw() {
    const shown = kept();
    row = Math.max(0, Math.min(shown.length - 1, row));
    tally.textContent = `${count(shown.length)} of ${count(told.count ?? runs.length)}`;
    fill(tableHost, runTable(shown, marked, mark, row), next && el('p', pressable('Older runs', older)));
    fill(
      bar,
      markedBar(marked, runs, compare, () => {
        marked.clear();
        changeQuery({ mark: '' });
        draw();
      }),
    );
    fill(liveHost, runs.filter((each) => each.state === 'live').map(livePanel));
  }
  async function older() {
    const more = await source.json(`runs?after=${encodeURIComponent(next)}&limit=200`);
    runs = [...runs, ...more.runs];
    next = more.next;
    draw();
  }
  const where = (told.stores || []).map((each) => each.path).join(', ');
  fill(
    host,
    verdict(
      [counted(told.count ?? runs.length, 'run'), where && [' in ', foreignLine(where, 90)]],
      headline(told),
      foreignStores(told.stores || []),
    ),
    liveHost,
    suitesOf(told.suites || []),
    section('Runs', 'mark two to compare them', [
      el('div.filters', { role: 'search' }, field, tally),
      tableHost,
      bar,
    ]),
  );
  draw();
  const move = (by) => {
    row += by;
    draw();
    tableHost.querySelectorAll('tbody th a')[row]?.focus();
  };
  setKeys([
    { key: 'j ArrowDown', shown: 'j ↓', text: 'next run', act: () => move(1) },
    { key: 'k ArrowUp', shown: 'k ↑', text: 'run before', act: () => move(-1) },
    {
      key: 'Enter',
      text: 'open it',
      act: () => {
        const each = kept()[row];
        if (each) openView(linkTo(['run', each.run]));
      },
    },
    {
      key: 'x',
      text: 'mark it',
      act: () => {
        const each = kept()[row];
        if (each) mark(each.run);
      },
    },
    { key: 'c', text: 'compare the marked', act: compare },
    {
      key: 'l',
      text: 'to the run in progress',
      act: () => {
        const each = runs.find((run) => run.state === 'live');
        if (each) openView(linkTo(['run', each.run]));
      },
    },
  ]);
  if (source.isFile || !runs.some((each) => each.state === 'live')) return;
  const timer = setInterval(async () => {
    source.forget('runs');
    const news = await source.json('runs?limit=200').catch(() => null);
    if (!news || !isOpen()) return;
    told = news;
    const known = new Set(news.runs.map((each) => each.run));
    runs = [...news.runs, ...runs.filter((each) => !known.has(each.run))];
    draw();
  }, LIVE_EVERY_MS);
  context.onLeave(() => clearInterval(timer));
}

// Stores that hold what this user did not make; each run tells how many of its replies that are.
function foreignStores(stores) {
  const others = stores.filter((each) => each.is_foreign);
  return (
    others.length > 0 &&
    el(
      'p.notice',
      'Made elsewhere, at least in part: ',
      others.map((each, index) => [index > 0 && ', ', foreignLine(each.path, 90)]),
      '. Each run says how many of its replies.',
    )
  );
}

function headline(told) {
  if (told.sentence) return foreign(told.sentence);
  const live = told.runs.filter((each) => each.state === 'live').length;
  return live
    ? `${counted(live, 'run goes', 'runs go')} on.`
    : `The last run: ${shortMoment(told.runs[0].started_ms)}.`;
}

function emptyState(told) {
  return el(
    'div.state',
    el('h1', 'This folder holds no run.'),
    el('p', 'The first one is two commands away; it is shown from its first answer on:'),
    el('pre.command', 'assay init blueprint hello.yml\nassay run hello.yml'),
    el(
      'p.soft.small',
      'Looked in ',
      (told.stores || []).map((each, index) => [index > 0 && ', ', foreignLine(each.path)]),
      '. Another folder: ',
      el('code', 'assay view FOLDER'),
    ),
  );
}

function meets(run, filter) {
  const text =
    `${run.suite} ${run.title} ${run.run} ${run.dialect} ${run.leader?.name || ''} ${run.sentence || ''}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => {
      const [, key, value] = /^(suite|state|since|dialect):(.*)$/.exec(word) || [];
      if (key === 'suite') return run.suite.toLowerCase().includes(value);
      if (key === 'state') return run.state.startsWith(value);
      if (key === 'dialect') return run.dialect === value;
      if (key === 'since') return run.started_ms >= (Date.parse(value) || 0);
      return text.includes(word);
    });
}

function livePanel(run) {
  return el(
    'section.panel.live-run',
    { 'aria-label': `${run.title}, in progress` },
    el('a', { href: linkTo(['run', run.run]) }, el('b.live', foreignLine(run.title, 60))),
    progressOf(run.done, run.cells),
    run.cost_usd > 0 && el('span.soft', money(run.cost_usd)),
    run.counts?.errors > 0 && el('span.fault', counted(run.counts.errors, 'error')),
  );
}

function suitesOf(suites) {
  const several = suites.filter((each) => (each.runs || []).length > 1);
  if (several.length === 0) return null;
  return section(
    'Suites',
    'leader’s mean and 95 % interval, up to nine runs; filled: the last step is no chance',
    el(
      'div.suite-cards',
      several.map((suite) => {
        const runs = suite.runs.filter((each) => typeof each.mean === 'number');
        const step = suite.step;
        const isClear = step && (step.verdict === 'leads' || step.verdict === 'trails');
        const last = runs[runs.length - 1];
        const words = (each) => `${moment(each.started_ms, false)} ${points(each.mean)}`;
        return el(
          'div.panel',
          el(
            'h3',
            el('a', { href: linkTo(['board', suite.suite]) }, foreignLine(suite.title || suite.suite, 50)),
            last && el('span.suite-mean', points(last.mean)),
          ),
          el(
            'p.small.soft',
            step
              ? [
                  foreign(step.sentence),
                  ' ',
                  el('a', { href: linkTo(['compare', `${step.to},${step.from}`]) }, 'compare'),
                ]
              : foreignLine(suite.sentence || '', 200),
          ),
          historyPlot(
            runs.map((each) => ({ mean: each.mean, interval: each.interval, at: each.started_ms })),
            {
              width: 340,
              height: 76,
              clear: isClear,
              label: `${suite.title || suite.suite}: ${runs.map(words).join(', ')}`,
            },
          ),
        );
      }),
    ),
  );
}

function runTable(shown, marked, mark, row) {
  const width = 120,
    axis = axisOf(0, 1, width, [0, 0.5, 1], 8),
    zone = zoneAt(shown[0]?.started_ms);
  const cells = (run) => [
    el(
      'td.pick',
      el(
        'label',
        el('input', {
          type: 'checkbox',
          checked: marked.has(run.run),
          'aria-label': `mark ${run.title} of ${shortMoment(run.started_ms)}`,
          onchange: () => mark(run.run),
        }),
      ),
    ),
    el('th.when', { scope: 'row' }, el('a', { href: linkTo(['run', run.run]) }, shortMoment(run.started_ms, zone))),
    el('td.suite', foreignLine(run.title || run.suite, 50)),
    el(
      'td.follows',
      run.state === 'live'
        ? el('span.live', `in progress: ${count(run.done)} of ${count(run.cells)}`)
        : foreignLine(run.sentence || 'open it to see', 200),
      run.state !== 'live' && el('span.bad', stoppedMark(run)),
    ),
    el(
      'td.leader',
      run.leader && [
        dotPlot(axis, {
          value: run.leader.mean,
          interval: run.leader.interval,
          width,
          label: `${run.leader.name}: ${points(run.leader.mean)}, 95 %: ${range(run.leader.interval)}`,
        }),
        el('span.leader-mean', points(run.leader.mean)),
        typeof run.leader.plain_mean === 'number' &&
          el('span.interval-text', `${run.leader.value}; mean ${points(run.leader.plain_mean)}`),
        run.leader.interval && el('span.interval-text', `95 %: ${range(run.leader.interval)}`),
        typeof run.leader.pass_rate === 'number' && el('span.interval-text', `${percent(run.leader.pass_rate)} passed`),
      ],
    ),
    el('td.minor.nowrap.small', { 'data-label': 'not scored' }, stateCounts(run.counts || {})),
    el(
      'td.number.minor.small',
      { 'data-label': 'cells' },
      `${count(run.cases)} × ${count(run.variants)} × ${count(run.attempts)}`,
    ),
    el('td.number.minor.small', { 'data-label': 'cost' }, run.cost_usd > 0 ? money(run.cost_usd) : '–'),
    el('td.number.minor.small', { 'data-label': 'time' }, duration(run.wall_ms)),
  ];
  return table(
    [
      { text: el('span.sr', 'Mark') },
      `When, ${zone}`,
      'Suite',
      'What follows',
      { text: ['Leader, 95 %', axisRow(axis, width, points)] },
      { text: 'Not scored', class: 'minor' },
      { text: 'Cases × variants × attempts', class: 'number.minor' },
      { text: 'Cost', class: 'number.minor' },
      { text: 'Time', class: 'number.minor' },
    ],
    shown.map((run, index) => el(index === row ? 'tr.current' : 'tr', cells(run))),
    { class: 'runs' },
  );
}

function markedBar(marked, runs, compare, clear) {
  const chosen = runs.filter((each) => marked.has(each.run));
  if (chosen.length === 0) return null;
  const suites = new Set(chosen.map((each) => each.suite));
  return el(
    'div.marked-bar',
    el('b', `${chosen.length} marked`),
    chosen.length === 2
      ? pressable(['Compare', el('kbd', { 'aria-hidden': 'true' }, 'c')], compare)
      : el('span.soft', chosen.length < 2 ? 'one more is needed' : 'two are compared: the first and the second'),
    chosen.length > 2 && pressable('Compare the first two', compare),
    suites.size > 1 && el('span.soft', 'different suites: only cases of the same content are paired'),
    pressable('Unmark', clear),
  );
}
