// Marks that mean the same on every page: scores, states, conditions of trust.
import { nameOfCase } from './data.js';
import { el, foreign, foreignLine, spoken } from './dom.js';
import { count, isNumber, points } from './format.js';
import { linkTo } from './address.js';

/** The seven steps of a score; 0 and 100 stand alone. */
export const SCORE_BINS = ['0', '1–19', '20–39', '40–59', '60–79', '80–99', '100'];

/** States that are no score: the mark, and the word for it. */
export const STATE_MARKS = {
  error: { mark: '×', word: 'error', style: 'error' },
  unscored: { mark: '–', word: 'unscored', style: 'unscored' },
  missing: { mark: '–', word: 'no score', style: 'unscored' },
  skipped: { mark: '·', word: 'skipped', style: 'skipped' },
  pending: { mark: '…', word: 'pending', style: 'pending' },
  unplanned: { mark: '', word: 'not planned', style: 'skipped' },
  unknown: { mark: '?', word: 'not known', style: 'skipped' },
};

/** The step of a score of 0 to 1. @param {number} score */
export function scoreBin(score) {
  const rounded = Math.round(score * 1000) / 10;
  return rounded <= 0 ? 0 : rounded >= 100 ? 6 : 1 + Math.min(4, Math.floor(rounded / 20));
}

// 99.6 is not 100, and 0.3 is not 0.
function shownScore(score) {
  const whole = points(score);
  if (score > 0 && whole === '0') return '>0';
  return score < 1 && whole === '100' ? '<100' : whole;
}

/**
 * A score, or the mark of the state in which there is none.
 * @param {any} score @param {string} [state] @param {{partial?: boolean, flaky?: boolean}} [more]
 */
export function chip(score, state = 'scored', { partial = state === 'partial', flaky = false } = {}) {
  if (!isNumber(score)) {
    const { mark, word, style } = STATE_MARKS[state] || STATE_MARKS.missing;
    return el(`span.chip.${style}`, { title: word }, el('span', { 'aria-hidden': 'true' }, mark), spoken(word));
  }
  return el(
    `span.chip.s${scoreBin(score)}${partial ? '.partial' : ''}`,
    { title: partial ? 'partial: a check of it has no score' : null },
    shownScore(score),
    partial && spoken(' partial'),
    flaky && spoken(' flaky'),
  );
}

/** The states beside a mean: "2 × 13 ◢". @param {Record<string, number>} counts */
export function stateCounts(counts) {
  const shown = [
    ['errors', '×', 'error'],
    ['unscored', '–', 'unscored'],
    ['skipped', '·', 'skipped'],
    ['pending', '…', 'pending'],
    ['partial', '◢', 'partial'],
  ].filter(([key]) => counts && counts[key] > 0);
  if (shown.length === 0) return el('span.soft', '0');
  const named = (key, word) => (word === 'error' && counts[key] > 1 ? 'errors' : word);
  return shown.map(([key, mark, word], index) => [
    index > 0 && ' ',
    el(
      'span.state-count',
      { title: named(key, word) },
      `${counts[key]} `,
      el('span', { 'aria-hidden': 'true' }, mark),
      spoken(named(key, word)),
    ),
  ]);
}

/** A text of links: [{text, link?}] or a string. Links are paths of this page, never addresses of others.
 * @param {any} parts */
export function linkedText(parts) {
  if (!Array.isArray(parts)) return foreign(parts);
  return parts.map((part) => {
    const link = part.link || part.href;
    return typeof link === 'string' && link.startsWith('#/')
      ? el('a', { href: link }, foreign(part.text))
      : foreign(part.text ?? part);
  });
}

// ✓: a doubt was looked for and not found; !: a doubt is open; a remark has no sign.
function signOf(ok) {
  if (ok === null) return el('span', { 'aria-hidden': 'true' }, '·');
  return el(
    ok ? 'span.fine' : 'span.attention',
    el('span', { 'aria-hidden': 'true' }, ok ? '✓' : '!'),
    spoken(ok ? 'fine: ' : 'attention: '),
  );
}

/** Conditions, each stated either way. @param {any[]} conditions {ok, text, link?} */
export function trustList(conditions) {
  return el(
    'ul.trust',
    conditions.map((each) =>
      el(
        'li',
        signOf(each.ok),
        el(
          'span',
          linkedText(each.text),
          each.link && [
            ' ',
            el(
              'a',
              { href: each.link },
              each.label || 'show',
              spoken(` ${typeof each.text === 'string' ? each.text.slice(0, 60) : 'them'}`),
            ),
          ],
        ),
      ),
    ),
  );
}

/** The panel of conditions at the right of the verdict. @param {string} title @param {any[]} conditions */
export function trustPanel(title, conditions) {
  return el('aside.panel.trust-panel', { 'aria-label': title }, el('h2.h3', title), trustList(conditions));
}

const NAME_SHOWN = 60;
const LONG_SENTENCE = 180; // names of variants may be whole prompts

// A number and its sign do not part at the end of a line.
function keepTogether(node) {
  if (node.nodeType === Node.TEXT_NODE) node.data = node.data.replace(/(\d) %/g, '$1\u00a0%');
  for (const each of node.childNodes) keepTogether(each);
}

/** What stands on top of a page. @param {any} over @param {any} sentence @param {...any} below */
export function verdict(over, sentence, ...below) {
  const heading = el('h1', sentence);
  keepTogether(heading);
  if (heading.textContent.length > LONG_SENTENCE) heading.classList.add('long');
  return el('div.verdict', over && el('p.eyebrow', over), heading, below);
}

/** A link to a case of a run. @param {string} run @param {string} id @param {Record<string, any>} [query] */
export function caseLink(run, id, query = {}) {
  const name = nameOfCase(id);
  return el(
    'a',
    { href: linkTo(['run', run, 'case', id], query) },
    name === id ? foreign(id) : foreignLine(name, NAME_SHOWN),
  );
}

/** How far a run that goes on is: a bar, and the counts. @param {any} done @param {any} planned */
export function progressOf(done, planned) {
  const share = planned ? done / planned : 0;
  return [
    el(
      'span.progress',
      {
        role: 'progressbar',
        'aria-label': 'Cells done',
        'aria-valuemin': 0,
        'aria-valuemax': planned,
        'aria-valuenow': done,
      },
      el('span', { style: { width: `${share * 100}%` } }),
    ),
    el('span', `${count(done)} of ${count(planned)}`),
  ];
}
