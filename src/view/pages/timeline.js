// What a system under test did for an answer: where the evidence was lost, its calls over time, each call in full.
import { append, el, fill, foreign, foreignLine, pressable, section, sideways } from './dom.js';
import { changeQuery } from './address.js';
import { isNarrow, roomFor, tokenBar } from './chart.js';
import { count, counted, duration, money } from './format.js';
import { addKeys } from './frame.js';
import { textOf } from './texts.js';

const KINDS = {
  model: { letter: 'm', word: 'model' },
  search: { letter: 's', word: 'search' },
  read: { letter: 'r', word: 'read' },
  write: { letter: 'w', word: 'write, check' },
  error: { letter: 'e', word: 'error' },
};

/** @param {any} attempt */
export function hasTrace(attempt) {
  return Boolean(attempt?.trace?.rounds?.length);
}

function kindOf(call) {
  if (call.problem) return 'error';
  if (Object.hasOwn(KINDS, call.kind)) return call.kind;
  if (/^(save|write|note|check)/i.test(call.tool)) return 'write';
  if (/search|query|relevant|summaries|lookup/i.test(call.tool)) return 'search';
  return /read|get|fetch|open|content/i.test(call.tool) ? 'read' : 'write';
}

// Rounds and their calls as one list of events, in order.
function eventsOf(trace) {
  const events = [];
  for (const round of trace.rounds) {
    const calls = round.calls || [];
    events.push({
      kind: 'model',
      name: 'model',
      about: calls.length ? counted(calls.length, 'call') : 'answer',
      at: round.at_ms,
      ms: round.ms,
      input: round.input_tokens,
      output: round.output_tokens,
      cached: round.cached_tokens,
      text: round.text,
    });
    for (const call of calls) {
      events.push({
        kind: kindOf(call),
        name: call.tool,
        about: call.problem || shortArguments(call.arguments),
        at: call.at_ms,
        ms: call.ms,
        arguments: call.arguments,
        result: call.result,
        problem: call.problem,
        evidence: call.evidence || [],
      });
    }
  }
  return events;
}

function shortArguments(given) {
  if (given === null || given === undefined) return '';
  if (typeof given !== 'string') return wordsOfArguments(given);
  try {
    return wordsOfArguments(JSON.parse(given));
  } catch {
    return given;
  }
}

function wordsOfArguments(given) {
  if (given === null || typeof given !== 'object') return String(given);
  return Object.values(given)
    .filter((each) => ['string', 'number'].includes(typeof each))
    .join(', ');
}

/** @param {any} side @param {import('./main.js').PageContext} context @param {any} texts as textOf takes it */
export function tracedPart(side, context, texts) {
  const { attempt } = side;
  const events = eventsOf(attempt.trace);
  const models = events.filter((each) => each.kind === 'model'),
    calls = events.filter((each) => each.kind !== 'model');
  const sum = (list, key) => list.reduce((total, each) => total + (each[key] || 0), 0);
  const input = sum(models, 'input'),
    output = sum(models, 'output');
  const totals = [
    [duration(attempt.ms), 'in all'],
    [count(models.length), `model ${models.length === 1 ? 'call' : 'calls'}, ${duration(sum(models, 'ms'))}`],
    [count(calls.length), `tool ${calls.length === 1 ? 'call' : 'calls'}, ${duration(sum(calls, 'ms'))}`],
    input > 0 && [`${count(input)} → ${count(output)}`, 'tokens'],
    typeof attempt.usd === 'number' && [money(attempt.usd), ''],
    [counted(events.length, 'event'), '0 hidden'],
  ].filter(Boolean);
  return [
    el(
      'p.totals',
      totals.map(([value, text]) => el('span', el('b', value), ` ${text}`)),
    ),
    evidenceOf(attempt.evidence, calls),
    timelineOf(events, side.name, context, texts),
  ];
}

// ---- evidence

const STEPS = [
  ['in_corpus', 'In the corpus'],
  ['retrieved', 'Retrieved'],
  ['read', 'Read by the model'],
  ['used', 'Used in the answer'],
];

// For each text that the checks look for: how far it came. A step is true, false, or null where nothing says it.
function evidenceOf(evidence, calls) {
  const title = 'How far the evidence came';
  if (!evidence) {
    return section(title, null, el('p.soft', 'Not stored: nothing was kept of the way that the evidence took.'));
  }
  if (evidence.length === 0) {
    return section(title, null, el('p.soft', 'Not assessable: no check of this case says which text was needed.'));
  }
  // A call that would have read what an earlier one had found.
  const sources = calls.flatMap((each) => (each.evidence || []).map((one) => one.source)).filter(Boolean);
  const refusal = calls.find(
    (each) => each.problem && sources.some((one) => JSON.stringify(each.arguments ?? '').includes(one)),
  );
  const step = (each, key, text) =>
    el(
      each[key] ? 'li' : each[key] === false ? 'li.lost' : 'li.unknown',
      el('b', each[key] ? '✓ ' : each[key] === false ? '✗ ' : '– ', text),
      el('span', foreignLine(each.notes?.[key] || (typeof each[key] === 'boolean' ? '' : 'not known'), 120)),
      // Found, and then not given to the model: a call that was refused says why.
      key === 'read' && each.retrieved && each.read === false && refusal && [
        ' ',
        el('span.bad', foreignLine(`${refusal.name}: ${refusal.problem}`, 160)),
      ],
    );
  return section(
    title,
    counted(evidence.length, 'text'),
    evidence.map((each) => {
      const reached = STEPS.map(([key]) => each[key]).lastIndexOf(true);
      const lost = STEPS.slice(reached + 1).find(([key]) => each[key] === false);
      return el(
        'div.evidence',
        el(
          'p.small',
          each.is_pattern ? 'Needed, a pattern: ' : 'Needed: ',
          foreign(each.needed, each.is_pattern ? 'code' : 'span'),
        ),
        el(
          'ol.path',
          STEPS.map(([key, text]) => step(each, key, text)),
        ),
        el('p.small.soft', lost ? `Lost at: ${lost[1].toLowerCase()}.` : 'Nothing was lost.'),
      );
    }),
  );
}

// ---- timeline

function timelineOf(events, name, context, texts) {
  const timeline = new Timeline(events, context.query, texts);
  queueMicrotask(() => timeline.draw()); // when the place has its width
  addKeys(timeline.keys());
  return section(
    `Timeline of ${name}`,
    Object.entries(KINDS).map(([kind, { letter, word }]) =>
      el('span.kind-key', el(`span.kind.kind-${kind}`, { 'aria-hidden': 'true' }, letter), ` ${word}`),
    ),
    el('div.timeline-grid', timeline.node, timeline.detail),
    timeline.jumps(),
  );
}

const isError = (event) => event.kind === 'error';
const hasEvidence = (event) => event.evidence?.length > 0;

/** The next event after one, around the end, that meets something; -1 where none does. @param {any[]} events
 * @param {number} chosen @param {(event: any) => boolean} meets */
export function nextEvent(events, chosen, meets) {
  for (let step = 1; step <= events.length; step++) {
    const index = (chosen + step) % events.length;
    if (meets(events[index])) return index;
  }
  return -1;
}

// The events of one answer as rows, and the chosen one in full.
class Timeline {
  constructor(events, query, texts) {
    this.events = events;
    this.texts = texts;
    this.end = Math.max(1, ...events.map((each) => (each.at || 0) + (each.ms || 0)));
    this.most = Math.max(1, ...events.map((each) => (each.input || 0) + (each.output || 0)));
    this.chosen = this.inRange(Number(query.event || 1) - 1);
    this.list = el('tbody');
    this.detail = el('aside.panel.detail', { 'aria-live': 'polite', 'aria-label': 'The chosen event' });
    this.node = el('div.timeline-table');
    append(this.node, [sideways('Events', el('table.timeline', timelineHead(this.end), this.list))]);
  }

  inRange(index) {
    return Math.max(0, Math.min(this.events.length - 1, index));
  }

  keys() {
    return [
      { key: 'ArrowDown', shown: '↓', text: 'next event', act: () => this.choose(this.chosen + 1) },
      { key: 'ArrowUp', shown: '↑', text: 'event before', act: () => this.choose(this.chosen - 1) },
      { key: 'e', text: 'next evidence', act: () => this.chooseNext(hasEvidence) },
      { key: 'x', text: 'next error', act: () => this.chooseNext(isError) },
    ];
  }

  // What is pressed to go to errors and evidence.
  jumps() {
    const errors = this.events.filter(isError).length;
    const withEvidence = this.events.filter(hasEvidence).length;
    return [
      errors > 0 && pressable(`errors ${errors}`, () => this.chooseNext(isError)),
      withEvidence > 0 && pressable(`evidence ${withEvidence}`, () => this.chooseNext(hasEvidence)),
    ];
  }

  choose(index) {
    this.chosen = this.inRange(index);
    changeQuery({ event: this.chosen ? this.chosen + 1 : '' });
    this.draw();
    this.list.children[this.chosen]?.focus();
  }

  chooseNext(meets) {
    const index = nextEvent(this.events, this.chosen, meets);
    if (index >= 0) this.choose(index);
  }

  draw() {
    const { events, chosen } = this;
    fill(
      this.list,
      events.map((event, index) => this.row(event, index)),
    );
    fill(
      this.detail,
      detailOf(events[chosen], chosen, events.length, this.texts),
      askedFor(events, chosen),
      el(
        'p',
        pressable('↑', () => this.choose(chosen - 1), { 'aria-label': 'Event before' }),
        ' ',
        pressable('↓', () => this.choose(chosen + 1), { 'aria-label': 'Next event' }),
      ),
    );
  }

  row(event, index) {
    const isChosen = index === this.chosen;
    const { letter, word } = KINDS[event.kind];
    return el(
      'tr',
      {
        tabindex: isChosen ? 0 : -1,
        'aria-current': isChosen ? 'true' : null,
        onclick: () => this.choose(index),
        onkeydown: (key) => {
          if (key.key === 'Enter') this.choose(index);
        },
      },
      el('td.number.soft.when', ((event.at || 0) / 1000).toFixed(2)),
      el('td', el(`span.kind.kind-${event.kind}`, { 'aria-hidden': 'true' }, letter), el('span.sr', word)),
      el('td.what', el('b', foreignLine(event.name, 40)), ' ', el('small.soft', foreignLine(event.about, 70))),
      el('td.bars', eventBar(event, this.end, this.barWidth())),
      el('td.context', event.input > 0 && tokenBar(event, { most: this.most, width: 112 })),
      el('td.number.tokens', event.input > 0 && `${count(event.input)} → ${count(event.output)}`),
    );
  }

  barWidth() {
    const others = isNarrow() ? 90 : isNarrow(1199) ? 520 : 580;
    return Math.max(120, Math.min(330, roomFor(this.node, 320, 1000) - others));
  }
}

function timelineHead(end) {
  return el(
    'thead',
    el(
      'tr',
      el('th.number', { scope: 'col' }, 'At, s'),
      el('th', { scope: 'col' }, el('span.sr', 'Kind')),
      el('th', { scope: 'col' }, 'Event'),
      el('th', { scope: 'col' }, `Time, 0 to ${duration(end)}`),
      el('th.context', { scope: 'col' }, 'Context: in, out'),
      el('th.number.tokens', { scope: 'col' }, 'Tokens'),
    ),
  );
}

// When an event was, and how long it took; the number stands where it has room.
function eventBar(event, end, room) {
  const x = (ms) => (ms / end) * (room - 60);
  const from = x(event.at || 0),
    wide = Math.max(2, x(event.ms || 0));
  const isRight = from + wide > room - 60;
  return el(
    'svg',
    {
      width: room,
      height: 20,
      viewBox: `0 0 ${room} 20`,
      role: 'img',
      'aria-label': `${duration(event.ms)}, from ${duration(event.at)}`,
    },
    el('line.grid-line', { x1: 0, x2: room, y1: 19, y2: 19 }),
    el(`rect.kind-${event.kind}`, { x: from, y: 5, width: wide, height: 10 }),
    el(
      'text',
      isRight ? { x: from - 4, y: 14, 'text-anchor': 'end' } : { x: from + wide + 5, y: 14 },
      duration(event.ms),
    ),
  );
}

const ADDRESS = /https?:\/\/[^\s"'<>\\]{4,}/g;
const PASSAGE_AROUND = 160;

// A call that was refused may have been asked for by a text that the model was shown: the first earlier result that
// holds an address of its arguments.
function askedFor(events, index) {
  const call = events[index];
  if (!call.problem) return null;
  const given = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? '');
  const addresses = given.match(ADDRESS) || [];
  for (const earlier of events.slice(0, index)) {
    const shown = typeof earlier.result === 'string' ? earlier.result : `${earlier.result?.head || ''}`;
    const found = addresses.find((each) => shown.includes(each));
    if (!found) continue;
    const at = shown.indexOf(found);
    const passage = shown.slice(Math.max(0, at - PASSAGE_AROUND), at + found.length + PASSAGE_AROUND);
    const place = (earlier.evidence || []).map((each) => each.place || each.source).find(Boolean);
    return [
      el('h3', 'The text that asked for this call'),
      el('p.small.soft', foreignLine(`in what ${earlier.name} gave${place ? `, ${place}` : ''}`, 160)),
      foreign(passage, 'blockquote'),
    ];
  }
  return null;
}

function detailOf(event, index, all, texts) {
  const text = event.kind === 'model' ? event.text : event.result;
  return [
    el('p.small.soft', `event ${index + 1} of ${all} · at ${duration(event.at)} · took ${duration(event.ms)}`),
    el('h3.peek-title', foreignLine(event.name, 60)),
    event.problem && el('p.fault', foreign(event.problem)),
    event.arguments !== undefined &&
      event.arguments !== null && [
        el('h3', 'Arguments'),
        foreign(
          typeof event.arguments === 'string' ? event.arguments : JSON.stringify(event.arguments, null, 1),
          'pre',
        ),
      ],
    text !== undefined &&
      text !== null && [el('h3', 'Result'), typeof text === 'string' ? foreign(text, 'pre') : textOf(texts, text)],
    (event.evidence || []).length > 0 && [
      el('h3', 'What it found'),
      el(
        'ul.bullets.small',
        event.evidence.map((each) =>
          el(
            'li',
            foreignLine(each.source, 90),
            each.place && [' ', foreignLine(each.place, 40)],
            each.relevance !== null && [' · ', foreignLine(each.relevance, 12)],
          ),
        ),
      ),
    ],
    event.input > 0 &&
      el(
        'p.small.soft',
        `${count(event.input)} tokens in`,
        event.cached > 0 && `, ${count(event.cached)} of them cached`,
        `; ${count(event.output)} out`,
      ),
  ];
}
