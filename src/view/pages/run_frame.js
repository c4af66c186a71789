// What all pages of one run share: its path and tabs, its variants by name, where its links lead.
import { el, foreign } from './dom.js';
import { linkTo } from './address.js';
import { count } from './format.js';
import { setFrame } from './frame.js';

/** The path of a run in the API. @param {string} id @param {...string} below */
export function runPath(id, ...below) {
  return ['run', encodeURIComponent(id), ...below].join('/');
}

/** The object of a run. @param {import('./data.js').Source} source @param {string} id */
export function readRun(source, id) {
  return source.json(runPath(id));
}

/** @param {any} run */
export function titleOfRun(run) {
  return run.suite?.title || run.title || run.suite?.id || run.run;
}

/** @param {import('./data.js').Source} source @param {any} run @param {string} open the tab that is open
 * @param {{text: string, link?: string}[]} [below] */
export function setRunFrame(source, run, open, below = []) {
  const id = run.run;
  const firstCase = run.hardest?.[0]?.case ?? run.errors?.[0]?.first?.[0]?.case;
  const tabs = [
    { text: 'Result', link: linkTo(['run', id]) },
    firstCase !== undefined && { text: `Cases ${count(run.cases)}`, link: linkTo(['run', id, 'case', firstCase]) },
    hasJudges(run) && { text: 'Judges', link: linkTo(['run', id, 'judges']) },
    hasCost(source, run) && { text: 'Cost & latency', link: linkTo(['run', id, 'cost']) },
    (run.variants || []).length > 1 && { text: 'Compare', link: compareLink(run) },
    (run.documents || []).length > 0 && {
      text: `Documents ${run.documents.length}`,
      link: linkTo(['run', id, 'docs']),
    },
  ]
    .filter(Boolean)
    .map((tab) => ({ ...tab, open: tab.text.startsWith(open) }));
  setFrame({
    path: [
      { text: 'runs', link: '#/runs' },
      { text: titleOfRun(run), link: below.length ? linkTo(['run', id]) : undefined },
      ...below,
    ],
    tabs,
  });
}

/** Whether any point of the run was judged: what a program or a function graded has no votes. @param {any} run */
export function hasJudges(run) {
  return (run.statistics?.judges || []).length > 0;
}

/** Whether what answers cost and took is there: a file of a large run has none of it.
 * @param {import('./data.js').Source} source @param {any} run */
export function hasCost(source, run) {
  return source.has(runPath(run.run, 'cost'));
}

// The two that the first question is about: the first of the ranking, and the next.
function compareLink(run) {
  const order = (run.statistics?.ranking || []).map((each) => each.variant);
  const [first, second] = order.length > 1 ? order : run.variants.map((each) => each.id);
  return linkTo(['compare', `${run.run},${run.run}`], { a: keyOf(run, first), b: keyOf(run, second) });
}

/** How URLs name a variant. @param {any} run @param {string} id */
export function keyOf(run, id) {
  return run.variants.find((each) => each.id === id)?.key || id;
}

/** The variant that a URL names. @param {any} run @param {string | undefined} key */
export function variantOfKey(run, key) {
  return key === undefined ? undefined : run.variants.find((each) => each.key === key || each.id === key);
}

/** @param {any} run @param {string} id */
export function nameOf(run, id) {
  return run.variants.find((each) => each.id === id)?.name || id;
}

/** How people are told a model, which statistics name as the suite does. @param {any} run @param {any} row */
export function modelName(run, row) {
  const known = (run.statistics?.models || []).find((each) => each.model === row.model);
  return run.variants.find((each) => known?.variants.includes(each.id))?.model || row.model;
}

/** Where an `href` of the API leads: what follows the run, or a whole address.
 * @param {string} runId @param {any} href */
export function hrefOf(runId, href) {
  if (typeof href !== 'string' || href === '') return null;
  if (href.startsWith('#/')) return href;
  const own = linkTo(['run', runId]);
  return href.startsWith('?') || href.startsWith('/') ? own + href : `${own}/${href}`;
}

/** Conditions of the API as the trust list takes them. @param {string} runId @param {any[]} trust */
export function conditionsOf(runId, trust) {
  return (trust || []).map((each) => ({ ok: each.ok, text: each.text, link: hrefOf(runId, each.href) }));
}

/** Sentences of a verdict: the first is the heading. @param {any[]} sentences */
export function verdictTexts(sentences) {
  const [first, ...others] = sentences || [];
  return {
    first: first ? foreign(first.text) : 'No variant has a score.',
    others: others.map((each) =>
      el('p', each.about === 'variants' && el('span.soft', 'Single variants: '), foreign(each.text)),
    ),
  };
}
