// Words of evaluations, explained where a page first shows them. docs/glossary.md has the same meanings.
import { el } from './dom.js';

const TEXTS_READ_MAX = 8000; // text nodes of a page, in one look
// Sentences of ours that name variants stand within these; no other text of somebody else is looked at.
const OWN_SENTENCES = '.verdict, .trust, .own';
const LEFT_OUT = 'abbr, svg, code, pre, select, dialog, .sr';

/** By the word of the glossary: how pages write it, and what it means. */
const GLOSSARY = {
  Case: [/\bcases?\b/i, 'one question, of one or several turns, and the checks on its answer'],
  Variant: [/\bvariants?\b/i, 'what is compared: a model with its parameters and its system prompt'],
  Attempt: [/\battempts?\b/i, 'one of several repetitions of the same case and variant'],
  Cell: [/\bcells?\b/i, 'one case × variant × attempt: a row of the report'],
  Judge: [
    /\bjudges?\b/i,
    'a model that scores an answer against a criterion; several judges form a consensus, ' +
      'and a *backup* judge can take the place of one',
  ],
  Criterion: [
    /\bcriteri(?:on|a)\b/i,
    "a check of a rubric: a statement that judges read, or a function; also one answer's result for it",
  ],
  Points: [/\bpoints?\b/i, 'hundredths of a score: a full score is 100 points'],
  Interval: [
    /\b95\s%|\bintervals?\b/i,
    'the range of values that the data support with 95 % confidence; with more cases, it becomes narrower',
  ],
  'Rank range': [
    /\branks?\b/i,
    'the ranks that a row may have, with 95 % confidence; 2–5 is neither first nor sixth',
  ],
  Passed: [
    /\bpass(?:ed|es)?\b(?!@)/i,
    'an attempt passes if its score reaches the pass mark; a case passes if enough of its attempts pass',
  ],
  'Graded in part': [
    /\bgraded in part\b|\bpartial\b/i,
    'at least one criterion has no verdict yet, so the answer enters no mean',
  ],
  Unscored: [
    /\bunscored\b/i,
    'nothing could be scored, and nothing failed; the answer enters no mean',
  ],
  Flaky: [/\bflaky\b/i, 'some attempts of a case pass and others fail'],
  Spread: [
    /\bspread\b/i,
    'how far the scores of repeated attempts lie apart: their standard deviation, in points',
  ],
  Consensus: [/\bconsensus\b/i, "the mean of all judges' verdicts on a criterion"],
  'Agreement (α)': [
    /\bagree(?:s|ment)?\b|α/i,
    "how far judges agree (Krippendorff's alpha): 1 is perfect agreement, 0 is what chance gives",
  ],
  Coverage: [
    /\bcoverage\b/i,
    "how far an answer meets its criteria, as judges and functions score it; Weval's word",
  ],
  Similarity: [
    /\bsimilarity\b/i,
    'how much two texts resemble each other, by their embeddings or by the words that they share',
  ],
  'Hybrid score': [/\bhybrid(?: score)?\b/i, "similarity and coverage in one number; Weval's word"],
  'pass@k': [/\bpass@\w+/i, 'how often at least one of k attempts passes'],
  Holistic: [
    /\bholistic\b/i,
    'of a judge: it sees the whole conversation and the description of the suite',
  ],
  Percentile: [
    /\bpercentiles?\b|\bp\d\d\b/i,
    'p95 is the value that 95 % of the answers do not exceed',
  ],
  Passage: [
    /\bpassages?\b/i,
    'a part of a document that a search found, or that a model received',
  ],
};

const meaningOf = (name) => GLOSSARY[name][1].replace(/\*/g, '');
const explainedIn = (host) => new Set([...host.querySelectorAll('abbr[data-word]')].map((each) => each.dataset.word));

/** What the list of keys says of the words of the page that is open: [as it is shown, meaning]. */
export function wordsOfPage() {
  const words = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#main abbr[data-word]'));
  return [...words].map((each) => [each.textContent, each.title]);
}

// The first word of a text that has no explanation yet; of two at one place the longer one.
function firstWordOf(text, names) {
  let first = null;
  for (const name of names) {
    const match = GLOSSARY[name][0].exec(text);
    if (!match || first?.at < match.index) continue;
    if (first?.at === match.index && first.text.length >= match[0].length) continue;
    first = { name, at: match.index, text: match[0] };
  }
  return first;
}

function mayBeExplained(node) {
  const parent = node.parentElement;
  if (!parent || parent.closest(LEFT_OUT)) return false;
  const foreign = parent.closest('.foreign');
  if (foreign && !foreign.closest(OWN_SENTENCES)) return false;
  return parent.checkVisibility ? parent.checkVisibility() : parent.offsetParent !== null;
}

function explainIn(host) {
  const known = explainedIn(host);
  const names = new Set(Object.keys(GLOSSARY).filter((name) => !known.has(name)));
  const walker = document.createTreeWalker(host, NodeFilter.SHOW_TEXT);
  for (let read = 0; read < TEXTS_READ_MAX && names.size > 0 && walker.nextNode(); read++) {
    const node = /** @type {Text} */ (walker.currentNode);
    const found = firstWordOf(node.data, names);
    if (!found || !mayBeExplained(node)) continue;
    const word = node.splitText(found.at);
    word.splitText(found.text.length);
    const abbr = el('abbr', { title: meaningOf(found.name), 'data-word': found.name });
    word.replaceWith(abbr);
    abbr.append(word);
    names.delete(found.name);
    walker.currentNode = word; // what follows may have another one
  }
}

/**
 * Explains the words of a page, and of what is drawn in it later.
 * @param {any} host @param {(act: () => void) => void} onLeave
 */
export function explainWords(host, onLeave) {
  let waiting = 0;
  const changed = new MutationObserver(() => {
    waiting ||= requestAnimationFrame(explain);
  });
  const explain = () => {
    waiting = 0;
    explainIn(host);
    changed.takeRecords();
  };
  explain();
  changed.observe(host, { childList: true, subtree: true, characterData: true });
  onLeave(() => {
    changed.disconnect();
    cancelAnimationFrame(waiting);
  });
}
