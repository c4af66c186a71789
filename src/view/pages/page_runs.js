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
  const told = await source.json('runs?limit=200');
  if (!isOpen()) return;
  setFrame({ path: [{ text: 'runs' }], tabs: overallTabs('Runs') });
  if (told.runs.length === 0) {
    fill(host, emptyState(told));
    return;
  }
  const page = new RunsPage(context, new RunList(told, query));
  page.open();
  setKeys(page.keys());
  page.follow();
}

/** The runs that were read, and what the reader chose of them: a filter, a row, marks. Knows no element. */
export class RunList {
  /** @param {any} told @param {Record<string, string>} query */
  constructor(told, query) {
    this.told = told;
    this.runs = told.runs;
    this.next = told.next;
    this.filter = query.q || '';
    this.row = 0;
    this.marked = new Set((query.mark || '').split(',').filter(Boolean));
  }

  shown() {
    return this.runs.filter((each) => meets(each, this.filter));
  }

  /** How many runs there are, also those that were not read. */
  count() {
    return this.told.count ?? this.runs.length;
  }

  /** The run of the row, where there is one. */
  current() {
    return this.shown()[this.row];
  }

  live() {
    return this.runs.filter((each) => each.state === 'live');
  }

  /** @param {string} run */
  toggleMark(run) {
    if (!this.marked.delete(run)) this.marked.add(run);
  }

  /** The marked runs that are here, in their order. */
  markedRuns() {
    return this.runs.filter((each) => this.marked.has(each.run));
  }

  /** Older runs, behind those that are here. @param {any} more */
  addOlder(more) {
    this.runs = [...this.runs, ...more.runs];
    this.next = more.next;
  }

  /** What the newest runs are now. @param {any} news */
  renew(news) {
    this.told = news;
    const known = new Set(news.runs.map((each) => each.run));
    this.runs = [...news.runs, ...this.runs.filter((each) => !known.has(each.run))];
  }
}

// The page of all runs: where it draws, and what the reader does.
class RunsPage {
  constructor(context, list) {
    this.context = context;
    this.list = list;
    this.tableHost = el('div');
    this.bar = el('div', { 'aria-live': 'polite' });
    this.liveHost = el('div');
    this.tally = el('span.tally', { role: 'status' });
    this.field = el('input.field', {
      type: 'search',
      value: list.filter,
      'aria-label': 'Filter runs',
      spellcheck: false,
      placeholder: 'Filter: words, suite:NAME, state:unfinished, since:2026-11-01',
      oninput: () => this.filterBy(this.field.value),
    });
  }

  open() {
    const { told } = this.list;
    const where = (told.stores || []).map((each) => each.path).join(', ');
    fill(
      this.context.host,
      verdict(
        [counted(this.list.count(), 'run'), where && [' in ', foreignLine(where, 90)]],
        headline(told),
        foreignStores(told.stores || []),
      ),
      this.liveHost,
      suitesOf(told.suites || []),
      section('Runs', 'mark two to compare them', [
        el('div.filters', { role: 'search' }, this.field, this.tally),
        this.tableHost,
        this.bar,
      ]),
    );
    this.draw();
  }

  draw() {
    const { list } = this;
    const shown = list.shown();
    list.row = Math.max(0, Math.min(shown.length - 1, list.row));
    this.tally.textContent = `${count(shown.length)} of ${count(list.count())}`;
    fill(
      this.tableHost,
      runTable(shown, list.marked, (run) => this.mark(run), list.row),
      list.next && el('p', pressable('Older runs', () => this.readOlder())),
    );
    fill(
      this.bar,
      markedBar(list.markedRuns(), () => this.compare(), () => this.unmark()),
    );
    fill(this.liveHost, list.live().map(livePanel));
  }

  keys() {
    return [
      { key: 'j ArrowDown', shown: 'j ↓', text: 'next run', act: () => this.move(1) },
      { key: 'k ArrowUp', shown: 'k ↑', text: 'run before', act: () => this.move(-1) },
      { key: 'Enter', text: 'open it', act: () => this.openRun(this.list.current()) },
      { key: 'x', text: 'mark it', act: () => this.markCurrent() },
      { key: 'c', text: 'compare the marked', act: () => this.compare() },
      { key: 'l', text: 'to the run in progress', act: () => this.openRun(this.list.live()[0]) },
    ];
  }

  // ---- what the reader does

  filterBy(text) {
    this.list.filter = text;
    changeQuery({ q: text.trim() });
    this.draw();
  }

  move(by) {
    this.list.row += by;
    this.draw();
    this.tableHost.querySelectorAll('tbody th a')[this.list.row]?.focus();
  }

  openRun(run) {
    if (run) openView(linkTo(['run', run.run]));
  }

  mark(run) {
    this.list.toggleMark(run);
    changeQuery({ mark: [...this.list.marked].join(',') });
    this.draw();
  }

  markCurrent() {
    const run = this.list.current();
    if (run) this.mark(run.run);
  }

  unmark() {
    this.list.marked.clear();
    changeQuery({ mark: '' });
    this.draw();
  }

  compare() {
    const [a, b] = this.list.markedRuns().map((each) => each.run);
    if (b) openView(linkTo(['compare', `${a},${b}`]));
    else announce('Mark two runs to compare them');
  }

  // ---- what is read later

  async readOlder() {
    const { list } = this;
    list.addOlder(await this.context.source.json(`runs?after=${encodeURIComponent(list.next)}&limit=200`));
    this.draw();
  }

  /** Reads the runs again and again while one goes on. */
  follow() {
    const { source, isOpen, onLeave } = this.context;
    if (source.isFile || this.list.live().length === 0) return;
    const timer = setInterval(async () => {
      source.forget('runs');
      const news = await source.json('runs?limit=200').catch(() => null);
      if (!news || !isOpen()) return;
      this.list.renew(news);
      this.draw();
    }, LIVE_EVERY_MS);
    onLeave(() => clearInterval(timer));
  }
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
          suite.is_foreign && el('p.small.bad', '◢ not made by this user'),
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
      run.is_foreign && el('span.bad', ' ◢ not made by this user'),
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

function markedBar(chosen, compare, clear) {
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
