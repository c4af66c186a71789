// Cost and latency: what did it cost, what was slow, and is the dearer one better?
import { el, fill, foreign, foreignLine, section, sideways, table } from './dom.js';
import { linkTo } from './address.js';
import { axisAround, isNarrow, onResize, roomFor, tokenBar } from './chart.js';
import {
  count,
  counted,
  duration,
  inPoints,
  money,
  percent,
  pointDigits,
  points,
  range,
  signedPoints,
  tokens,
} from './format.js';
import { caseLink, chip, trustPanel, verdict } from './marks.js';
import { conditionsOf, keyOf, readRun, runPath, setRunFrame, verdictTexts } from './run_frame.js';
import { setKeys } from './frame.js';

/** @param {import('./main.js').PageContext} context */
export async function costPage(context) {
  const {
    source,
    host,
    names: [id],
    isOpen,
  } = context;
  const [run, told] = await Promise.all([readRun(source, id), source.json(runPath(id, 'cost'))]);
  if (!isOpen()) return;
  setRunFrame(source, run, 'Cost', [{ text: 'cost & latency' }]);
  const chart = el('section'),
    latency = el('section');
  const { first } = verdictTexts(told.verdict);
  const hasPrice = told.variants.some((each) => typeof each.usd === 'number');
  const draw = () => {
    if (hasPrice) fill(chart, scoreAgainstCost(told, roomFor(chart, 280, 760)));
    fill(latency, latencyOf(told, roomFor(latency, 280, 760)));
  };
  fill(
    host,
    el(
      'div.grid.top',
      verdict(
        [
          foreignLine(run.title, 80),
          ` · ${counted(told.variants.length, 'variant')} · ${counted(run.cells, 'answer')}`,
        ],
        told.sentence ? foreign(told.sentence) : 'What the run cost, and how long it took.',
        told.verdict?.length > 0 && el('p', first),
        el('p.small.soft', paidText(told, hasPrice)),
      ),
      trustPanel('Where the figures come from', conditionsOf(id, told.trust)),
    ),
    el(hasPrice ? 'div.grid.halves' : 'div.grid', hasPrice && chart, el('div', latency, plannedAndPaid(told))),
    variantTable(told, run),
    el('div.grid.halves', tokensByRole(told), saved(told)),
    dearest(told, run),
  );
  draw();
  onResize(context, draw);
  setKeys([]);
}

// What the run paid, and what earlier runs had paid for answers that were not asked again.
function paidText(told, hasPrice) {
  const own = told.price && told.price.earlier_calls > 0 ? told.price.paid_usd : told.paid_usd;
  const earlier = told.paid_usd - own;
  const parts = [
    hasPrice || told.paid_usd > 0 ? `Paid: ${money(own)}` : 'Nothing paid is known of',
    earlier > 0 && `; earlier runs paid ${money(earlier)} for replies that were reused`,
    told.estimated_usd > 0 && `; about ${money(told.estimated_usd)} for calls that did not say what they used`,
  ];
  return `${parts.filter(Boolean).join('')}.`;
}

// ---- score against cost

const moneyTicks = (from, to) => {
  const ticks = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); power++) {
    for (const each of [1, 2, 5]) {
      const tick = each * 10 ** power;
      if (tick >= from && tick <= to) ticks.push(tick);
    }
  }
  return ticks;
};

// Where dots stand: scores upwards, costs to the right on a log scale, those without a price in a column of their own.
function costLayout(priced, unpriced, width, height) {
  const scores = axisAround(
    [...priced, ...unpriced].flatMap((each) => [each.mean, ...(each.interval || [])]),
    height - 60,
    { most: 7 },
  );
  const costs = priced
    .flatMap((each) => [each.usd_per_case, ...(each.usd_middle_80 || [])])
    .filter((each) => each > 0);
  const from = Math.min(...costs) / 1.3,
    to = Math.max(...costs) * 1.3,
    left = unpriced.length ? 104 : 44;
  const x = (usd) => left + (Math.log(usd / from) / Math.log(to / from)) * (width - left - 16),
    y = (value) => height - 44 - scores(value);
  return {
    width,
    height,
    x,
    y,
    scoreTicks: scores.ticks,
    moneyTicks: moneyTicks(from, to).filter(
      (_, index, list) => list.length <= 8 || index % Math.ceil(list.length / 7) === 0,
    ),
    places: new Map([
      ...priced.map((each) => [each, [x(each.usd_per_case), y(each.mean)]]),
      ...unpriced.map((each) => [each, [64, y(each.mean)]]),
    ]),
  };
}

// "the score (best of 10)" where cases do not count by the mean of their attempts.
const scoreWords = (told) => (told.value && told.value !== 'mean' ? `the score (${told.value})` : 'the mean');

function scoreAgainstCost(told, width) {
  const priced = told.variants.filter(
    (each) => typeof each.usd_per_case === 'number' && each.usd_per_case > 0 && typeof each.mean === 'number',
  );
  const unpriced = told.variants.filter((each) => typeof each.usd !== 'number' && typeof each.mean === 'number');
  if (priced.length === 0) return el('p.soft', 'No price is known for any variant with a score.');
  const layout = costLayout(priced, unpriced, width, isNarrow() ? 320 : 380);
  const steps = told.steps || [];
  const byName = new Map(told.variants.map((each) => [each.variant, each]));
  const words = (each) => `${each.name} ${points(each.mean)} at ${money(each.usd_per_case)}`;
  const all = [...priced, ...unpriced];
  const { height } = layout;
  return [
    el(
      'div.head',
      el('h2', 'Score against cost'),
      el(
        'span.small.soft',
        `$ per case, log scale; upright: 95 % of ${scoreWords(told)}, level: the middle 80 % of cases`,
      ),
    ),
    el(
      'svg',
      {
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        role: 'img',
        'aria-label': `Score against cost: ${priced.map(words).join('; ')}. The table below has the same.`,
      },
      costGrid(layout),
      unpriced.length > 0 && el('text', { x: 64, y: height - 28, 'text-anchor': 'middle' }, 'no price'),
      steps.map((each) => frontierLine(each, layout, byName)),
      all.map((each) => costDot(each, layout)),
      labelsWithoutOverlap(all, layout.places, width),
    ),
    frontierLegend(),
    steps.length > 0 &&
      el(
        'ol.frontier-steps',
        steps.map((each) => frontierStep(each, byName)),
      ),
  ];
}

function costGrid({ width, height, x, y, scoreTicks, moneyTicks: costTicks }) {
  return [
    scoreTicks.map((tick) => [
      el('line.grid-line', { x1: 36, x2: width, y1: y(tick), y2: y(tick) }),
      el('text', { x: 30, y: y(tick) + 4, 'text-anchor': 'end' }, points(tick)),
    ]),
    costTicks.map((tick) => [
      el('line.grid-line', { x1: x(tick), x2: x(tick), y1: 12, y2: height - 44 }),
      el('text', { x: x(tick), y: height - 28, 'text-anchor': 'middle' }, money(tick)),
    ]),
    el('text', { x: width - 8, y: height - 8, 'text-anchor': 'end' }, 'per case; judging is not in it'),
  ];
}

// From one variant of the frontier to the next.
function frontierLine(step, { places }, byName) {
  const a = places.get(byName.get(step.from)),
    b = places.get(byName.get(step.to));
  const spec = step.is_clear ? 'line.frontier' : 'line.frontier.unproven';
  return a && b && el(spec, { x1: a[0], y1: a[1], x2: b[0], y2: b[1] });
}

function costDot(each, { places, x, y }) {
  const [px, py] = places.get(each),
    band = each.usd_middle_80;
  return el(
    each.is_frontier ? 'g.clear' : 'g.unclear',
    each.interval && el('line.interval', { x1: px, x2: px, y1: y(each.interval[0]), y2: y(each.interval[1]) }),
    band &&
      typeof each.usd === 'number' &&
      band[0] > 0 &&
      el('line.middle', { x1: x(band[0]), x2: x(band[1]), y1: py, y2: py }),
    el('circle.dot', { cx: px, cy: py, r: 4.5 }),
  );
}

function frontierLegend() {
  return el(
    'p.legend.mini',
    el('span', swatch('line.frontier'), 'on the frontier; the step is clear'),
    el('span', swatch('line.frontier.unproven'), 'the step is not shown to differ'),
    el('span', '○ another is cheaper and higher, or no price'),
  );
}

function frontierStep(each, byName) {
  const name = (variant) => foreignLine(byName.get(variant)?.name || variant, 50);
  return el(
    'li',
    el('span', name(each.from), ' → ', name(each.to)),
    el(
      'span.soft',
      each.is_clear ? inPoints(signedPoints(each.difference, pointDigits(each.interval))) : 'not shown to differ',
      each.interval && ` (95 %: ${range(each.interval, pointDigits(each.interval))})`,
    ),
    el('span.number', typeof each.times === 'number' ? `× ${each.times.toPrecision(2)}` : ''),
  );
}

const swatch = (spec) =>
  el('svg', { width: 30, height: 10, 'aria-hidden': 'true' }, el(spec, { x1: 0, x2: 30, y1: 5, y2: 5 }));

// Names beside their dots: at the right, or at the left near the edge, each lower until it meets no other.
function labelsWithoutOverlap(variants, places, width) {
  const taken = [];
  return variants
    .slice()
    .sort((a, b) => places.get(a)[1] - places.get(b)[1])
    .map((each) => {
      const [px, py] = places.get(each),
        text = each.name.length > 26 ? `${each.name.slice(0, 25)}…` : each.name,
        wide = text.length * 6.6;
      const isLeft = px + 10 + wide > width;
      const from = isLeft ? px - 9 - wide : px + 9;
      let at = py + 16;
      for (
        let tries = 0;
        tries < 12 && taken.some((box) => Math.abs(box.at - at) < 13 && from < box.to && from + wide > box.from);
        tries++
      )
        at += 13;
      taken.push({ from, to: from + wide, at });
      return el(
        each.is_frontier ? 'text.named' : 'text',
        { x: isLeft ? px - 9 : px + 9, y: at, 'text-anchor': isLeft ? 'end' : 'start' },
        text,
      );
    });
}

// ---- latency

const SECONDS_OF_TICKS = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000];

// Where times stand in a row of some width, on a log scale.
function latencyAxis(timed, room) {
  const values = timed
    .flatMap((each) => [each.first_ms, each.p50_ms, each.p90_ms, each.p99_ms])
    .filter((each) => each > 0);
  const from = Math.min(...values) / 1.25,
    to = Math.max(...values) * 1.25;
  return {
    room,
    x: (ms) => 6 + (Math.log(ms / from) / Math.log(to / from || 2)) * (room - 12),
    ticks: SECONDS_OF_TICKS.map((each) => each * 1000).filter((each) => each >= from && each <= to),
  };
}

function latencyOf(told, width) {
  const timed = told.variants.filter((each) => typeof each.p50_ms === 'number').sort((a, b) => a.p50_ms - b.p50_ms);
  if (timed.length === 0)
    return section('Latency', null, el('p.soft', 'Nothing was timed: all answers came from the store.'));
  const phone = isNarrow(),
    nameWidth = phone ? 0 : 150,
    textWidth = phone ? 0 : 200;
  const axis = latencyAxis(timed, Math.max(140, width - nameWidth - textWidth - 24));
  const few = timed.some((each) => each.answers < 100);
  return [
    el('div.head', el('h2', 'Latency'), el('span.small.soft', 'time of an answer, log scale')),
    el(
      'p.legend.mini',
      el('span', '◇ first token'),
      el('span', '■ half of the answers'),
      el('span', '| 90 %'),
      el('span', few ? '| 99 %, or the slowest under 100 answers' : '| 99 %'),
    ),
    el(
      'div.latency',
      { style: { '--name-width': `${nameWidth}px` } },
      latencyHead(axis),
      timed.map((each) => latencyRow(each, axis)),
    ),
    el(
      'p.mini.soft.note',
      'Percentiles, no intervals. Waiting for limits and what came from the store are not timed.',
    ),
  ];
}

function latencyHead({ room, x, ticks }) {
  return el(
    'div.latency-row',
    el('span'),
    el(
      'svg',
      { width: room, height: 14, 'aria-hidden': 'true' },
      ticks.map((tick) =>
        el('text', { x: x(tick), y: 11, 'text-anchor': 'middle' }, duration(tick).replace('.0 s', ' s')),
      ),
    ),
    el('span.mini.soft.number', 'first · half · 90 · 99 %'),
  );
}

function latencyRow(each, { room, x, ticks }) {
  const diamond = (at, y) => `M${at - 5} ${y}L${at} ${y - 5}L${at + 5} ${y}L${at} ${y + 5}Z`;
  return el(
    'div.latency-row',
    el('span.name', foreignLine(each.name, 40)),
    el(
      'svg',
      { width: room, height: 26, viewBox: `0 0 ${room} 26`, role: 'img', 'aria-label': latencyWords(each) },
      ticks.map((tick) => el('line.grid-line', { x1: x(tick), x2: x(tick), y1: 0, y2: 26 })),
      each.first_ms > 0 && [
        el('line.dotted', { x1: x(each.first_ms), x2: x(each.p50_ms), y1: 13, y2: 13 }),
        el('path.first-token', { d: diamond(x(each.first_ms), 13) }),
      ],
      each.p99_ms > 0 && el('line.zero', { x1: x(each.p50_ms), x2: x(each.p99_ms), y1: 13, y2: 13 }),
      el('rect.half', { x: x(each.p50_ms) - 4, y: 9, width: 8, height: 8 }),
      each.p90_ms > 0 && el('line.interval', { x1: x(each.p90_ms), x2: x(each.p90_ms), y1: 7, y2: 19 }),
      each.p99_ms > 0 && el('line.last', { x1: x(each.p99_ms), x2: x(each.p99_ms), y1: 4, y2: 22 }),
    ),
    el(
      'span.number.small',
      el('span.soft', each.first_ms ? duration(each.first_ms) : '–', ' · '),
      el('b', duration(each.p50_ms)),
      el('span.soft', ` · ${duration(each.p90_ms)} · ${duration(each.p99_ms)}`),
    ),
  );
}

function latencyWords(each) {
  const first = each.first_ms ? duration(each.first_ms) : 'not known';
  const [half, ninety, last] = [each.p50_ms, each.p90_ms, each.p99_ms].map(duration);
  return `${each.name}: first token ${first}, half within ${half}, 90 % within ${ninety}, 99 % within ${last}`;
}

// ---- tables

function variantTable(told, run) {
  const row = (each) => [
    el('th.name', { scope: 'row' }, foreignLine(each.name, 70), each.is_frontier && el('small.soft', ' frontier')),
    el(
      'td.number',
      { 'data-label': 'score' },
      el('b', points(each.mean, 1)),
      each.interval && el('small.soft', ` ${range(each.interval)}`),
      typeof each.pass_rate === 'number' && el('small.soft', ` ${percent(each.pass_rate)} passed`),
    ),
    el(
      'td.number',
      { 'data-label': '$ a case' },
      typeof each.usd === 'number'
        ? [
            el('b', money(each.usd_per_case)),
            each.usd_middle_80 &&
              el('small.soft', ` ${money(each.usd_middle_80[0])} to ${money(each.usd_middle_80[1])}`),
          ]
        : el('span.bad', '! no price'),
    ),
    el('td.number', { 'data-label': 'in all' }, money(each.usd)),
    el(
      'td.number.minor',
      { 'data-label': 'times the cheapest' },
      typeof each.times_cheapest === 'number' ? `× ${each.times_cheapest.toPrecision(2)}` : '–',
    ),
    el(
      'td.number.minor',
      { 'data-label': 'tokens in, out' },
      `${tokens(each.input_tokens)}, ${tokens(each.output_tokens)}`,
      each.cached_tokens > 0 && el('small.soft', ` ${tokens(each.cached_tokens)} cached`),
    ),
    el('td.number.minor', { 'data-label': 'calls' }, count(each.calls)),
    el('td.number', { 'data-label': 'half within' }, duration(each.p50_ms)),
  ];
  return section(
    'By variant',
    'cheapest first',
    table(
      [
        'Variant',
        { text: 'Score, 95 %', class: 'number' },
        { text: '$ a case, middle 80 % of cases', class: 'number' },
        { text: 'In all', class: 'number' },
        { text: 'Times the cheapest', class: 'number.minor' },
        { text: 'Tokens in, out', class: 'number.minor' },
        { text: 'Calls', class: 'number.minor' },
        { text: 'Half within', class: 'number' },
      ],
      told.variants.map(row),
      { class: 'cost-table' },
    ),
    el('a.btn', { href: linkTo(['run', run.run]) }, 'Ranking'),
  );
}

function tokensByRole(told) {
  const shown = (told.roles || []).filter((each) => each.input_tokens > 0 || each.output_tokens > 0);
  if (shown.length === 0) return null;
  const most = Math.max(...shown.map((each) => each.input_tokens + each.output_tokens));
  const width = isNarrow() ? 80 : 220;
  const hasMoney = shown.some((each) => each.paid_usd > 0);
  return section(
    'Tokens by role',
    'gray: input, outlined: input from the provider’s cache, black: output',
    sideways(
      'Tokens by role',
      table(
        [
          'Role',
          { text: el('span.sr', 'Drawn') },
          { text: 'In', class: 'number' },
          { text: 'Out', class: 'number' },
          hasMoney && { text: 'Paid', class: 'number' },
        ],
        shown.map((each) => [
          el('th', { scope: 'row' }, foreignLine(each.role, 30)),
          el(
            'td',
            tokenBar(
              { input: each.input_tokens, cached: each.cached_tokens, output: each.output_tokens },
              { most, width },
            ),
          ),
          el('td.number', tokens(each.input_tokens)),
          el('td.number', tokens(each.output_tokens)),
          hasMoney && el('td.number', money(each.paid_usd)),
        ]),
        { class: 'small' },
      ),
    ),
  );
}

// What was to be expected before anything was asked, beside what the run paid.
function plannedAndPaid(told) {
  const planned = told.planned;
  if (!planned) return null;
  const own = told.price && told.price.earlier_calls > 0 ? told.price.paid_usd : told.paid_usd;
  const notes = [
    'Planned: tokens are estimated, four bytes of text each',
    planned.assumed.length > 0 && `lengths of answers are assumed for ${listed(planned.assumed)}, never asked before`,
    planned.cells_walked < told.cells &&
      `counted over ${count(planned.cells_walked)} of ${count(told.cells)} cells`,
    planned.unpriced.length > 0 && `without ${listed(planned.unpriced)}, of which no price is known`,
  ].filter(Boolean);
  return section(
    'Planned and paid',
    'of this run’s own calls',
    [table(
      [
        { text: el('span.sr', 'What') },
        { text: 'Calls', class: 'number' },
        { text: '$', class: 'number' },
      ],
      [
        [
          el('th', { scope: 'row' }, 'Planned, at least'),
          el('td.number', count(planned.calls)),
          el('td.number', money(planned.usd)),
        ],
        [
          el('th', { scope: 'row' }, 'Planned, at most'),
          el('td.number', count(planned.calls_most)),
          el('td.number', money(planned.usd_most)),
        ],
        [
          el('th', { scope: 'row' }, el('b', 'Paid')),
          el('td.number', count(told.requests_sent)),
          el('td.number', el('b', money(own))),
        ],
        told.estimated_usd > 0 && [
          el('th', { scope: 'row' }, 'Estimated: calls without usage'),
          el('td.number'),
          el('td.number', money(told.estimated_usd)),
        ],
      ].filter(Boolean),
      { class: 'small' },
    ),
    el('p.mini.soft.note', foreign(`${notes.join('; ')}.`))],
  );
}

const listed = (names) =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');

// From the list price of all answers down to what was paid: each at the price after those above it.
function saved(told) {
  const price = told.price;
  if (!price || price.list_usd <= price.paid_usd) return null;
  const steps = [
    ['Answers of earlier runs, reused', price.earlier_usd, counted(price.earlier_calls, 'call')],
    ['Found in the providers’ caches', price.cache_usd, `${tokens(price.cached_tokens)} tokens in`],
    ['Asked in batches', price.batch_usd, ''],
  ].filter(([, usd]) => usd > 0);
  const width = isNarrow() ? 70 : 200,
    x = (usd) => (usd / price.list_usd) * width;
  let left = price.list_usd;
  const bar = (from, to, spec) =>
    el(
      'svg',
      { width: width + 2, height: 20, viewBox: `0 0 ${width + 2} 20`, 'aria-hidden': 'true' },
      el('line.grid-line', { x1: 0, x2: width, y1: 19, y2: 19 }),
      el(`rect.${spec}`, { x: x(from) + 0.5, y: 5.5, width: Math.max(1, x(to) - x(from)), height: 9 }),
    );
  const line = (name, note, drawn, sum) => [
    el('th', { scope: 'row' }, name, note && el('small.soft', ` ${note}`)),
    el('td', drawn),
    el('td.number', sum),
  ];
  return section(
    'What was saved',
    `${percent(1 - price.paid_usd / price.list_usd)} of the list price`,
    sideways(
      'What was saved',
      table(
        [{ text: el('span.sr', 'Step') }, { text: el('span.sr', 'Drawn') }, { text: '$', class: 'number' }],
        [
          line('At list price, nothing reused', '', bar(0, left, 'tokens-in'), money(price.list_usd)),
          ...steps.map(([name, usd, note]) => {
            left -= usd;
            return line(name, note, bar(left, left + usd, 'tokens-cached'), money(-usd));
          }),
          line(el('b', 'Paid by this run'), '', bar(0, left, 'tokens-out'), el('b', money(price.paid_usd))),
        ],
        { class: 'small' },
      ),
    ),
  );
}

function dearest(told, run) {
  const list = told.dearest || [];
  if (list.length === 0) return null;
  return section(
    'The dearest cases',
    'answers of all variants',
    table(
      ['Case', { text: 'Paid', class: 'number' }, { text: 'Mean', class: 'number' }],
      list.map((each) => [
        el(
          'th',
          { scope: 'row' },
          caseLink(run.run, each.case, { a: each.variant ? keyOf(run, each.variant) : '' }),
        ),
        el('td.number', money(each.usd)),
        el('td.number', chip(each.mean)),
      ]),
      { class: 'small' },
    ),
  );
}
