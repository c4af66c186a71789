// Markdown that the program has parsed, as elements: [name, attributes?, child…]. Unknown names lose their element,
// not their text; links are text with their address beside it; pictures are their words.
import { copyButton, el, foreign, foreignLine } from './dom.js';
import { markedText, plainText } from './texts.js';

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

/** @param {any} tree a list of nodes, or null @param {any} text what it was made of @param {any} [marks] where in the
 * text something is marked (marksOf) */
export function markdownOf(tree, text, marks = null) {
  if (!Array.isArray(tree)) return foreign(plainText(text), 'div');
  return el(
    'div.markdown',
    tree.map((node) => nodeOf(node, 0, marks)),
  );
}

/** A turn whose text is in parts, byte ranges of it marked as well: rendered if it is Markdown. @param {any} turn
 * @param {{text: string, isChanged: boolean}[]} parts @param {'del' | 'ins'} tag @param {number[][]} [spans] */
export function markedTurn(turn, parts, tag, spans = []) {
  if (!Array.isArray(turn.markdown) || !Array.isArray(turn.markdown_places)) return markedText(parts, tag, spans);
  return markdownOf(turn.markdown, turn.text, marksOf(turn.markdown_places, parts, tag, spans));
}

// `ranges` are [from, to, element] in bytes of the source; `next` is the text of the tree that comes next.
function marksOf(places, parts, tag, spans) {
  const ranges = spans.map(([from, to]) => [from, to, 'mark']);
  const encoder = new TextEncoder();
  let at = 0;
  for (const part of parts) {
    const from = at;
    at += encoder.encode(part.text).length;
    if (part.isChanged && part.text.trim()) ranges.push([from, at, tag]);
  }
  return { places, ranges, next: 0 };
}

// A text of the tree in pieces, each in the elements of the ranges that it is from.
function leafOf(text, marks) {
  const places = marks?.places[marks.next++];
  if (!places || marks.ranges.length === 0) return foreign(text);
  const found = [];
  let start = 0;
  for (let i = 0; i + 1 < places.length; start += places[i], i += 2) {
    const [length, at] = [places[i], places[i + 1]];
    for (const [from, to, tag] of marks.ranges) {
      const first = Math.max(from, at) - at + start,
        last = Math.min(to, at + length) - at + start;
      if (first < last) found.push([first, last, tag]);
    }
  }
  if (found.length === 0) return foreign(text);
  const bytes = new TextEncoder().encode(text);
  const ends = found.flatMap(([first, last]) => [first, last]);
  const cuts = [...new Set([0, bytes.length, ...ends])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((cut, index) => {
    const tags = new Set(found.filter(([first, last]) => first <= cut && cut < last).map((each) => each[2]));
    const piece = foreign(new TextDecoder().decode(bytes.slice(cut, cuts[index + 1])));
    const marked = tags.has('mark') ? el('mark', piece) : piece;
    return tags.has('del') ? el('del', marked) : tags.has('ins') ? el('ins', marked) : marked;
  });
}

function nodeOf(node, depth, marks) {
  if (typeof node === 'string') return leafOf(node, marks);
  if (!Array.isArray(node) || depth > DEPTH_MAX) return null;
  const [name, ...rest] = node;
  const hasAttributes = rest[0] && typeof rest[0] === 'object' && !Array.isArray(rest[0]);
  const attributes = hasAttributes ? rest.shift() : {};
  const children = rest.map((child) => nodeOf(child, depth + 1, marks));
  if (name === 'a') return linkAsText(children, attributes.href);
  if (name === 'img')
    return el('span.media', 'picture: ', children, attributes.src && [' ', foreignLine(attributes.src, 80)]);
  if (name === 'task') return attributes.done ? '☑ ' : '☐ ';
  if (name === 'pre') return codeOf(children, attributes.lang);
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
  return el(
    'pre.code-block',
    { tabindex: 0, 'aria-label': language ? `Code, ${language}` : 'Code' },
    el('code', children),
  );
}
