// The address of a view: everything after # of the URL. Names are ids, never positions; what has its default is left
// out. Filters replace the entry of the history, pages push one.

// What may stand in an address, and so in a link that is copied.
const KNOWN_KEYS = [
  'q',
  'bins',
  'order',
  'cell',
  'layer',
  'unit',
  'as',
  'a',
  'b',
  'try',
  'view',
  'raw',
  'diff',
  'event',
  'flips',
  'open',
  'mark',
  'pair',
  'at',
  'kinds',
  'variant',
  'asof',
  'suite',
  'state',
  'by',
];

/** @typedef {{path: string[], query: Record<string, string>}} Address */

/** The address of the page that is open. @param {string} [hash] @returns {Address} */
export function readAddress(hash = location.hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  /** @type {Record<string, string>} */
  const known = {};
  for (const [key, value] of new URLSearchParams(query)) if (KNOWN_KEYS.includes(key)) known[key] = value;
  return { path: path.split('/').filter(Boolean).map(decoded), query: known };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A link to a view. @param {string[]} path @param {Record<string, any>} [query] */
export function linkTo(path, query = {}) {
  const chosen = new URLSearchParams();
  for (const key of KNOWN_KEYS) {
    const value = query[key];
    if (value !== undefined && value !== null && value !== '' && value !== false) chosen.set(key, String(value));
  }
  const text = chosen
    .toString()
    .replace(/%2C/g, ',')
    .replace(/%3A/g, ':')
    .replace(/%7E/g, '~')
    .replace(/%3C/g, '<');
  const words = path.map((each) => encodeURIComponent(each).replace(/%2C/g, ','));
  return `#/${words.join('/')}${text && `?${text}`}`;
}

/** Changes parts of the open view's state without an entry in the history. @param {Record<string, any>} changes */
export function changeQuery(changes) {
  const { path, query } = readAddress();
  history.replaceState(history.state, '', linkTo(path, { ...query, ...changes }));
}

/** What "Copy link" gives: the view by known parts alone, so neither token nor open panels. */
export function linkToCopy() {
  const { path, query } = readAddress();
  return location.href.split('#')[0] + linkTo(path, query);
}

/** Opens a view, with an entry in the history. @param {string} link */
export function openView(link) {
  location.hash = link;
}
