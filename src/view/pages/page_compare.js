// Two runs or variants: is the candidate worse, where, which cases flipped.
import { el, fill, foreign, foreignLine, section, table } from './dom.js';
import { changeQuery, linkTo } from './address.js';
import { alignedItems } from './aligned.js';
import { axisAround, axisRow, dotPlot, tickText, isNarrow, roomFor } from './chart.js';
import { counted, inPoints, percent, points, range, shortMoment, signedPoints, signedWithInterval } from './format.js';
import { nameOfCase } from './data.js';
import { chip, trustPanel, verdict } from './marks.js';
import { differencesByGroup } from './groups.js';
import { setFrame, setKeys } from './frame.js';
import { conditionsOf, readRun, variantOfKey } from './run_frame.js';
import { markedTurn } from './markdown.js';
import { differingWords, plainText, textOf } from './texts.js';

const FLIPS = {
  lost: { text: 'Lost', mark: '▼' },
  won: { text: 'Won', mark: '▲' },
  kept: { text: 'Both pass', mark: '' },
  failing: { text: 'Both fail', mark: '' },
};
const POINTS_DRAWN_MAX = 400;

/** @param {import('./main.js').PageContext} context */
export async function comparePage(context) {
  const {
    source,
    names: [both],
    query,
    isOpen,
  } = context;
  const [a, b = a] = both.split(',');
  const idOf = async (run, key) =>
    key && (variantOfKey(await readRun(source, run).catch(() => ({ variants: [] })), key)?.id || key);
  const ask = [
    ['a', a],
    ['b', b],
    ['va', await idOf(a, query.a)],
    ['vb', await idOf(b, query.b)],
    ['by', query.by],
  ];
  const told = await source.json(pathOf(ask));
  if (!isOpen()) return;
  setFrame(frameOfComparison(told));
  const page = new ComparePage(context, told, [a, b]);
  page.open();
  setKeys(page.keys());
}

function frameOfComparison(told) {
  const [candidate, base] = [told.a, told.b].map((side) => linkTo(['run', side.run]));
  return {
    path: [{ text: 'runs', link: '#/runs' }, { text: told.a.title, link: candidate }, { text: 'compare' }],
    tabs: [
      { text: 'Candidate', link: candidate },
      { text: 'Base', link: base },
      { text: 'Compare', link: location.hash, open: true },
    ].filter((tab) => told.a.run !== told.b.run || tab.text !== 'Base'),
  };
}

/** What the reader chose of a comparison: a kind of flips, and a case that is open. Knows no element. */
export class FlipView {
  /** @param {any[]} pairs @param {Record<string, string>} query */
  constructor(pairs, query) {
    const kinds = Object.keys(FLIPS);
    this.counts = Object.fromEntries(kinds.map((flip) => [flip, pairs.filter((each) => each.flip === flip)]));
    const first = this.counts.lost.length ? 'lost' : this.counts.won.length ? 'won' : 'kept';
    this.flip = Object.hasOwn(FLIPS, query.flips) ? query.flips : first;
    this.opened = query.open || '';
  }

  /** @param {string} flip */
  choose(flip) {
    this.flip = flip;
    this.opened = '';
  }

  next() {
    const kinds = Object.keys(FLIPS);
    return kinds[(kinds.indexOf(this.flip) + 1) % kinds.length];
  }

  /** Opens a case, or closes it. @param {string} id */
  toggleCase(id) {
    this.opened = this.opened === id ? '' : id;
  }
}

// Of several attempts of a case: "best of 10".
const isBest = (side) => Boolean(side.value) && side.value !== 'mean';

// "a case counts by its best of 10; " where it does not count by the mean of its attempts.
function countingWords({ a, b }) {
  const best = [a, b].find(isBest);
  return best ? `a case counts by its ${best.value}; ` : '';
}

// The page of one comparison: what it read, what the reader chose, where it draws.
class ComparePage {
  constructor(context, told, runs) {
    this.context = context;
    this.told = told;
    this.runs = runs; // as the address names them
    this.view = new FlipView(told.pairs, context.query);
    this.flips = el('div');
    this.list = el('section');
    this.chart = el('div');
  }

  open() {
    const { told } = this;
    const { host } = this.context;
    fill(
      host,
      el('div.grid.top', this.verdict(), trustPanel('What is compared', conditionsOfComparison(told))),
      el(
        'div.grid.compare-grid',
        section(
          'Difference, case by case',
          `${countingWords(told)}worst first; band: 95 % interval of the mean`,
          this.chart,
        ),
        el(
          'div',
          byTag(told, roomFor(host, 300, 1480)),
          section('Flips', `pass: ${told.pass_words}; press to list`, this.flips),
        ),
      ),
      this.list,
      differencesByGroup(told.comparisons?.[0]?.groups),
      leftOf(told),
    );
    const order = told.pairs
      .filter((each) => typeof each.difference === 'number')
      .sort((x, y) => x.difference - y.difference);
    fill(this.chart, differences(order, told.comparisons?.[0] || {}, roomFor(this.chart, 280, 900)));
    this.draw();
  }

  keys() {
    return [
      { key: 'x', text: 'exchange base and candidate', act: () => this.exchange() },
      { key: 'f', text: 'next kind of flip', act: () => this.press(this.view.next()) },
    ];
  }

  // ---- flips

  draw() {
    const { told, view } = this;
    fill(this.flips, flipSquare(view.counts, view.flip, (flip) => this.press(flip), told.pass_words));
    fill(this.list, flipList(this.context, told, view, (id) => this.openCase(id)));
  }

  press(flip) {
    this.view.choose(flip);
    changeQuery({ flips: flip, open: '' });
    this.draw();
  }

  openCase(id) {
    this.view.toggleCase(id);
    changeQuery({ open: this.view.opened });
    this.draw();
  }

  exchange() {
    const { a, b } = this.told;
    location.hash = linkTo(['compare', `${b.run},${a.run}`], { a: b.variant, b: a.variant });
  }

  // ---- the two sides

  verdict() {
    const { told } = this;
    const gate = told.a.run === told.b.run ? null : (told.gates || [])[0];
    return verdict(
      ['Differences are candidate − base'],
      foreign(gate?.sentence || told.sentence),
      gate && told.sentence !== gate.sentence && el('p', foreign(told.sentence)),
      el('div.compared-row', this.side('a'), this.side('b')),
      this.isAnyMissing() &&
        el(
          'p.small.soft',
          'This file compares the first of the ranking with each; any two: ',
          el('code', `assay view ${told.a.run}`),
        ),
    );
  }

  side(name) {
    const told = this.told[name];
    return el(
      'span.compared',
      el('span.soft.which', name === 'a' ? 'candidate ' : 'base '),
      this.variantBox(name),
      ' ',
      el('a', { href: linkTo(['run', told.run]) }, foreignLine(told.title, 40), ' ', shortMoment(told.started_ms)),
      ` ${points(told.mean, 1)}`,
      isBest(told) && el('span.soft', ` ${told.value}`),
      told.interval && el('span.soft', ` (${range(told.interval)})`),
      typeof told.pass_rate === 'number' && el('span.soft', ` · ${percent(told.pass_rate)} passed`),
      el('span.soft', ` on ${counted(told.cases, 'case')}`),
      told.whole_cases > told.cases &&
        el('span.soft', ` · ${points(told.whole_mean, 1)} on all of its ${counted(told.whole_cases, 'case')}`),
    );
  }

  // A file has some pairs; what is offered is there.
  isThere(name, variant) {
    const { told } = this;
    const [a, b] = this.runs;
    const [va, vb] = name === 'a' ? [variant, told.b.variant] : [told.a.variant, variant];
    const isShown = variant === told[name].variant;
    return isShown || this.context.source.has(pathOf([['a', a], ['b', b], ['va', va], ['vb', vb]]));
  }

  isAnyMissing() {
    return ['a', 'b'].some((name) => (this.told[name].variants || []).some((each) => !this.isThere(name, each.id)));
  }

  variantBox(name) {
    const { told } = this;
    const box = el(
      'select.btn',
      {
        'aria-label': name === 'a' ? 'Candidate' : 'Base',
        onchange: () => {
          changeQuery({ a: told.a.variant, b: told.b.variant, [name]: box.value });
          this.context.again();
        },
      },
      (told[name].variants || [])
        .filter((each) => this.isThere(name, each.id))
        .map((each) => el('option', { value: each.id, selected: each.id === told[name].variant }, each.name)),
    );
    return box;
  }
}

function conditionsOfComparison(told) {
  const conditions = conditionsOf(told.a.run, told.trust);
  if (typeof told.smallest_seen !== 'number') return conditions;
  const smallest = points(told.smallest_seen, told.smallest_seen < 0.02 ? 1 : 0);
  return [...conditions, { ok: true, text: `Differences from ${inPoints(smallest)} up would mostly be seen` }];
}

// The path of a comparison: [key, value], those without a value left out.
function pathOf(ask) {
  const parts = ask.filter(([, value]) => value).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return `compare?${parts.join('&')}`;
}

// Every case as a dot, the mean's interval as a band; of more than some hundreds, the ends and evenly chosen ones.
function differences(order, comparison, width) {
  if (order.length === 0) return el('p.soft', 'No case has a score for both.');
  const kept =
    order.length <= POINTS_DRAWN_MAX
      ? order
      : Array.from(
          { length: POINTS_DRAWN_MAX },
          (_, at) => order[Math.round((at * (order.length - 1)) / (POINTS_DRAWN_MAX - 1))],
        );
  const height = 280,
    axis = axisAround([0, ...(comparison.interval || []), ...kept.map((each) => each.difference)], height - 20, {
      most: 6,
    });
  const y = (value) => height - 10 - axis(value),
    x = (at) => 48 + (kept.length === 1 ? 0.5 : at / (kept.length - 1)) * (width - 64);
  const { difference, interval } = comparison;
  const isClear = interval && (interval[0] > 0 || interval[1] < 0);
  const mean = signedWithInterval(difference, interval);
  const ends = [order[0], order[order.length - 1]].map((each) => signedPoints(each.difference));
  return [
    el(
      'svg.differences',
      {
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        role: 'img',
        'aria-label': `${counted(order.length, 'difference')}, from ${ends.join(' to ')}; mean ${mean}`,
      },
      axis.ticks.map((tick) => [
        el(tick === 0 ? 'line.zero' : 'line.grid-line', { x1: 40, x2: width, y1: y(tick), y2: y(tick) }),
        el('text', { x: 34, y: y(tick) + 4, 'text-anchor': 'end' }, tickText(axis, signedPoints)(tick)),
      ]),
      interval &&
        el('rect.band', {
          x: 40,
          width: width - 40,
          y: y(interval[1]),
          height: Math.max(1, y(interval[0]) - y(interval[1])),
        }),
      typeof difference === 'number' &&
        el('line.mean-line', { x1: 40, x2: width, y1: y(difference), y2: y(difference) }),
      kept.map((each, at) =>
        el(each.flip === 'lost' || each.flip === 'won' ? 'circle.dot' : 'circle.dot.hollow', {
          cx: x(at),
          cy: y(each.difference),
          r: 4,
        }),
      ),
    ),
    el(
      'p.mini.soft',
      `Mean ${mean}${isClear ? '' : interval ? ': zero is not ruled out' : ', no interval'}. Filled: the case flipped.`,
      kept.length < order.length && ` ${kept.length} of ${order.length} cases are drawn.`,
    ),
  ];
}

function byTag(told, room) {
  const tags = [...new Set(told.pairs.flatMap((each) => each.tags || []))].slice(0, 12);
  if (tags.length < 2) return null;
  const rows = tags
    .map((tag) => {
      const values = told.pairs
        .filter((each) => (each.tags || []).includes(tag) && typeof each.difference === 'number')
        .map((each) => each.difference);
      return { tag, values, mean: values.reduce((sum, each) => sum + each, 0) / (values.length || 1) };
    })
    .filter((each) => each.values.length)
    .sort((x, y) => x.mean - y.mean);
  const width = isNarrow() ? 150 : Math.min(240, room / 5),
    axis = axisAround([0, ...rows.flatMap((each) => each.values)], width, { most: 4 });
  return section(
    'Where',
    'mean difference by tag; marks are the cases, no interval: tags were found by looking',
    el(
      'div.tag-rows',
      el('div.effect', el('span'), axisRow(axis, width, tickText(axis, signedPoints)), el('span')),
      rows.map((each) =>
        el(
          'div.effect',
          foreignLine(each.tag, 24),
          dotPlot(axis, {
            value: each.mean,
            width,
            zero: 0,
            alone: each.values.slice(0, 200),
            hollow: true,
            label: `${each.tag}: ${signedPoints(each.mean)} on ${counted(each.values.length, 'case')}`,
          }),
          el('span.number.soft', signedPoints(each.mean), el('small', ` of ${each.values.length}`)),
        ),
      ),
    ),
  );
}

function flipSquare(counts, flip, press, passWords) {
  const button = (name, style = '') =>
    el(
      `button${style}`,
      { type: 'button', 'aria-pressed': flip === name, onclick: () => press(name) },
      el('b', String(counts[name].length)),
      `${FLIPS[name].mark} ${FLIPS[name].text}`,
    );
  return el(
    'div.flip-square',
    { role: 'group', 'aria-label': `Cases that pass: ${passWords}` },
    el('span'),
    el('span', 'candidate passes'),
    el('span', 'candidate fails'),
    el('span', 'base passes'),
    button('kept'),
    button('lost', '.bad'),
    el('span', 'base fails'),
    button('won', '.good'),
    button('failing'),
  );
}

function flipList(context, told, { counts, flip, opened }, openCase) {
  const pairs = counts[flip];
  const sorted = pairs
    .slice()
    .sort((x, y) => (flip === 'won' ? y.difference - x.difference : x.difference - y.difference))
    .slice(0, 300);
  const { text } = FLIPS[flip];
  if (sorted.length === 0) return [el('div.head', el('h2', text)), el('p.soft', 'No case.')];
  return [
    el(
      'div.head',
      el('h2', text),
      el('span.small.soft', `${counted(pairs.length, 'case')}; press one for both answers`),
    ),
    table(
      [
        'Case',
        { text: 'Tags', class: 'minor' },
        { text: 'Base → candidate', class: 'number' },
        { text: 'Difference', class: 'number' },
      ],
      sorted.flatMap((each) => [
        [
          el(
            'th',
            { scope: 'row' },
            el(
              'button.plain',
              { type: 'button', 'aria-expanded': opened === each.case, onclick: () => openCase(each.case) },
              el('span', { 'aria-hidden': 'true' }, opened === each.case ? '▾ ' : '▸ '),
              foreignLine(nameOfCase(each.case), 60),
            ),
          ),
          el('td.minor.soft', foreignLine((each.tags || []).join(', '), 60)),
          el('td.number', chip(each.b), ' → ', chip(each.a)),
          el('td.number', signedPoints(each.difference)),
        ],
        ...(opened === each.case ? [[el('td', { colspan: 4 }, bothAnswers(context, told, each.case))]] : []),
      ]),
      { class: 'flips' },
    ),
  ];
}

// Both answers of a case, in place.
function bothAnswers(context, told, caseId) {
  const host = el('div', el('p.soft', 'Reading …'));
  const read = (side) =>
    context.source.json(
      `run/${encodeURIComponent(side.run)}/case/${encodeURIComponent(caseId)}?v=${encodeURIComponent(side.variant)}`,
    );
  Promise.all([read(told.b), read(told.a)])
    .then((bodies) => {
      const attempts = bodies.map((body) => body.cells?.[0]?.attempts?.[0]);
      const turns = attempts.map((each) => (each?.turns || []).slice(-1)[0]);
      const texts = turns.map((turn) => plainText(turn?.text));
      const parts = differingWords(texts[0], texts[1]);
      fill(
        host,
        el(
          'div.answers.two',
          attempts.map((each, at) =>
            el(
              'div',
              el('p.small.soft', at === 0 ? 'base' : 'candidate', ', attempt 1 ', chip(each?.score, each?.state)),
              each?.error
                ? el('p.fault', foreignLine(each.error, 300))
                : parts
                  ? markedTurn(turns[at], parts[at], at === 0 ? 'del' : 'ins')
                  : textOf(null, texts[at], { most: 4000 }),
              el(
                'ul.peek-points',
                (each?.points || []).map((point) =>
                  el(
                    'li',
                    chip(point.score, point.state),
                    el('span', point.not && el('b', 'not: '), foreignLine(point.text, 160)),
                  ),
                ),
              ),
            ),
          ),
        ),
        alignedOf(attempts),
        el(
          'p',
          el(
            'a.btn',
            {
              href: linkTo(
                ['run', told.a.run, 'case', caseId],
                told.a.run === told.b.run ? { a: told.b.variant, b: told.a.variant } : { a: told.a.variant },
              ),
            },
            'Open the case',
          ),
        ),
      );
    })
    .catch((error) =>
      fill(host, el('p.bad', foreign(error.message), ' ', el('code', foreign(error.remedy || '')))),
    );
  return host;
}

// Blanks and other items of the points, laid side by side.
function alignedOf(attempts) {
  const lists = attempts.map((each) => each?.points || []);
  return lists[0].map((point, index) => {
    const aligned = alignedItems([point, lists[1][index]], ['base', 'candidate']);
    return aligned && el('div', el('p.mini.soft', foreignLine(point.text || point.kind, 160)), aligned);
  });
}

const WHY_LEFT = {
  changed: 'asked otherwise in the other run',
  only_a: 'only the candidate has a score',
  only_b: 'only the base has a score',
};

function leftOf(told) {
  const left = told.left || [];
  if (left.length === 0) return null;
  return el(
    'section',
    el(
      'details',
      el('summary', `${counted(left.length, 'case is', 'cases are')} in no pair`),
      el(
        'ul.bullets.small',
        left
          .slice(0, 200)
          .map((each) =>
            el('li', foreignLine(nameOfCase(each.case), 60), ': ', WHY_LEFT[each.why] || foreignLine(each.why)),
          ),
      ),
      told.left.some((each) => each.why === 'changed') &&
        el(
          'p.small.soft',
          'Cases pair by id and content. ',
          el(
            'a',
            {
              href: linkTo(['compare', `${told.a.run},${told.b.run}`], {
                a: told.a.variant,
                b: told.b.variant,
                by: 'question',
              }),
            },
            'Pair by question',
          ),
        ),
    ),
  );
}
