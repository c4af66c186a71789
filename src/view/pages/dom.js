// Elements made of elements and text nodes. Nothing in these pages ever parses a text as HTML.

const SVG_TAGS = new Set(['svg', 'g', 'line', 'rect', 'circle', 'path', 'text', 'polyline']);
const LINE_CHARS_MAX = 10000; // of a line, before "more"
const TEXT_CHARS_MAX = 200000; // of a text, before "more"
const MARKS_MAX = 12; // upon a letter: more would be painted over what stands around it
// Controls but tab and line feed, zero-width characters, fillers, marks of direction, line separators, the byte order
// mark, tags, and marks that are too many.
const HIDDEN = new RegExp(
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e' +
    '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]' +
    `|\\p{M}(?<=\\p{M}{${MARKS_MAX + 1}})\\p{M}*`,
  'gu',
);
const HIDDEN_NAMES = {
  0: 'NUL',
  7: 'BEL',
  8: 'BS',
  13: 'CR',
  27: 'ESC',
  0x7f: 'DEL',
  0x200b: 'ZWSP',
  0x202e: 'RLO',
};

/**
 * An element: el('div.panel', {title: 'why'}, child, [more, children]). Children that are false, null or '' are left
 * out; strings become text nodes. Attributes that are null or false are left out, but aria-…=false is written.
 * @param {string} spec @param {...any} rest @returns {any}
 */
export function el(spec, ...rest) {
  const [tag, ...classes] = spec.split('.');
  const first = rest[0];
  const hasAttributes = first && typeof first === 'object' && !Array.isArray(first) && !(first instanceof Node);
  const node = SVG_TAGS.has(tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', tag)
    : document.createElement(tag || 'div');
  if (classes.length) node.setAttribute('class', classes.join(' '));
  for (const [name, value] of Object.entries(hasAttributes ? rest.shift() : {})) setAttribute(node, name, value);
  append(node, tag === 'text' || tag === 'option' ? rest.flat(9).map(visible) : rest);
  return node;
}

const SPOKEN_ATTRIBUTES = ['aria-label', 'title', 'alt'];

/** Where no element can stand within a text, hidden characters are named in brackets. @param {any} text */
export function visible(text) {
  return typeof text === 'string' ? text.replace(HIDDEN, (each) => `[${hiddenName(each)}]`) : text;
}

function setAttribute(node, name, value) {
  if (value === null || value === undefined || (value === false && !name.startsWith('aria-'))) return;
  if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
  else if (name === 'style') for (const [key, each] of Object.entries(value)) node.style.setProperty(key, each);
  else if (name === 'value' || name === 'checked') node[name] = value;
  else if (SPOKEN_ATTRIBUTES.includes(name)) node.setAttribute(name, visible(String(value).slice(0, 500)));
  else node.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : String(value));
}

/** @param {any} node @param {any[]} children */
export function append(node, children) {
  for (const child of children.flat(9)) {
    if (child === null || child === undefined || child === false || child === '') continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

/** Puts children in the place of what the node holds. @param {any} node @param {...any} children */
export function fill(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

/** For screen readers alone. @param {string} text */
export function spoken(text) {
  return el('span.sr', visible(text));
}

function hiddenName(character) {
  if (/^\p{M}{2}/u.test(character)) return `${[...character].length} marks`;
  const code = character.codePointAt(0);
  return HIDDEN_NAMES[code] || `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

// Nodes of a text in which each hidden character is a box with its name.
function namedCharacters(text) {
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const from = match.index || 0;
    if (match[0] === '\r' && text[from + 1] === '\n') continue;
    if (from > at) nodes.push(text.slice(at, from));
    nodes.push(el('span.hidden-character', { title: 'a character that cannot be seen' }, hiddenName(match[0])));
    at = from + match[0].length;
  }
  nodes.push(text.slice(at));
  return nodes;
}

function moreButton(rest, step) {
  const noun = rest.length === 1 ? 'character' : 'characters';
  const button = el('button.more', { type: 'button' }, `… ${rest.length.toLocaleString('en')} more ${noun}`);
  button.addEventListener('click', () => {
    const left = rest.slice(step);
    button.replaceWith(
      ...append(document.createElement('span'), [
        namedCharacters(rest.slice(0, step)),
        left && moreButton(left, step),
      ]).childNodes,
    );
  });
  return button;
}

// The longest part of a text that is shown at once: it ends within a line that is too long, or where all is too long.
function shownLength(text) {
  let start = 0;
  const end = Math.min(text.length, TEXT_CHARS_MAX);
  while (start < end) {
    const feed = text.indexOf('\n', start);
    const stop = feed < 0 ? text.length : feed;
    if (stop - start > LINE_CHARS_MAX) return start + LINE_CHARS_MAX;
    start = stop + 1;
  }
  return end;
}

/**
 * Text that others wrote (models, suites, documents, programs): the only way by which such text comes onto a page.
 * @param {any} text @param {string} [spec] the element around it
 */
export function foreign(text, spec = 'span') {
  const whole = typeof text === 'string' ? text : text === null || text === undefined ? '' : String(text);
  const shown = shownLength(whole);
  const rest = whole.slice(shown);
  return el(
    `${spec}.foreign`,
    namedCharacters(whole.slice(0, shown)),
    rest && moreButton(rest, LINE_CHARS_MAX * 10),
  );
}

/** A short foreign text on one line. @param {any} text @param {number} [most] */
export function foreignLine(text, most = 200) {
  const line = String(text ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return foreign(line.length > most ? `${line.slice(0, most - 1)}…` : line);
}

/** A button. @param {any} label @param {() => void} press @param {object} [attributes] */
export function pressable(label, press, attributes = {}) {
  return el('button.btn', { type: 'button', onclick: press, ...attributes }, label);
}

/** Copies a text, and says so on the button. @param {string} text @param {any} [label] */
export function copyButton(text, label = 'Copy') {
  const button = pressable(label, async () => {
    try {
      await navigator.clipboard.writeText(text);
      announce('Copied');
    } catch {
      announce('The browser does not let this page copy');
    }
  });
  return button;
}

let lastAnnounced = '';
/** Says something in the one status line of the page. @param {string} text */
export function announce(text) {
  const line = document.getElementById('status');
  if (line && text !== lastAnnounced) line.textContent = visible(text);
  lastAnnounced = text;
}

/**
 * A section with a heading, a note beside it, and what is pressed at its right.
 * @param {string} title @param {any} note @param {any[]} content @param {any} [controls]
 * @param {object} [attributes]
 */
export function section(title, note, content, controls, attributes = {}) {
  return el(
    'section',
    attributes,
    el(
      'div.head',
      el('h2', typeof title === 'string' ? foreignLine(title, 120) : title),
      note && el('span.small.soft', note),
      controls && [el('span.space'), controls],
    ),
    content,
  );
}

/**
 * A table: heads are texts or {text, class}, what is false is left out; rows are lists of cells, rows, or bodies.
 * @param {any[]} heads @param {any[]} rows @param {{class?: string, caption?: string, [attribute: string]: any}} [how]
 */
export function table(heads, rows, { caption = '', ...attributes } = {}) {
  const head = (each) => el(`th${each.class ? `.${each.class}` : ''}`, { scope: 'col' }, each.text ?? each);
  const isBody = rows[0] instanceof Node && rows[0].nodeName === 'TBODY';
  const lines = rows.map((row) => (row instanceof Node ? row : el('tr', row)));
  return el(
    'table',
    attributes,
    caption && el('caption.small.soft', caption),
    el('thead', el('tr', heads.filter(Boolean).map(head))),
    isBody ? lines : el('tbody', lines),
  );
}

/** A region that scrolls sideways and can be reached by keyboard. @param {string} label @param {any} content */
export function sideways(label, content) {
  return el('div.scroll', { tabindex: 0, role: 'group', 'aria-label': label }, content);
}
