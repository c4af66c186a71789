// The frame around every page: path, tabs, theme, the list of keys, the line that says what happened.
import { append, announce, copyButton, el, fill, foreignLine, pressable, visible } from './dom.js';
import { linkToCopy } from './address.js';
import { keepFor, keptFor } from './kept.js';
import { wordsOfPage } from './words.js';

/** @typedef {{key: string, shown?: string, text: string, act: (event: KeyboardEvent) => void}} Key */
/** @typedef {{path: {text: string, link?: string}[], tabs?: {text: string, link: string, open?: boolean}[]}} Frame */

/** @type {Key[]} */
let pageKeys = [];
let areLettersOn = keptFor('letters') !== 'off';

const COMMON_KEYS = [
  { key: '?', text: 'this list', act: () => showKeys() },
  { key: '/', text: 'filter', act: () => focusFilter() },
  { key: 'Escape', shown: 'Esc', text: 'back, filter and place kept', act: () => goUp() },
  { key: 'y', text: 'copy a link to this view', act: () => copyLink() },
  { key: 't', text: 'light or dark', act: () => changeTheme() },
];

let hasRuns = true;

/** Builds the frame once; main is where pages are put. @param {boolean} isFile one run, so no list of them */
export function buildFrame(isFile) {
  hasRuns = !isFile;
  setTheme(keptFor('theme') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  const main = el('main', { id: 'main', tabindex: -1 });
  const skip = el('a.skip', { href: '#main' }, 'Skip to content');
  skip.addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
  });
  append(document.body, [
    skip,
    el(
      'header.bar',
      el('a.home', { href: '#/' }, 'assay'),
      el('nav', { 'aria-label': 'Path' }, el('ol', { id: 'path' })),
      el('span.space'),
      pressable([el('kbd', { 'aria-hidden': 'true' }, '?'), el('span.label', 'keys')], showKeys, {
        'aria-label': 'Keys ?',
        class: 'btn icon',
      }),
      pressable('◐', changeTheme, { 'aria-label': 'Light or dark', class: 'btn icon' }),
    ),
    el('nav.tabs', { id: 'tabs', 'aria-label': 'Views', hidden: true }),
    main,
    el('p.sr', { id: 'status', role: 'status' }),
    el('dialog', { id: 'keys', 'aria-label': 'Keys' }),
  ]);
  addEventListener('keydown', pressed);
  return main;
}

/** @param {Frame} frame */
export function setFrame({ path: whole, tabs = [] }) {
  const path = whole.filter((each) => hasRuns || each.link !== '#/runs');
  fill(
    document.getElementById('path'),
    path.map(({ text, link }) =>
      el('li', link ? el('a', { href: link }, foreignLine(text, 60)) : foreignLine(text, 60)),
    ),
  );
  const nav = document.getElementById('tabs');
  if (!nav) return;
  nav.hidden = tabs.length === 0;
  fill(
    nav,
    tabs.map(({ text, link, open }) => el('a', { href: link, 'aria-current': open ? 'page' : null }, text)),
  );
  const names = path.map((each) => each.text).reverse();
  document.title = `${visible(names.join(' · ').slice(0, 120))} · assay`;
}

/** The keys of the page that is open. @param {Key[]} keys */
export function setKeys(keys) {
  pageKeys = keys;
}

/** More keys, before those that are there; keys of the same name are replaced. @param {Key[]} keys */
export function addKeys(keys) {
  const names = keys.map((each) => each.key);
  pageKeys = [...keys, ...pageKeys.filter((each) => !names.includes(each.key))];
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) {
    if (event.key === 'Escape') target.blur();
    return;
  }
  const isLetter = /^[a-z0-9[\]?/]$/i.test(event.key);
  if (isLetter && !areLettersOn) return;
  const found = [...pageKeys, ...COMMON_KEYS].find((each) => each.key.split(' ').includes(event.key));
  if (!found || event.defaultPrevented) return;
  if (event.key === 'Enter' && /^(A|BUTTON|SUMMARY)$/.test(target.tagName)) return;
  if (event.key.startsWith('Arrow') && target.closest('.scroll, [role=tablist]')) return;
  event.preventDefault();
  found.act(event);
}

// For readers without a mouse: what the words of the page mean.
function explanations(words) {
  if (words.length === 0) return null;
  const row = ([word, meaning]) => [el('dt', word), el('dd', meaning)];
  return [el('h2', 'Words of this page'), el('dl.words', words.map(row))];
}

function showKeys() {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('keys'));
  const row = ({ key, shown = '', text }) => [
    el(
      'dt',
      (shown || key).split(' ').map((each) => [el('kbd', each), ' ']),
    ),
    el('dd', text),
  ];
  fill(
    dialog,
    el('h2', 'Keys'),
    el('dl', [...pageKeys, ...COMMON_KEYS].map(row)),
    explanations(wordsOfPage()),
    el(
      'p.small',
      el(
        'label',
        el('input', {
          type: 'checkbox',
          checked: areLettersOn,
          onchange: (event) => {
            areLettersOn = event.target.checked;
            keepFor('letters', areLettersOn ? 'on' : 'off');
          },
        }),
        ' letters and digits are keys',
      ),
    ),
    el(
      'p',
      { style: { 'margin-top': '12px' } },
      pressable('Close', () => dialog.close()),
    ),
  );
  dialog.showModal();
}

function focusFilter() {
  const field = /** @type {HTMLElement | null} */ (document.querySelector('.field'));
  if (field) field.focus();
}

// To the page above this one in the path; by the history where one came from there, so that filter and place are kept.
function goUp() {
  const links = document.querySelectorAll('#path a');
  const up = links[links.length - 1]?.getAttribute('href');
  if (!up) return;
  const isFromThere = history.state?.from && history.state.from.split('?')[0] === up.split('?')[0];
  if (isFromThere) history.back();
  else location.hash = up;
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(linkToCopy());
    announce('The link is copied');
  } catch {
    announce('The browser does not let this page copy');
  }
}

/** The button for the same. */
export function copyLinkButton() {
  return copyButton(linkToCopy(), ['Copy link ', el('kbd', { 'aria-hidden': 'true' }, 'y')]);
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

function changeTheme() {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  setTheme(theme);
  keepFor('theme', theme);
  document.dispatchEvent(new Event('theme'));
}
