// Markdown that the program has parsed, as elements: [name, attributes?, child…]. Unknown names lose their element,
// not their text; links are text with their address beside it; pictures are their words.
import { copyButton, el, foreign, foreignLine } from './dom.js';
import { plainText } from './texts.js';

const ELEMENTS = {
  p: 'p',
  ul: 'ul.bullets',
  ol: 'ol.numbers',
  li: 'li',
  blockquote: 'blockquote',
  hr: 'hr',
  br: 'br',
  table: 'table.small',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
  em: 'em',
  strong: 'strong',
  del: 's',
  u: 'u',
  code: 'code',
  h1: 'p.heading',
  h2: 'p.heading',
  h3: 'p.heading',
  h4: 'p.heading',
  h5: 'p.heading',
  h6: 'p.heading',
};
const DEPTH_MAX = 60;

/** @param {any} tree a list of nodes, or null @param {any} text what it was made of */
export function markdownOf(tree, text) {
  if (!Array.isArray(tree)) return foreign(plainText(text), 'div');
  return el(
    'div.markdown',
    tree.map((node) => nodeOf(node, 0)),
  );
}

function nodeOf(node, depth) {
  if (typeof node === 'string') return foreign(node);
  if (!Array.isArray(node) || depth > DEPTH_MAX) return null;
  const [name, ...rest] = node;
  const hasAttributes = rest[0] && typeof rest[0] === 'object' && !Array.isArray(rest[0]);
  const attributes = hasAttributes ? rest.shift() : {};
  const children = rest.map((child) => nodeOf(child, depth + 1));
  if (name === 'a') return linkAsText(children, attributes.href);
  if (name === 'img')
    return el('span.media', 'picture: ', children, attributes.src && [' ', foreignLine(attributes.src, 80)]);
  if (name === 'task') return attributes.done ? '☑ ' : '☐ ';
  if (name === 'pre') return codeOf(rest, attributes.lang);
  const spec = ELEMENTS[name];
  if (!spec) return children;
  if (name === 'table')
    return el(
      'div.scroll',
      { tabindex: 0, role: 'group', 'aria-label': 'Table in the answer' },
      el(spec, children),
    );
  return el(spec, name === 'ol' && attributes.start > 1 ? { start: attributes.start } : {}, children);
}

function linkAsText(children, href) {
  const address = typeof href === 'string' ? href : '';
  return el('span.link-text', children, address && [' (', foreignLine(address, 120), ') ', copyButton(address)]);
}

function codeOf(children, language) {
  const text = children.filter((child) => typeof child === 'string').join('');
  return el(
    'pre.code-block',
    { tabindex: 0, 'aria-label': language ? `Code, ${language}` : 'Code' },
    foreign(text, 'code'),
  );
}
