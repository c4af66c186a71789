// Texts of any length: whole, or head and tail with what is between on demand; words in which two texts differ; code.
import { el, foreign, pressable } from './dom.js';
import { counted, size } from './format.js';

const READ_AT_ONCE_BYTES = 200000;
const DIFFERENCE_WORDS_MAX = 1500; // of each text; longer ones are shown without marks
const SHARED_RUN_LEAST = 3; // shorter stretches in common count as changed

/** The string of a TEXT, as far as it is here. @param {any} text */
export function plainText(text) {
  if (text === null || text === undefined) return '';
  return typeof text === 'string' ? text : `${text.head}…${text.tail}`;
}

/**
 * A TEXT of the API as an element.
 * @param {{source: import('./data.js').Source, of: string} | null} texts
 *   where more of it is asked: `of` is run=…&case=…
 * @param {any} text @param {{most?: number, spec?: string}} [how]
 */
export function textOf(texts, text, { most = Infinity, spec = 'div' } = {}) {
  if (text === null || text === undefined) return el('p.soft', 'No text.');
  if (typeof text === 'string')
    return foreign(text.length > most ? `${text.slice(0, most)}…` : text, `${spec}.text`);
  if (!texts || most < Infinity) return foreign(`${text.head.slice(0, most)}…`, `${spec}.text`);
  const middle = el('div.middle');
  let from = new TextEncoder().encode(text.head).length;
  const end = text.bytes - new TextEncoder().encode(text.tail).length;
  const decoder = new TextDecoder();
  const button = pressable(`show ${size(end - from)} between`, async () => {
    const to = Math.min(end, from + READ_AT_ONCE_BYTES);
    const bytes = await texts.source.bytes(`text/${text.sha256}?${texts.of}&from=${from}&to=${to}`);
    middle.append(foreign(decoder.decode(bytes, { stream: to < end }), 'div.text'));
    from = to;
    if (from >= end) button.remove();
    else button.textContent = `show ${size(end - from)} more`;
  });
  return el(spec, foreign(text.head, 'div.text'), middle, el('p', button), foreign(text.tail, 'div.text'));
}

// Length of the longest common list of words, from each pair of places to the ends.
function commonLengths(a, b) {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
}

const wordsIn = (text) => text.match(/\S+|\s+/g) || [];

/**
 * The words in which two texts differ: for each a list of {text, isChanged}; null where they have too little in common
 * or are too long.
 * @param {string} left @param {string} right
 */
export function differingWords(left, right) {
  const a = wordsIn(left),
    b = wordsIn(right);
  if (a.length > DIFFERENCE_WORDS_MAX * 2 || b.length > DIFFERENCE_WORDS_MAX * 2) return null;
  const table = commonLengths(a, b);
  const sides = [[], []];
  let shared = 0;
  const add = (side, text, isChanged) => {
    const last = side[side.length - 1];
    if (last && last.isChanged === isChanged) last.text += text;
    else side.push({ text, isChanged });
  };
  let i = 0,
    j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      if (a[i].trim()) shared++;
      add(sides[0], a[i++], false);
      add(sides[1], b[j++], false);
    } else if (j >= b.length || (i < a.length && table[i + 1][j] >= table[i][j + 1])) add(sides[0], a[i++], true);
    else add(sides[1], b[j++], true);
  }
  const least = Math.min(...[a, b].map((words) => words.filter((each) => each.trim()).length));
  return shared * 2 < least ? null : sides.map(joinShortRuns);
}

function joinShortRuns(parts) {
  const joined = [];
  parts.forEach((part, index) => {
    const isBetween = index > 0 && index < parts.length - 1;
    const isNoise = !part.isChanged && isBetween && part.text.trim().split(/\s+/).length < SHARED_RUN_LEAST;
    const isChanged = part.isChanged || isNoise;
    const last = joined[joined.length - 1];
    if (last && last.isChanged === isChanged) last.text += part.text;
    else joined.push({ text: part.text, isChanged });
  });
  return joined;
}

// Byte ranges of a text as ranges of its characters; those that overlap an earlier one are left out.
function charactersOf(text, spans) {
  const bytes = new TextEncoder().encode(text),
    decoder = new TextDecoder();
  const places = [];
  let at = 0,
    characters = 0;
  const walkTo = (place) => {
    characters += decoder.decode(bytes.slice(at, place)).length;
    at = place;
    return characters;
  };
  for (const [from, to] of spans.slice().sort((a, b) => a[0] - b[0]))
    if (from >= at && to <= bytes.length) places.push([walkTo(from), walkTo(to)]);
  return places;
}

/** One side of a difference, byte ranges of it marked as well. @param {{text: string, isChanged: boolean}[]} parts
 * @param {'del' | 'ins'} tag @param {number[][]} [spans] */
export function markedText(parts, tag, spans = []) {
  const marks = charactersOf(parts.map((part) => part.text).join(''), spans);
  let start = 0;
  const pieces = ({ text }) => {
    const from = start,
      to = from + text.length;
    start = to;
    const cuts = new Set([from, to, ...marks.flat().filter((each) => each > from && each < to)]);
    const places = [...cuts].sort((a, b) => a - b);
    return places.slice(0, -1).map((place, index) => {
      const piece = foreign(text.slice(place - from, places[index + 1] - from));
      return marks.some((each) => each[0] <= place && place < each[1]) ? el('mark', piece) : piece;
    });
  };
  return el(
    'div.text',
    parts.map((part) => (part.isChanged && part.text.trim() ? el(tag, pieces(part)) : pieces(part))),
  );
}

/** Program text with numbered lines; lines that matched are marked. @param {string} text @param {string} label */
export function codeLines(text, label, hitLines = []) {
  const lines = text.split('\n');
  const shown = lines.slice(0, 600);
  return el(
    'div.code',
    { tabindex: 0, role: 'group', 'aria-label': label },
    el(
      'ol',
      shown.map((line, index) =>
        el(
          hitLines.includes(index + 1) ? 'li.hit' : 'li',
          el('span.line-number', { 'aria-hidden': 'true' }, String(index + 1)),
          hitLines.includes(index + 1) ? el('mark', foreign(line || ' ')) : foreign(line),
        ),
      ),
    ),
    lines.length > shown.length && el('p.small.soft', counted(lines.length - shown.length, 'more line')),
  );
}

const FENCE = /^(```|~~~)/;

/** Lines of a text (from 1) in which byte ranges of it begin or end. @param {string} text @param {number[][]} spans */
export function linesOfSpans(text, spans) {
  if (spans.length === 0) return [];
  const bytes = new TextEncoder().encode(text);
  const lineAt = (place) => bytes.slice(0, place).reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 1);
  return spans.flatMap(([from, to]) => {
    const first = lineAt(from),
      last = lineAt(Math.max(from, to - 1));
    return Array.from({ length: Math.min(200, last - first + 1) }, (_, index) => first + index);
  });
}

/** An answer in parts: prose and fenced code, in order, each with its first line. @param {string} answer */
export function proseAndCode(answer) {
  const parts = [];
  let isCode = false;
  answer.split('\n').forEach((line, index) => {
    const last = parts[parts.length - 1];
    const isFence = FENCE.test(line.trim());
    if (isFence && !isCode)
      parts.push({ kind: 'code', lines: [], language: line.trim().slice(3).trim(), first: index + 2 });
    else if (!isFence && last && (isCode || last.kind === 'prose')) last.lines.push(line);
    else if (!isFence) parts.push({ kind: 'prose', lines: [line], language: '', first: index + 1 });
    if (isFence) isCode = !isCode;
  });
  return parts
    .map((part) => ({ ...part, text: part.lines.join('\n') }))
    .filter((part) => part.kind === 'code' || part.text.trim());
}
