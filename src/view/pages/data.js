// Where the numbers come from: the program that serves this page (`assay view`), or what stands in the page itself
// (report.html). Everything else asks this module, by the paths of docs/formats/view.md.
import { keepFor, keptFor } from './kept.js';

// Below the folder of the pages, whose name nobody else knows: a page of this origin that the browser has kept of
// another server can read the token, and can have filled the cache for other addresses.
const API = 'api/1/';
const UNCACHED = /** @type {const} */ ({ cache: 'no-store' });
const KEPT_ANSWERS = 64;
const STREAM_AGAIN_MS = 3000; // a stream that broke is asked for again

/** What went wrong, in words for the reader. */
export class SourceError extends Error {
  /** @param {string} message @param {string} [remedy] @param {number} [status] */
  constructor(message, remedy = '', status = 0) {
    super(message);
    this.remedy = remedy;
    this.status = status;
  }
}

/**
 * @typedef {object} Source
 * @property {boolean} isFile whether all there is stands in this page
 * @property {(path: string) => Promise<any>} json
 * @property {(path: string) => Promise<Uint8Array>} bytes
 * @property {(path: string, heard: (event: any) => void, ended: () => void) => () => void} follow
 * @property {(path: string, type: string) => Promise<string>} picture an address that an image can have
 * @property {(path?: string) => void} forget what is kept of a path and below it
 * @property {(path: string) => boolean} has whether it is worth to ask
 */

/** @returns {Source} */
export function openSource() {
  const source = document.querySelector('script[type="application/x-assay"]') ? embeddedSource() : servedSource();
  return {
    ...source,
    async json(path) {
      const told = await source.json(path);
      for (const [id, title] of Object.entries(told?.titles || {})) titlesOfCases.set(id, title);
      for (const { id, title } of told?.rows || []) if (MADE_ID.test(id) && title) titlesOfCases.set(id, title);
      return told;
    },
  };
}

const MADE_ID = /^hash-[0-9a-f]{12}$/;
const titlesOfCases = new Map(); // of cases whose ids were made of their texts

/** What a case is called: its id, or the first words of its question where nobody named it. @param {string} id */
export const nameOfCase = (id) => titlesOfCases.get(id) || id;

// Answers that were asked lately, so that going back and forth asks nothing.
function keeping(ask) {
  const kept = new Map();
  const remember = (path) => {
    const known = kept.get(path);
    if (known) {
      kept.delete(path);
      kept.set(path, known);
      return known;
    }
    const asked = ask(path);
    kept.set(path, asked);
    asked.catch(() => kept.delete(path));
    if (kept.size > KEPT_ANSWERS) kept.delete(kept.keys().next().value);
    return asked;
  };
  const forget = (path = '') => {
    for (const key of [...kept.keys()]) if (key.startsWith(path)) kept.delete(key);
  };
  return { remember, forget };
}

let ownToken = ''; // lasts as long as the page, also where the browser keeps nothing

const IN_ADDRESS = /[#&]token=([\w-]+)/;

/** Whether the address brings a token. */
export const hasToken = () => IN_ADDRESS.test(location.hash);

/**
 * The token of the address, taken out of it and traded for the one that requests are sent with. The browser keeps that
 * for this host and port, so that other tabs, and the page when it is read anew, have it too. It opens nothing without
 * the name of the folder, which is kept nowhere.
 */
export async function tradeToken() {
  const match = IN_ADDRESS.exec(location.hash);
  if (!match) return;
  history.replaceState(null, '', location.pathname + location.hash.replace(IN_ADDRESS, '').replace(/^&/, '#'));
  const reply = await fetch('token', {
    ...UNCACHED,
    method: 'POST',
    headers: { 'Content-Type': 'text/plain' },
    body: match[1],
  });
  if (!reply.ok) return;
  ownToken = await reply.text();
  keepFor('token', ownToken);
}

/** @param {string} path @param {RequestInit} [how] */
async function replyOf(path, { headers = {}, ...how } = {}) {
  let reply;
  try {
    const authorization = `Bearer ${ownToken || keptFor('token')}`;
    reply = await fetch(API + path, { ...UNCACHED, ...how, headers: { ...headers, Authorization: authorization } });
  } catch {
    throw new SourceError('The program that showed this page has ended.', 'Start it again: assay view');
  }
  if (!reply.ok) {
    const told = await reply.json().catch(() => ({}));
    const { message = `The program answered with ${reply.status}.`, remedy = '' } = told.error || {};
    throw new SourceError(message, remedy || '', reply.status);
  }
  return reply;
}

// Events of a stream (as EventSource reads them, which sends no token), until it ends.
async function readEvents(body, heard) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (waiting + value).split('\n\n');
    waiting = events.pop() || '';
    for (const each of events) {
      const fields = Object.fromEntries(each.split('\n').map((line) => line.split(/: ?(.*)/s, 2)));
      heard(fields.event || 'message', fields.data || '', fields.id);
    }
  }
}

const isShown = () =>
  new Promise((done) => {
    if (!document.hidden) done();
    else document.addEventListener('visibilitychange', done, { once: true });
  });

// A signal that is given, too, when the tab is hidden.
function orHidden(signal) {
  const stop = new AbortController();
  signal.addEventListener('abort', () => stop.abort(), { signal: stop.signal });
  document.addEventListener('visibilitychange', () => stop.abort(), { signal: stop.signal });
  return stop.signal;
}

// Asks for the stream, again where it breaks, until it says that it ends or is refused. A hidden tab has none:
// browsers open six connections to one server, and the tab that is shown needs one.
async function followEvents(path, heard, signal) {
  let last = '';
  for (let hasEnded = false; !hasEnded && !signal.aborted; ) {
    await isShown();
    if (signal.aborted) return;
    try {
      const headers = last ? { 'Last-Event-ID': last } : {};
      const { body } = await replyOf(path, { headers, signal: orHidden(signal) });
      await readEvents(body, (name, data, id) => {
        if (id) last = id;
        if (name === 'end') hasEnded = true;
        else if (!signal.aborted) heard(JSON.parse(data));
      });
    } catch (error) {
      if (error.status) return; // it is refused
    }
    if (!hasEnded && !signal.aborted) await new Promise((done) => setTimeout(done, STREAM_AGAIN_MS));
  }
}

/** @returns {Source} */
function servedSource() {
  const json = keeping(async (path) => (await replyOf(path)).json());
  const bytes = keeping(async (path) => new Uint8Array(await (await replyOf(path)).arrayBuffer()));
  return {
    isFile: false,
    json: json.remember,
    bytes: bytes.remember,
    forget(path) {
      json.forget(path);
      bytes.forget(path);
    },
    has: () => true,
    follow(path, heard, ended) {
      const stop = new AbortController();
      followEvents(path, heard, stop.signal).then(() => {
        if (!stop.signal.aborted) ended();
      });
      return () => stop.abort();
    },
    async picture(path, type) {
      const picture = await (await replyOf(path)).arrayBuffer();
      return URL.createObjectURL(new Blob([picture], { type }));
    },
  };
}

async function inflated(base64) {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @returns {Source} */
function embeddedSource() {
  const chunks = new Map();
  const ofCases = [];
  for (const each of document.querySelectorAll('script[type="application/x-assay"]')) {
    const { path, from, to } = /** @type {HTMLElement} */ (each).dataset;
    if (from === undefined) chunks.set(path, each);
    else ofCases.push({ path, from: Number(from), to: Number(to), node: each });
  }
  const nodeOf = (key) => (typeof key === 'string' ? chunks.get(key) : key.node);
  const unpacked = keeping((key) => inflated(nodeOf(key).textContent));
  // What the first look needs stands as it is: it is there before anything is painted.
  const parsed = keeping(async (key) =>
    JSON.parse(
      nodeOf(key).dataset.form === 'json'
        ? nodeOf(key).textContent
        : new TextDecoder().decode(await unpacked.remember(key)),
    ),
  );
  const leftOut = async () => {
    const index = await parsed.remember('index');
    return new SourceError('This is not in the file.', `assay view ${index.run || ''}`.trim(), 404);
  };
  const ofCase = async (path) => {
    const match = /^(run\/[^/]+)\/case\/([^/?]+)(?:\?(.*))?$/.exec(path);
    if (!match) throw await leftOut();
    const id = decodeURIComponent(match[2]);
    const { rows } = await parsed.remember(`${match[1]}/rows`);
    const row = rows.findIndex((each) => each.id === id);
    const chunk = ofCases.find((each) => each.path === `${match[1]}/case` && each.from <= row && row < each.to);
    const bodies = chunk ? await parsed.remember(chunk) : {};
    if (!Object.hasOwn(bodies, id)) throw await leftOut();
    const body = bodies[id];
    const wanted = new URLSearchParams(match[3] || '').getAll('v');
    return wanted.length ? { ...body, cells: body.cells.filter((cell) => wanted.includes(cell.variant)) } : body;
  };
  return {
    isFile: true,
    json: (path) => (chunks.has(path) ? parsed.remember(path) : ofCase(path)),
    bytes: async (path) => {
      if (!chunks.has(path)) throw await leftOut();
      return unpacked.remember(path);
    },
    follow: () => () => {},
    picture: async () => {
      throw await leftOut();
    },
    forget() {},
    has: (path) => chunks.has(path),
  };
}
