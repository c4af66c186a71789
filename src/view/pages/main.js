// The start of the pages: which address shows which page, and what stands there while one is read or cannot be.
import { el, fill, foreign, pressable } from './dom.js';
import { readAddress } from './address.js';
import { hasToken, openSource, tradeToken } from './data.js';
import { buildFrame, setFrame, setKeys } from './frame.js';
import { runsPage } from './page_runs.js';
import { runPage } from './page_run.js';
import { casePage } from './page_case.js';
import { comparePage } from './page_compare.js';
import { judgesPage } from './page_judges.js';
import { costPage } from './page_cost.js';
import { documentPage } from './page_document.js';
import { boardPage } from './page_board.js';
import { explainWords } from './words.js';

/**
 * What a page gets: it fills `host`, and asks `isOpen` before it does so late.
 * @typedef {{source: import('./data.js').Source, host: any, query: Record<string, string>, names: string[],
 *   isOpen: () => boolean, onLeave: (act: () => void) => void, again: () => void}} PageContext
 */

const PAGES = [
  { path: ['runs'], page: runsPage },
  { path: ['run', '*'], page: runPage },
  { path: ['run', '*', 'case', '*'], page: casePage },
  { path: ['run', '*', 'judges'], page: judgesPage },
  { path: ['run', '*', 'cost'], page: costPage },
  { path: ['run', '*', 'doc', '*'], page: documentPage },
  { path: ['run', '*', 'docs'], page: documentPage },
  { path: ['compare', '*'], page: comparePage },
  { path: ['board', '*'], page: boardPage },
  { path: ['board'], page: boardPage },
];
const SKELETON_AFTER_MS = 150;

/** The page of a path, and the names in it. @param {string[]} path */
export function pageOf(path) {
  const found = PAGES.find(
    (each) =>
      each.path.length === path.length && each.path.every((word, index) => word === '*' || word === path[index]),
  );
  return found && { page: found.page, names: path.filter((_, index) => found.path[index] === '*') };
}

function errorState(error, again) {
  const remedy = error.remedy || '';
  return el(
    'div.state',
    el('h1', foreign(error.message || String(error))),
    remedy && [el('p', 'What helps:'), el('pre.command', foreign(remedy))],
    el('p', pressable('Try again', again), ' ', el('a.btn', { href: '#/' }, 'To the start')),
  );
}

function skeleton() {
  return el(
    'div',
    el('p.soft', { role: 'status' }, 'Reading …'),
    el(
      'div',
      { 'aria-hidden': 'true' },
      [60, 88, 74, 40, 66, 52].map((width) => el('div.skeleton', { style: { width: `${width}%` } })),
    ),
  );
}

let openNumber = 0;
let leave = [];
let lastPath = '';
const placeOf = new Map(); // how far down the reader was, by entry of the history

async function home(source) {
  if (!source.isFile) return '#/runs';
  const index = await source.json('index');
  return `#/run/${encodeURIComponent(index.run)}`;
}

async function openPage(source, host, { isAgain = false } = {}) {
  const mine = ++openNumber;
  for (const act of leave.splice(0)) act();
  const seen = history.state?.entry;
  if (!seen) history.replaceState({ entry: `${mine}-${location.hash}`, from: lastPath }, '');
  lastPath = location.hash;
  const { path, query } = readAddress();
  if (path.length === 0) {
    history.replaceState(history.state, '', await home(source).catch(() => '#/runs'));
    return openPage(source, host, { isAgain });
  }
  const found = pageOf(path);
  const isOpen = () => mine === openNumber;
  const again = () => {
    source.forget();
    openPage(source, host, { isAgain: true });
  };
  const view = el('div.view'); // beside what was open before, until there is something in it
  const old = el('div', [...host.childNodes]);
  fill(host, old, view);
  const waiting = setTimeout(() => {
    if (!view.firstChild) fill(old, skeleton());
  }, SKELETON_AFTER_MS);
  const filled = new MutationObserver(() => {
    if (view.firstChild) {
      old.remove();
      filled.disconnect();
    }
  });
  filled.observe(view, { childList: true });
  setKeys([]);
  try {
    if (!found) throw new Error('There is no such page.');
    await found.page({
      source,
      host: view,
      query,
      names: found.names,
      isOpen,
      onLeave: (act) => leave.push(act),
      again,
    });
  } catch (error) {
    if (!isOpen()) return;
    setFrame({ path: [{ text: 'runs', link: '#/runs' }, { text: path.join(' › ') }] });
    fill(view, errorState(error, again));
  } finally {
    clearTimeout(waiting);
  }
  if (!isOpen()) return;
  explainWords(view, (act) => leave.push(act));
  const place = seen && placeOf.get(seen);
  window.scrollTo(0, place || 0);
  if (!isAgain && mine > 1 && !place) host.focus({ preventScroll: true });
  document.documentElement.dataset.ready = String(mine);
}

async function start() {
  await tradeToken().catch(() => {});
  const source = openSource();
  const host = buildFrame(source.isFile);
  history.scrollRestoration = 'manual';
  addEventListener(
    'scroll',
    () => {
      if (history.state?.entry) placeOf.set(history.state.entry, window.scrollY);
    },
    { passive: true },
  );
  addEventListener('hashchange', async () => {
    if (hasToken()) {
      await tradeToken().catch(() => {}); // an address that was printed, put into a page that was open
      source.forget();
    }
    await openPage(source, host);
  });
  await openPage(source, host);
}

start();
