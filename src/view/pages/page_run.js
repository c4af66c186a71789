// A run: which is better, is it certain, where, and what makes it so.
import { announce, el, fill, foreign, foreignLine, pressable, section, sideways, table } from './dom.js';
import { changeQuery, linkTo } from './address.js';
import { axisAround, axisRow, dotPlot, tickText, isNarrow, onResize, roomFor } from './chart.js';
import { count, counted, moment, percent, pointDigits, range, signedPoints, signedWithInterval } from './format.js';
import { caseLink, chip, stateCounts, trustPanel, verdict } from './marks.js';
import {
  conditionsOf,
  hasCost,
  keyOf,
  modelName,
  nameOf,
  readRun,
  setRunFrame,
  titleOfRun,
  verdictTexts,
} from './run_frame.js';
import { setKeys } from './frame.js';
import { axesOf, gapOf, meanCells, rankCell, rankHeads, rankNote } from './ranking.js';
import { groupsSection } from './groups.js';
import { WhereSection } from './where.js';
import { followRun } from './live.js';
import { raceSections } from './race.js';
import { markdownOf } from './markdown.js';

const HARDEST_SHOWN = 5;
const ROWS_AT_ONCE = 12; // of the ranking, before "Show all"
const STOPPED_NOTE = 'Each mean is of the cases that were looked at; its interval holds whenever the run ends. ';
const DROPPED_NOTE = 'Who was dropped is not first, and its place among the others is not known. ';

/** @param {import('./main.js').PageContext} context */
export async function runPage(context) {
  const {
    source,
    names: [id],
    isOpen,
  } = context;
  const run = await readRun(source, id);
  if (!isOpen()) return;
  setRunFrame(source, run, 'Result');
  const index = source.isFile ? await source.json('index') : {};
  const page = new RunPage(context, run, leftOutNote(run, index, hasCost(source, run)));
  page.open();
  const { where } = page;
  await where.open();
  if (!isOpen()) return;
  page.drawHardest(where.tagMeans());
  setKeys([...where.keys, { key: 'g', text: 'rank models or variants', act: () => page.toggleUnit() }]);
  onResize(context, () => page.refit());
  if (run.is_live) followRun(context, run, page.live, where);
}

/** What a ranking is first about, models or variants. @param {any} run @param {Record<string, string>} query */
export function firstUnit(run, query) {
  if ((run.statistics?.models || []).length === 0) return 'variants';
  const isOfModels = query.unit ? query.unit === 'models' : run.verdict?.[0]?.about === 'models';
  return isOfModels ? 'models' : 'variants';
}

// The page of one run: what stands where, and how the ranking is shown.
class RunPage {
  constructor(context, run, lacking) {
    this.context = context;
    this.run = run;
    this.hasModels = (run.statistics?.models || []).length > 0;
    this.hasEffects = (run.statistics?.factors || []).length > 0;
    this.unit = firstUnit(run, context.query);
    this.isAll = false;
    this.live = el('div');
    this.ranking = el('section');
    this.race = el('div');
    this.hard = el('div');
    this.effects = el('section');
    this.where = new WhereSection(context, run);
    const { first, others } = verdictTexts(run.verdict);
    this.said = verdict(overline(run), [stoppedAt(run), first], others, notes(run), lacking);
    this.left = el('div.ranking-part', this.ranking, this.hard);
    this.trust = trustPanel('Can it be trusted?', conditionsOf(context.names[0], run.trust));
    this.side = el('div.side', this.trust, this.hasEffects && this.effects);
  }

  open() {
    const { run } = this;
    fill(
      this.context.host,
      this.live,
      el('div.grid.top.run-top', this.said, this.left, this.side),
      this.race,
      this.where.node,
      groupsSection(run),
      triesSection(run),
      errorsOf(run),
      formatTables(run),
      closingOf(run),
      aboutOf(run),
    );
    this.drawRanking();
    this.drawRace();
    this.drawEffects();
    this.drawHardest([]);
  }

  drawRace() {
    fill(this.race, raceSections(this.run, roomFor(this.race, 300, 1100)));
  }

  drawRanking() {
    fill(
      this.ranking,
      rankingOf(this.run, this.unit, this.hasModels, {
        toggle: (next) => this.toggleUnit(next),
        room: roomFor(this.ranking, 300, 1000),
        isAll: this.isAll,
        showAll: () => {
          this.isAll = true;
          this.drawRanking();
        },
      }),
    );
  }

  drawEffects() {
    if (this.hasEffects) fill(this.effects, effectsOf(this.run, roomFor(this.effects, 280, 640)));
  }

  drawHardest(tagMeans) {
    fill(this.hard, hardSection(this.run, tagMeans));
    this.balance();
  }

  refit() {
    this.drawRanking();
    this.drawRace();
    this.drawEffects();
    this.where.refit();
  }

  toggleUnit(next = this.unit === 'models' ? 'variants' : 'models') {
    if (!this.hasModels) return;
    this.unit = next;
    changeQuery({ unit: next });
    this.drawRanking();
    announce(`Ranking of ${next}`);
  }

  // What stands below ranking and conditions goes where it leaves the smaller hole.
  balance() {
    if (isNarrow(1199)) return;
    const { hard, effects, left, side, hasEffects } = this;
    const left0 = this.said.offsetHeight + this.ranking.offsetHeight,
      gap = (a, b) => Math.abs(left0 + a - (this.trust.offsetHeight + b)),
      [lost, changes] = [hard.offsetHeight, hasEffects ? effects.offsetHeight : 0];
    const isTurned = gap(changes, lost) < gap(lost, changes);
    if (isTurned === (hard.parentNode === side)) return;
    left.append(isTurned ? effects : hard);
    side.append(isTurned ? hard : effects);
    if (!hasEffects) effects.remove();
    else this.drawEffects();
  }
}

function overline(run) {
  const size = [
    counted(run.cases, 'case'),
    counted(run.variants.length, 'variant'),
    run.attempts > 1 && counted(run.attempts, 'attempt'),
  ]
    .filter(Boolean)
    .join(' × ');
  return [foreignLine(titleOfRun(run), 90), ` · ${moment(run.started_ms)} · ${size}`];
}

// What a run that was stopped says begins with how far it came, and why no further.
function stoppedAt(run) {
  if (run.is_live || (run.state !== 'unfinished' && !run.stopped)) return null;
  if (run.asked_part) return `${run.asked_part}: `;
  const far = `at ${Math.floor((100 * run.done) / (run.cells || 1))} %`;
  if (run.stopped === 'cut off') return `Was cut off ${far}: `;
  return `Stopped ${far}${run.stopped ? ` (${run.stopped})` : ''}: `;
}

// A file that would be too large keeps what failed or differs, as far as there is room.
function leftOutNote(run, { left_out: cases = 0, left_out_telling: telling = 0 }, hasCost) {
  const missing = [
    cases > telling && `${counted(cases - telling, 'case')} in which nothing failed or differed`,
    telling > 0 && `${counted(telling, 'case')} in which something failed or differs, which are not shown here`,
    !hasCost && 'what answers cost and how long they took',
  ].filter(Boolean);
  return (
    missing.length > 0 &&
    el(
      'p.notice',
      `Not in this file: ${missing.join('; ')}. All of it: `,
      el('code', `assay view ${run.run}`),
      ' or ',
      el('code', `assay export ${run.run} --to html --all -o report.html`),
    )
  );
}

function notes(run) {
  return [...(run.notes || []), ...(run.gates || []).map((gate) => ({ text: gate.sentence }))].map((each) =>
    el(
      'p',
      foreign(each.text),
      each.href && [' ', el('a', { href: linkTo(['run', run.run]) + each.href }, 'show')],
    ),
  );
}

// Where points are lost: the cases that are hardest for all, and tags from the lowest mean up.
function hardSection(run, tagMeans) {
  const cases = (run.hardest || []).slice(0, HARDEST_SHOWN);
  const split = run.split?.[0];
  if (cases.length === 0) return [];
  const list = (title, items) => el('div', el('h3', title), el('ul.hard-list', items));
  const value = run.statistics?.value || 'mean',
    of = value === 'mean' ? 'means over all variants' : `means over all variants and attempts, not ${value}`;
  return section('Where points are lost', of, [
    el(
      'div.hard',
      list(
        'Hardest cases',
        cases.map((each) => el('li', chip(each.mean), caseLink(run.run, each.case))),
      ),
      tagMeans.length > 1 &&
        list(
          'By tag',
          tagMeans
            .slice(0, HARDEST_SHOWN)
            .map((each) =>
              el(
                'li',
                chip(each.mean),
                el(
                  'a',
                  { href: linkTo(['run', run.run], { q: `tag:${quoted(each.tag)}` }) },
                  foreignLine(each.tag, 30),
                ),
                el('span.soft', ` ${counted(each.cases, 'case')}`),
              ),
            ),
        ),
    ),
    split?.spread > 0 && el('p.small.soft', 'The variants disagree most on ', caseLink(run.run, split.case), '.'),
  ]);
}

const quoted = (tag) => (/\s/.test(tag) ? `"${tag}"` : tag);

// How often one of k attempts passes, where the suite or the user names a k.
function triesSection(run) {
  const rows = run.statistics?.pass_at_k || [];
  if (rows.length === 0) return [];
  const tries = [...new Set(rows.map((row) => row.k))];
  const variants = [...new Set(rows.map((row) => row.variant))];
  const cellOf = (row) =>
    el(
      'td.number',
      percent(row?.any),
      row?.any_interval && el('small.soft', ` (${range(row.any_interval, 0)})`),
      row?.cases_left_out > 0 && el('small.soft', `, ${counted(row.cases_left_out, 'case')} left out`),
    );
  const lines = variants.map((id) =>
    el(
      'tr',
      el('td', foreignLine(nameOf(run, id), 60)),
      tries.map((k) => cellOf(rows.find((row) => row.variant === id && row.k === k))),
    ),
  );
  const heads = ['Variant', ...tries.map((k) => ({ text: `pass@${k}`, class: 'number' }))];
  return section('One of k attempts passes', 'unbiased; cases with fewer scored attempts than k are left out', [
    sideways(table(heads, lines)),
  ]);
}

// ---- ranking

function rankingOf(run, unit, hasModels, { toggle, room, isAll, showAll }) {
  const statistics = run.statistics || {};
  const rows = (unit === 'models' ? statistics.models : statistics.ranking) || [];
  const buttons =
    hasModels &&
    el(
      'span.nowrap',
      pressable(counted(statistics.models.length, 'model'), () => toggle('models'), {
        'aria-pressed': unit === 'models',
      }),
      ' ',
      pressable(counted(run.variants.length, 'variant'), () => toggle('variants'), {
        'aria-pressed': unit === 'variants',
      }),
    );
  if (rows.length === 0) return section('Ranking', null, el('p.soft', 'No variant has a score yet.'));
  const phone = isNarrow();
  const axes = axesOf(
    rows,
    phone ? Math.max(160, room - 120) : Math.max(120, Math.min(330, Math.round((room - 440) * 0.62))),
    phone ? 110 : Math.max(90, Math.min(220, Math.round((room - 440) * 0.38))),
    statistics.value,
  );
  const shown = isAll || rows.length <= ROWS_AT_ONCE + 3 ? rows : rows.slice(0, ROWS_AT_ONCE);
  const hasGaps = rows.length > 1 && !run.asked_part; // of a run that was stopped, the race shows them
  const hasUnequal = unit === 'models' && new Set(rows.map((row) => row.variants.length)).size > 1;
  const heads = [
    ...rankHeads(unit === 'models' ? 'Model' : 'Variant', axes, hasGaps),
    { text: 'Not scored', class: 'number.coverage.wide-only' },
  ];
  const more = { axes, hasGaps, hasUnequal, count: rows.length };
  const lines = shown.map((row) => rankRow(run, unit, row, more));
  return [
    el(
      'div.head',
      el('h2', 'Ranking'),
      el(
        'span.small.soft.wide-only',
        `dot: ${axes.value}, line: 95 % ${run.asked_part ? 'of the whole suite' : 'interval'}`,
      ),
      el('span.space'),
      buttons,
    ),
    table(heads, lines, { class: 'ranking' }),
    shown.length < rows.length && el('p', pressable(`Show all ${rows.length}`, showAll)),
    hasGaps && rankNote(rows.length, ' Scores are points of 100.'),
    run.asked_part &&
      el(
        'p.mini.soft.note',
        STOPPED_NOTE,
        (run.races || []).some((each) => each.kind === 'race') && DROPPED_NOTE,
        'Scores are points of 100.',
      ),
  ];
}

function nameOfRow(run, unit, row) {
  return unit === 'models' ? modelName(run, row) : nameOf(run, row.variant);
}

// A variant by its model, and its parameters small beside it.
function nameWithLevels(run, unit, row, name) {
  const variant = unit === 'models' ? null : run.variants.find((each) => each.id === row.variant);
  const levels = (variant?.levels || []).filter(Boolean);
  if (levels.length === 0) return foreignLine(name, 60);
  return [foreignLine(variant.model, 40), el('small', ' ', foreignLine(levels.join(', '), 70))];
}

function countsOf(run, ids) {
  const sum = { errors: 0, unscored: 0, skipped: 0, partial: 0 };
  for (const each of run.variants) {
    if (ids.includes(each.id)) for (const key of Object.keys(sum)) sum[key] += each[key] || 0;
  }
  return sum;
}

const hasAllScores = (counts, row) =>
  !(row.cases_left_out > 0) && Object.values(counts).every((each) => each === 0);

function rankRow(run, unit, row, { axes, hasGaps, hasUnequal, count }) {
  const name = nameOfRow(run, unit, row);
  const ids = unit === 'models' ? row.variants : [row.variant];
  const counts = countsOf(run, ids);
  return el(
    'tr',
    rankCell(row),
    el(
      'th.name',
      { scope: 'row' },
      nameWithLevels(run, unit, row, name),
      hasUnequal && el('small', ` ${counted(ids.length, 'variant')}`),
    ),
    meanCells(row, name, axes, !hasAllScores(counts, row) && [' · not scored: ', stateCounts(counts)]),
    hasGaps && el('td.gap', row.to_leader && gapOf(row.to_leader, axes, count)),
    el(
      'td.number.coverage.small.wide-only',
      stateCounts(counts),
      row.cases_left_out > 0 && el('small.soft', ` (${row.cases_left_out} left out)`),
    ),
  );
}

// ---- effects of parameters

function effectsOf(run, room) {
  const factors = run.statistics.factors;
  const width = Math.max(110, Math.min(240, room - (isNarrow() ? 130 : 290)));
  const all = factors.flatMap((each) => [each, ...(each.by_model || [])]);
  const axis = axisAround(
    all.flatMap((each) => [0, each.difference, ...(each.interval || [])]),
    width,
    { most: 4 },
  );
  const row = (each, name, isSub) => {
    const isClear = each.interval && (each.interval[0] > 0 || each.interval[1] < 0) && !(each.p > 0.05);
    const digits = pointDigits(each.interval);
    const text = signedWithInterval(each.difference, each.interval);
    return el(
      'div.effect',
      el(isSub ? 'span.sub' : 'b', name),
      dotPlot(axis, {
        value: each.difference,
        interval: each.interval,
        width,
        zero: 0,
        hollow: !isClear,
        label: `${text}${isClear ? '' : ', unclear'}`,
      }),
      el(
        isClear ? 'span.number' : 'span.number.soft',
        signedPoints(each.difference, digits),
        ' ',
        el('small.soft', isClear ? range(each.interval, digits, true) : each.interval ? 'unclear' : 'no interval'),
      ),
    );
  };
  const early = run.asked_part ? '; of a run that was stopped early' : '';
  return section('What changes the score', `points more or less, other parameters the same${early}`, [
    el(
      'div.effects',
      el(
        'div.effect',
        el('span.mini.soft', 'hollow: chance is not ruled out'),
        axisRow(axis, width, tickText(axis, signedPoints)),
        el('span'),
      ),
      factors.map((each) => [
        row(each, [foreignLine(each.level, 40), el('small.soft', ' against '), foreignLine(each.base, 40)], false),
        (each.by_model || []).length > 1 &&
          each.by_model.map((model) => row(model, foreignLine(modelName(run, model), 30), true)),
      ]),
    ),
    el('p.mini.soft.note', 'Each by itself, not corrected for how many are shown.'),
    (run.suite?.system_prompts || [])
      .filter(Boolean)
      .map((text, index) =>
        el(
          'details.small',
          el('summary', `System prompt${run.suite.system_prompts.length > 1 ? ` ${index + 1}` : ''}`),
          foreign(text, 'p'),
        ),
      ),
  ]);
}

// ---- what stands below the map

function errorsOf(run) {
  const groups = run.errors || [];
  if (groups.length === 0) return null;
  return section(
    'Errors',
    `${counted(
      groups.reduce((sum, each) => sum + each.cells, 0),
      'cell',
    )}, by message`,
    sideways(
      'Errors',
      table(
        [{ text: 'Cells', class: 'number' }, 'Class', 'Message', 'First'],
        groups.map((each) => [
          el('td.number', count(each.cells)),
          el('td.fault.nowrap', foreignLine(each.class || 'error')),
          el('td', foreignLine(each.message, 400)),
          el(
            'td',
            (each.first || [])
              .slice(0, 2)
              .map((first, index) => [
                index > 0 && ', ',
                caseLink(run.run, first.case, { a: keyOf(run, first.variant) }),
              ]),
          ),
        ]),
        { class: 'errors' },
      ),
    ),
  );
}

function formatTables(run) {
  return (run.tables || []).map((each) =>
    section(
      each.title,
      null,
      sideways(
        each.title,
        table(
          each.head.map((head) => foreignLine(head)),
          each.rows.map((row) => row.map((cell) => el('td', foreignLine(cell, 400)))),
          { class: 'small own' },
        ),
      ),
    ),
  );
}

function closingOf(run) {
  const closing = run.closing;
  if (!closing) return null;
  return section(
    'What a model says of the run',
    ['written by ', foreignLine(closing.model), ', not checked'],
    el(
      'div.prose',
      closing.parts?.length
        ? closing.parts.map((part) => [
            el('h3', foreignLine(part.title)),
            el(
              'ul.bullets',
              part.items.map((item) => el('li', foreign(item))),
            ),
          ])
        : markdownOf(closing.markdown, closing.text),
    ),
  );
}

/** "openai:gpt-4o by gpt-4o-2024-11-20: 12", of each model that was asked and each that answered, in cells. */
function servedTexts(served) {
  const cells = new Map();
  for (const each of served) {
    const name = `${each.role === 'candidate' ? '' : `${each.role} `}${each.asked} by ${each.model}`;
    if (each.model) cells.set(name, (cells.get(name) || 0) + each.cells);
  }
  return [...cells].map(([name, number]) => `${name}: ${count(number)}`);
}

function aboutOf(run) {
  const { description, markdown, tags } = run.suite || {};
  const facts = [
    ['Run', run.run],
    ['Command', run.command],
    run.left_out?.length > 0 && ['Options to add', `${run.left_out.join(', ')}: they grant or send something`],
    ['Store', run.store],
    ['Suite', run.suite?.id],
    ['Requests', `${count(run.requests_sent)} sent, ${count(run.request_errors ?? 0)} failed`],
    run.foreign_replies > 0 && [
      'Replies of others',
      `${count(run.foreign_replies)}: of a store or a recording made elsewhere`,
    ],
    run.served?.length > 0 && ['Answered', servedTexts(run.served).join(' · ')],
    tags?.length && ['Tags', tags.join(', ')],
  ].filter(Boolean);
  return el(
    'section',
    el(
      'details',
      el('summary', 'About this run'),
      el(
        'dl.facts',
        facts.map(([name, value]) => [el('dt', name), el('dd', foreign(value))]),
      ),
      description && el('div.prose', markdownOf(markdown, description)),
    ),
  );
}
