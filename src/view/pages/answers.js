// Answers side by side, all attempts of a variant, and the points on which an answer was graded, with every vote.
import { copyButton, el, foreign, foreignLine } from './dom.js';
import { alignedItems, itemMark } from './aligned.js';
import { count, counted, duration, judgeLabel, money, points } from './format.js';
import { chip, scoreBin, STATE_MARKS } from './marks.js';
import { markdownOf, markedTurn } from './markdown.js';
import {
  codeLines,
  differingWords,
  linesOfSpans,
  plainText,
  proseAndCode,
  textOf,
} from './texts.js';

const META_CHARS_MAX = 2000; // of the line below an answer: services call models as they like

/** The attempt that is shown under a number; one that is the same as an earlier one has that one's texts.
 * @param {any} cell @param {number} number */
export function attemptOf(cell, number) {
  const found = (cell.attempts || []).find((each) => each.attempt === number) || (cell.attempts || [])[0];
  if (!found || !found.same_as) return found;
  const shown = cell.attempts.find((each) => each.attempt === found.same_as) || found;
  return { ...shown, attempt: found.attempt, same_as: found.same_as };
}

const isCode = (attempt) => (attempt?.turns || []).some((turn) => /^(```|~~~)/m.test(plainText(turn.text)));

/** @param {any} side @param {any[]} sides @param {any} how */
export function answerColumn(side, sides, how) {
  const { cell, attempt, name } = side;
  const other = sides.find((each) => each !== side);
  const box = el(
    'select.btn.variant-box',
    {
      'aria-label': `Variant ${side.side === 0 ? 'at the left' : 'at the right'}`,
      onchange: () => how.chooseVariant(side.side, box.value),
    },
    how.run.variants.map((each) => el('option', { value: each.id, selected: each.id === side.variant }, each.name)),
  );
  const { score, state, partial } = how.score(side.variant);
  return el(
    'div.answer-column',
    { 'data-name': name },
    el(
      'div.picked',
      el('kbd', { 'aria-hidden': 'true' }, String(side.side + 1)),
      box,
      chip(score, state, { partial }),
      (cell.attempts || []).length > 1 && attemptButtons(side, how),
    ),
    attempt
      ? answerOf(attempt, other?.attempt, side, how)
      : el('p.soft', whyNoAttempt(state, how.run)),
  );
}

// Of a cell that is being asked the store knows nothing before it is graded.
function whyNoAttempt(state, run) {
  if (state === 'unplanned') return 'The case does not ask this variant.';
  if (state !== 'pending') return 'No attempt.';
  return run.is_live
    ? 'Not graded yet. Whether it was asked is not known before that: a run keeps a cell once it is graded.'
    : 'Not graded when the run stopped; the same command continues it.';
}

function attemptButtons(side, how) {
  return el(
    'span.attempts',
    { role: 'group', 'aria-label': 'Attempts' },
    side.cell.attempts.map((each) => {
      const mark = STATE_MARKS[each.state];
      const isScored = typeof each.score === 'number';
      return el(
        `button${isScored ? `.s${scoreBin(each.score)}` : '.chip-state'}`,
        {
          type: 'button',
          'aria-pressed': each.attempt === side.attempt?.attempt,
          'aria-label': `attempt ${each.attempt}: ${isScored ? points(each.score) : mark?.word || each.state}`,
          onclick: () => how.chooseAttempt(side.side, each.attempt),
        },
        isScored ? points(each.score) : mark?.mark || '–',
      );
    }),
  );
}

function answerOf(attempt, other, side, how) {
  const turns = attempt.turns || [];
  return el(
    'div.answer',
    attempt.error && el('p.fault', el('b', attempt.error_class || 'error'), ' ', foreign(attempt.error)),
    turns.map((turn, index) => [
      turns.length > 1 && el('p.turn-number', `turn ${index + 1}`),
      turn.thoughts && el('details.fold', el('summary', 'Thoughts'), textOf(how.texts, turn.thoughts)),
      turnText(turn, other?.turns?.[index], attempt, index, side, how),
    ]),
    turns.length === 0 && !attempt.error && el('p.soft', attempt.state === 'skipped' ? 'Skipped.' : 'No answer.'),
    attempt.halted && el('p.soft', 'Stopped: ', foreignLine(attempt.halted, 200)),
    attempt.citations?.length > 0 && sourcesOf(attempt.citations),
    el('p.meta', metaOf(attempt, side.cell)),
  );
}

// What tools of the model's service found for the answer: addresses are text, not links.
function sourcesOf(citations) {
  const source = (told) =>
    el(
      'li',
      told.title && [foreignLine(told.title, 200), ' '],
      told.url && el('span.mini', foreignLine(told.url, 500)),
      told.quote && foreign(told.quote, 'p.soft'),
    );
  return el('details.fold', el('summary', counted(citations.length, 'source')), el('ul', citations.map(source)));
}

function turnText(turn, other, attempt, index, side, how) {
  const text = plainText(turn.text);
  const isWhole = typeof turn.text === 'string';
  if (!isWhole || how.isRaw) return textOf(how.texts, turn.text, { spec: how.isRaw ? 'div.raw' : 'div' });
  if (how.hasDifferences && other && typeof other.text === 'string' && other.text !== text) {
    const left = side.side === 0 ? text : other.text,
      right = side.side === 0 ? other.text : text;
    const parts = isCode(attempt) ? null : differingWords(left, right);
    if (parts) return markedTurn(turn, parts[side.side], side.tag, spansOfTurn(attempt, index));
    if (!isCode(attempt))
      return [
        el('p.mini.soft', 'Little in common with the other: no words are marked.'),
        rendered(turn, text, attempt, index),
      ];
  }
  return rendered(turn, text, attempt, index);
}

// Byte ranges of points count in the whole answer, its turns joined by an empty line: here those of one turn.
function spansOfTurn(attempt, index) {
  const bytesOf = (text) => (typeof text === 'string' ? new TextEncoder().encode(text).length : (text?.bytes ?? 0));
  const before = attempt.turns.slice(0, index).reduce((sum, turn) => sum + bytesOf(turn.text) + 2, 0);
  const end = before + bytesOf(attempt.turns[index].text);
  return (attempt.points || [])
    .flatMap((point) => point.spans || [])
    .filter(([from, to]) => from >= before && to <= end)
    .map(([from, to]) => [from - before, to - before]);
}

function rendered(turn, text, attempt, index) {
  const spans = spansOfTurn(attempt, index);
  if (isCode(attempt)) return foldedProse(text, spans);
  if (spans.length) return markedTurn(turn, [{ text, isChanged: false }], 'ins', spans);
  return turn.markdown ? markdownOf(turn.markdown, text) : foreign(text, 'div.text');
}

const words = (text) => text.trim().split(/\s+/).filter(Boolean).length;

// An answer with programs: prose is folded under its number of words, code stands in full, lines that matched marked.
function foldedProse(text, spans = []) {
  const hits = linesOfSpans(text, spans);
  const code = (part) =>
    codeLines(
      part.text,
      part.language ? `Code, ${part.language}` : 'Code',
      hits.map((line) => line - part.first + 1),
    );
  const prose = (part, index) =>
    el(
      'details.fold',
      { open: hits.some((line) => line >= part.first && line < part.first + part.lines.length) },
      el('summary', `${counted(words(part.text), 'word')} ${index === 0 ? 'before the code' : 'after the code'}`),
      foreign(part.text, 'div.text'),
    );
  return proseAndCode(text).map((part, index) => (part.kind === 'code' ? code(part) : prose(part, index)));
}

function metaOf(attempt, cell) {
  const used = attempt.tokens?.candidate;
  const same = (cell.attempts || []).filter(
    (each) => each.same_as === (attempt.same_as || attempt.attempt) || each.attempt === attempt.same_as,
  );
  const alike = [...new Set([attempt.attempt, ...same.map((each) => each.attempt)])].sort((a, b) => a - b);
  const passes = (cell.attempts || [])
    .filter((each) => each.score !== null)
    .map((each) => each.passed);
  const facts = [
    attempt.ms !== null && attempt.ms !== undefined && duration(attempt.ms),
    attempt.first_ms && `first token ${duration(attempt.first_ms)}`,
    used && `${count(used.input_tokens)} tokens in, ${count(used.output_tokens)} out`,
    typeof attempt.usd === 'number' && money(attempt.usd),
    attempt.finish && attempt.finish !== 'stop' && `ended: ${attempt.finish}`,
    attempt.cut && 'cut: the model ran out of room',
    attempt.calls > 1 && `${attempt.calls} requests`,
    attempt.tries > attempt.calls && `sent ${attempt.tries} times`,
    attempt.answered_by && !isAnotherModel(attempt) && `answered by ${attempt.answered_by}`,
    ...answeredTexts(attempt),
    alike.length > 1 && `attempts ${alike.join(', ')} are identical`,
    passes.includes(true) && passes.includes(false) && 'flaky: some attempts pass, others fail',
  ].filter(Boolean);
  return [
    foreignLine(facts.join(' · '), META_CHARS_MAX),
    ' ',
    copyButton((attempt.turns || []).map((turn) => plainText(turn.text)).join('\n\n'), 'Copy answer'),
  ];
}

/** Whether answeredTexts names the model that answered in place of the requested one. */
const isAnotherModel = (attempt) =>
  (attempt.served || []).some((each) => each.is_other && each.model === attempt.answered_by);

/** Who answered, as the replies say: answered by gpt-4o-2024-11-20 (fp_1), which is not gpt-4.1. */
const answeredTexts = (attempt) =>
  (attempt.served || [])
    .filter((each) => each.model && (each.role === 'candidate' || each.is_other))
    .map((each) =>
      [
        `${each.role === 'candidate' ? '' : `${each.role} `}answered by ${each.model}`,
        each.fingerprint && ` (${each.fingerprint})`,
        each.provider && ` at ${each.provider}`,
        each.is_other && `, which is not ${each.asked.replace(/^[^:]*:/, '')}`,
      ]
        .filter(Boolean)
        .join(''),
    );

/** @param {any} side @param {any} how */
export function allAttempts(side, how) {
  const attempts = side.cell.attempts || [];
  const first = attempts[0];
  const card = (each) => {
    const alike = attempts.filter((other) => other.same_as === each.attempt).map((other) => other.attempt);
    const turn = (each.turns || []).slice(-1)[0],
      before = (first.turns || []).slice(-1)[0];
    const text = plainText(turn?.text);
    const parts =
      how.hasDifferences && each !== first && turn && before && !isCode(each)
        ? differingWords(plainText(before.text), text)
        : null;
    return el(
      'div.panel',
      el(
        'p',
        chip(each.score, each.state),
        ' ',
        el(
          'b.small',
          alike.length ? `attempts ${[each.attempt, ...alike].join(', ')}, alike` : `attempt ${each.attempt}`,
        ),
        ' ',
        el('span.meta', duration(each.ms)),
      ),
      each.error && el('p.small.fault', foreignLine(each.error, 300)),
      !turn
        ? null
        : parts
          ? markedTurn(turn, parts[1], 'ins')
          : isCode(each) && !how.isRaw
            ? foldedProse(text)
            : textOf(how.texts, turn.text),
    );
  };
  return el(
    'section.attempt-set',
    el(
      'div.head',
      el('h2', foreignLine(side.name, 80)),
      el('span.small.soft', counted(attempts.length, 'attempt')),
    ),
    el('div.cards', attempts.filter((each) => !each.same_as).map(card)),
    how.hasDifferences &&
      attempts.length > 1 &&
      el('p.mini.soft', 'Marked words are not in attempt 1. Answers that are the same stand here once.'),
  );
}

// ---- points

/** Every point of both answers; those on which they differ first. @param {any[]} sides @param {any} how */
export function pointsOf(sides, how) {
  const lists = sides.map((side) => side.attempt?.points || []);
  const longest = Math.max(0, ...lists.map((each) => each.length));
  if (longest === 0) return null;
  const rows = Array.from({ length: longest }, (_, index) => {
    const scores = lists
      .map((list) => list[index]?.score ?? (list[index] ? -1 : null))
      .filter((each) => each !== null);
    return { index, gap: scores.length > 1 ? Math.abs(scores[0] - scores[1]) : 0, low: Math.min(1, ...scores) };
  }).sort((x, y) => y.gap - x.gap || x.low - y.low || x.index - y.index);
  return el(
    'section',
    el(
      'div.head',
      el('h2', 'Criteria'),
      el(
        'span.small.soft',
        counted(longest, 'criterion', 'criteria'),
        sides.length > 1 && '; where the two differ first',
      ),
    ),
    rows.map(({ index }) => pointRow(index, lists, sides, how)),
  );
}

function pointRow(index, lists, sides, how) {
  const told = lists.map((list) => list[index]).find(Boolean);
  const aligned = alignedItems(
    lists.map((list) => list[index]),
    sides.map((side) => side.name),
  );
  const isText = ['judge', 'rubric', 'criterion'].some((kind) => told.kind.includes(kind));
  const facts = [
    told.kind,
    told.not && 'inverted',
    told.weight !== 1 && `weight ${told.weight}`,
    told.path,
    how.points?.[index]?.path !== told.path && how.points?.[index]?.path,
  ].filter(Boolean);
  return el(
    'div.point',
    el(
      'div.point-head',
      el(isText ? 'span' : 'span.mono', told.not && el('b', 'not: '), foreign(told.text || told.kind)),
      el('span.space'),
      el('small', facts.join(' · ')),
    ),
    el(
      `div.answers${sides.length > 1 ? '.two' : ''}`,
      sides.map((side, at) => pointSide(lists[at][index], side, aligned === null)),
    ),
    aligned,
  );
}

// The score of a point as a share: formats that give points say of how many.
const shareOf = (point) =>
  typeof point.score === 'number' && point.max > 0 ? point.score / point.max : point.score;

const FLAG_TEXTS = {
  votes_apart: 'votes are 75 points or more apart',
  against: 'a judge’s words speak against its vote',
  no_verdict: 'a judge gave no verdict',
};

function pointSide(point, side, hasItems) {
  if (!point) return el('div.point-side', { 'data-name': side.name }, el('span'), el('p.soft', 'not graded'));
  return el(
    'div.point-side',
    { 'data-name': side.name },
    chip(shareOf(point), point.state),
    el(
      'div.why',
      (point.votes || []).length > 0 &&
        el(
          'ul.votes',
          point.votes.map((vote) =>
            el(
              'li',
              el('span.judge', foreignLine(judgeLabel(vote.judge), 28)),
              el('b', points(vote.score)),
              el(
                'span',
                foreign(vote.reason),
                vote.each?.length > 1 &&
                  el('small', ` (votes ${vote.each.map((each) => points(each)).join(', ')})`),
              ),
            ),
          ),
        ),
      point.reason && (point.votes || []).length === 0 && foreign(point.reason, 'p'),
      point.citation && el('p', 'source: ', foreign(point.citation)),
      point.error && el('p.fault', foreign(point.error)),
      hasItems && itemsOf(point.items),
      blockOf(point),
      (point.outputs || []).map(outputOf),
      point.state === 'unscored' && el('p.flag', '! unscored: the score of the answer does without it'),
      (point.flags || []).map((flag) => el('p.flag', `! ${FLAG_TEXTS[flag] || flag}`)),
    ),
  );
}

function itemsOf(items) {
  if (!items || items.length === 0) return null;
  return el(
    'ul.items',
    items.map((item) => {
      return el(
        'li',
        itemMark(item.share),
        el(
          'div',
          item.wanted && el('p', el('span.soft', 'expected '), foreign(item.wanted, 'code')),
          item.found &&
            el('p', !item.found.startsWith('given') && el('span.soft', 'got '), foreign(item.found, 'code')),
          item.note && foreign(item.note, 'p'),
          item.points !== null && item.points !== undefined && el('p.soft', `${item.points} of ${item.weight}`),
          item.program && el('details', el('summary', 'Program'), codeLines(item.program, 'Program')),
        ),
      );
    }),
  );
}

const BLOCK_RULES = {
  all_fenced: 'all text between fences',
  longest_fenced: 'the longest text between fences',
  bare: 'no fences: by the rule of the language',
};

// What of the answer was run, by which rule; open where something of it failed.
function blockOf({ block, score, max }) {
  if (!block) return null;
  const lines = block.lines.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
  return el(
    'details',
    { open: !(score >= max) },
    el(
      'summary',
      `Graded: ${BLOCK_RULES[block.rule] || block.rule}`,
      lines ? ` (${block.lines.length > 1 || lines.includes('–') ? 'lines' : 'line'} ${lines})` : ', nothing',
    ),
    lines && codeLines(block.text, 'The graded part of the answer'),
  );
}

// What a program said and how it ended.
function outputOf(output) {
  const facts = [
    output.exit !== null && output.exit !== undefined && `exit ${output.exit}`,
    output.signal && `signal ${output.signal}`,
    typeof output.ms === 'number' && duration(output.ms),
    output.sandbox && foreignLine(output.sandbox, 80),
    output.limit && `limit: ${output.limit}`,
  ].filter(Boolean);
  return el(
    'div.output',
    el(
      'p.mini.soft',
      facts.map((fact, index) => [index > 0 && ' · ', fact]),
    ),
    output.error && el('p.fault', foreign(output.error)),
    ['stdout', 'stderr']
      .filter((name) => output[name])
      .map((name) => [el('p.mini.soft', name), foreign(plainText(output[name]), 'pre')]),
  );
}
