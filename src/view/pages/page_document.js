// A document: what the source says, by page, with the passages that were needed, retrieved and quoted.
import { announce, el, fill, foreign, foreignLine, pressable, section, table } from './dom.js';
import { changeQuery, linkTo } from './address.js';
import { count, counted, size } from './format.js';
import { caseLink, verdict } from './marks.js';
import { nameOf, readRun, runPath, setRunFrame } from './run_frame.js';
import { setKeys } from './frame.js';

const KINDS_OF_SPANS = {
  needed: { letter: 'N', text: 'needed', key: 'n', means: 'matches what a case expects' },
  retrieved: { letter: 'R', text: 'retrieved', key: 'r', means: 'was given to a model' },
  quoted: { letter: 'Q', text: 'quoted', key: 'q', means: 'quoted in an answer' },
};
const READ_AT_ONCE = 262144,
  READ_BEFORE = 32768;

/** @param {import('./main.js').PageContext} context */
export async function documentPage(context) {
  const {
    source,
    names: [id, documentId],
    query,
    isOpen,
  } = context;
  const run = await readRun(source, id);
  if (!isOpen()) return;
  if (documentId === undefined) return documentList(context, run);
  const path = runPath(id, 'doc', encodeURIComponent(documentId));
  const read = (from, to) => source.json(source.isFile ? path : `${path}?from=${Math.max(0, from)}&to=${to}`);
  const told = await readAround(read, placeOfAt(query.at)?.from ?? 0);
  if (!isOpen()) return;
  setRunFrame(source, run, 'Documents', [{ text: told.title || told.id }]);
  if (told.state === 'unreadable') return unreadable(context, told, run);
  const page = new DocumentPage(context, { run, told, read, view: new DocumentView(told.spans || [], query) });
  page.open();
  setKeys(page.keys());
}

// Around a place: some of what is before it, most behind it.
function readAround(read, place) {
  return read(place - READ_BEFORE, Math.max(0, place - READ_BEFORE) + READ_AT_ONCE);
}

/** What the reader chose of a document: kinds of passages, one passage. Knows no element. */
export class DocumentView {
  /** @param {any[]} spans @param {Record<string, string>} query */
  constructor(spans, query) {
    this.spans = numbered(spans);
    this.at = query.at;
    this.kinds = new Set(
      (query.kinds || 'needed,retrieved,quoted').split(',').filter((each) => Object.hasOwn(KINDS_OF_SPANS, each)),
    );
    /** The number of the chosen passage; -1 is none. */
    this.current = spanAt(this.spans, query.at);
    /** Whether the address names a passage that is not there. */
    this.isGone = Boolean(query.at) && this.current < 0;
  }

  visible() {
    return this.spans.filter((each) => this.kinds.has(each.kind));
  }

  /** @param {string} kind */
  toggle(kind) {
    if (!this.kinds.delete(kind)) this.kinds.add(kind);
  }

  kindsInAddress() {
    return this.kinds.size === Object.keys(KINDS_OF_SPANS).length ? '' : [...this.kinds].join(',');
  }

  /** Chooses a passage, and gives it. @param {number} number */
  choose(number) {
    this.current = number;
    this.isGone = false;
    return this.spans[number];
  }

  /** The number of the visible passage some steps on, of a kind where one is asked for; null where there is none.
   * @param {number} by @param {string} [kind] */
  stepped(by, kind) {
    const among = this.visible().filter((each) => !kind || each.kind === kind);
    if (among.length === 0) return null;
    const at = among.findIndex((each) => each.number === this.current);
    if (at >= 0) return among[(at + by + among.length) % among.length].number;
    const next = by > 0 ? among.find((each) => each.number > this.current) || among[0] : among[among.length - 1];
    return next.number;
  }
}

// The page of one document: the stretch of its text that is here, what the reader chose, where it draws.
class DocumentPage {
  constructor(context, { run, told, read, view }) {
    this.context = context;
    this.run = run;
    this.told = told;
    this.read = read;
    this.view = view;
    this.lost = el('div');
    this.legend = el('div.filters.kinds');
    this.strip = el('div');
    this.jump = el('div.jump', { role: 'group', 'aria-label': 'Passages' });
    this.less = el('p');
    this.pages = el('div.pages');
    this.more = el('p');
    this.list = el('div');
    this.go = (number) => this.goTo(number);
  }

  open() {
    const { told, run } = this;
    const { spans } = this.view;
    const hasText = told.text !== null;
    fill(
      this.context.host,
      verdict(
        [
          foreignLine(told.title || told.id, 80),
          told.url && [' · ', foreignLine(told.url, 80)],
          hasText && ` · ${counted((told.pages || []).length, 'page')} · ${size(told.bytes)}`,
        ],
        sentenceOf(told, spans),
      ),
      this.lost,
      this.legend,
      this.strip,
      el(
        hasText ? 'div.document-grid' : 'div.document-grid.no-text',
        hasText && el('div', this.jump, this.less, this.pages, this.more),
        el(
          'aside',
          { 'aria-label': 'Passages and who used them' },
          section('Passages', null, this.list),
          usersOf(spans, run),
        ),
      ),
    );
    this.show(told);
    this.draw();
    if (this.view.current >= 0) this.scrollToSpan(this.view.current);
  }

  keys() {
    return [
      { key: 'j ArrowDown', shown: 'j ↓', text: 'next passage', act: () => this.step(1) },
      { key: 'k ArrowUp', shown: 'k ↑', text: 'passage before', act: () => this.step(-1) },
      ...Object.entries(KINDS_OF_SPANS).map(([kind, each]) => ({
        key: each.key,
        text: `next ${each.text}`,
        act: () => this.step(1, kind),
      })),
      {
        key: 'u',
        text: 'to those who used it',
        act: () => this.context.host.querySelector('.users')?.scrollIntoView(),
      },
    ];
  }

  // ---- from passage to passage

  step(by, kind) {
    const number = this.view.stepped(by, kind);
    if (number !== null) this.goTo(number);
  }

  async goTo(number) {
    const span = this.view.choose(number);
    changeQuery({ at: span.from === null ? '' : `${span.from}-${span.to}` });
    const { told } = this;
    if (told.text !== null && span.from !== null && (span.from < told.from || span.from >= told.to)) {
      const around = await readAround(this.read, span.from);
      if (!this.context.isOpen() || this.view.current !== number) return;
      this.show(around);
    }
    this.draw();
    this.scrollToSpan(number);
    announce(`${KINDS_OF_SPANS[span.kind].text}, ${placeOfSpan(this.told, span)}`);
  }

  scrollToSpan(number) {
    this.context.host.querySelector(`[data-span="${number}"]`)?.scrollIntoView({ block: 'center' });
  }

  // ---- drawing

  draw() {
    const { told, view, go } = this;
    const shown = view.visible();
    fill(this.lost, view.isGone && goneNotice(view.spans, view.at, go));
    fill(
      this.legend,
      Object.entries(KINDS_OF_SPANS).map(([kind, each]) => this.kindButton(kind, each)),
      meaningsOfKinds(),
    );
    const width = Math.max(280, Math.min(1400, this.context.host.clientWidth - 24));
    fill(this.strip, told.text !== null && stripOfSpans(told, shown, view.current, width));
    this.drawJump(shown);
    if (told.text !== null) fill(this.pages, pagesOf(told, shown, view.current, go));
    fill(this.list, spanList(told, shown, view.current, go, this.run));
  }

  kindButton(kind, { text, key, means }) {
    const { view } = this;
    const number = view.spans.filter((span) => span.kind === kind).length;
    return pressable(
      [el(`span.span.${kind}`, text), ` ${count(number)} `, el('kbd', { 'aria-hidden': 'true' }, key)],
      () => {
        view.toggle(kind);
        changeQuery({ kinds: view.kindsInAddress() });
        this.draw();
      },
      { 'aria-pressed': view.kinds.has(kind), title: means },
    );
  }

  drawJump(shown) {
    const at = shown.findIndex((each) => each.number === this.view.current);
    const where =
      at >= 0
        ? [
            el('b', shown[at].tag),
            ` ${KINDS_OF_SPANS[shown[at].kind].text}, ${placeOfSpan(this.told, shown[at])}`,
            ` · ${at + 1} of ${shown.length}`,
          ]
        : `${counted(shown.length, 'passage')}`;
    fill(
      this.jump,
      pressable('↑', () => this.step(-1), { 'aria-label': 'Passage before' }),
      el('span', { role: 'status' }, where),
      pressable('↓', () => this.step(1), { 'aria-label': 'Next passage' }),
    );
  }

  // The stretch of the text that is here from now on, and what reads on from its ends.
  show(stretch) {
    this.told = { ...this.told, text: stretch.text, from: stretch.from, to: stretch.to };
    const { from, to, bytes, text } = this.told;
    fill(
      this.less,
      text !== null &&
        from > 0 &&
        this.readButton(`Read back: ${size(from)} before`, from - READ_AT_ONCE, from, (next) => ({
          text: next.text + text,
          from: next.from,
          to,
        })),
    );
    fill(
      this.more,
      text !== null &&
        to < bytes &&
        this.readButton(`Read on: ${size(bytes - to)} more`, to, to + READ_AT_ONCE, (next) => ({
          text: text + next.text,
          from,
          to: next.to,
        })),
    );
  }

  readButton(words, from, to, joined) {
    const { text } = this.told;
    return pressable(words, async () => {
      const next = await this.read(from, to);
      if (!this.context.isOpen() || this.told.text !== text) return;
      this.show(joined(next));
      this.draw();
    });
  }
}

function meaningsOfKinds() {
  return el(
    'span.small.soft',
    Object.values(KINDS_OF_SPANS).map((each, index) => [
      index > 0 && ' · ',
      el('b', each.text),
      ` ${each.means}`,
    ]),
  );
}

async function documentList({ host, source, isOpen }, run) {
  setRunFrame(source, run, 'Documents', [{ text: 'documents' }]);
  if (!isOpen()) return;
  fill(
    host,
    verdict(null, `${counted((run.documents || []).length, 'document')} in this run.`),
    section(
      'Documents',
      null,
      table(
        ['Document', 'From', { text: 'Cases', class: 'number' }],
        (run.documents || []).map((each) => [
          el(
            'th',
            { scope: 'row' },
            source.has(runPath(run.run, 'doc', encodeURIComponent(each.id)))
              ? el('a', { href: linkTo(['run', run.run, 'doc', each.id]) }, foreignLine(each.title || each.id, 100))
              : [foreignLine(each.title || each.id, 100), el('span.soft', ' not in this file')],
          ),
          el('td.soft', foreignLine(each.url, 100)),
          el('td.number', count(each.cases)),
        ]),
      ),
    ),
  );
}

function unreadable({ host, source }, told, run) {
  setRunFrame(source, run, 'Documents', [{ text: told.title || told.id }]);
  const cases = casesOf(told.spans || []);
  fill(
    host,
    el(
      'div.state',
      el('h1', 'No text could be read from this document.'),
      el('p', foreignLine(told.title || told.id, 120)),
      told.problem && el('p', foreign(told.problem)),
      el('p', 'So no search can have found it. Scores stay as they are.'),
      told.remedy && [el('p', 'To see what is missing:'), el('pre.command', foreign(told.remedy))],
      cases.length > 0 &&
        el(
          'p',
          'Cases that name it: ',
          cases.map((each, index) => [index > 0 && ', ', caseLink(run.run, each)]),
        ),
    ),
  );
}

function numbered(spans) {
  const perKind = { needed: 0, retrieved: 0, quoted: 0 };
  return spans
    .filter((each) => KINDS_OF_SPANS[each.kind])
    .slice()
    .sort((a, b) => (a.from ?? Infinity) - (b.from ?? Infinity))
    .map((each, number) => {
      perKind[each.kind]++;
      return { ...each, number, tag: `${KINDS_OF_SPANS[each.kind].letter}${perKind[each.kind]}` };
    });
}

// `at` is FROM-TO in bytes of the text.
function placeOfAt(at) {
  const match = /^(?:p\d+:)?(\d+)-(\d+)$/.exec(at || '');
  return match && { from: Number(match[1]), to: Number(match[2]) };
}

// The span of this place, or one that holds its beginning.
function spanAt(spans, at) {
  const place = placeOfAt(at);
  if (!place) return -1;
  const { from, to } = place;
  const exact = spans.find((each) => each.from === from && each.to === to);
  return (exact || spans.find((each) => each.from !== null && each.from <= from && from < each.to))?.number ?? -1;
}

function goneNotice(spans, at, go) {
  const from = Number((/(\d+)-/.exec(at) || [])[1] || 0);
  const near = spans
    .filter((each) => each.from !== null)
    .sort((a, b) => Math.abs(a.from - from) - Math.abs(b.from - from))[0];
  return el(
    'div.notice',
    { role: 'status' },
    el('b', '! Not found: '),
    `this run has no passage at ${at}. The scores count what the run read at the time. `,
    near && pressable('Go to the nearest passage', () => go(near.number)),
  );
}

const pageOfByte = (told, byte) => (told.pages || []).find((each) => byte >= each.from && byte < each.to)?.number;
function placeOfSpan(told, span) {
  if (span.from === null) return 'place not known';
  const page = pageOfByte(told, span.from);
  return page === undefined ? `at ${count(span.from)}` : `p. ${page}`;
}

function casesOf(spans) {
  return [...new Set(spans.flatMap((each) => (each.cells || []).map((cell) => cell.case)))];
}

function sentenceOf(told, spans) {
  if (told.state === 'not_stored')
    return `${counted(spans.length, 'passage was', 'passages were')} used; the run kept no text of this document.`;
  const number = (kind) => spans.filter((each) => each.kind === kind).length;
  const needed = spans.filter((each) => each.kind === 'needed');
  const cases = casesOf(spans).length;
  if (needed.length === 0) {
    const retrieved = counted(number('retrieved'), 'passage was', 'passages were');
    return `${retrieved} retrieved and ${count(number('quoted'))} quoted, for ${counted(cases, 'case')}.`;
  }
  const overlaps = (kind, one) =>
    spans.some(
      (each) =>
        each.kind === kind && each.from !== null && one.from !== null && each.from < one.to && one.from < each.to,
    );
  const got = needed.filter((each) => overlaps('retrieved', each)).length,
    quoted = needed.filter((each) => overlaps('quoted', each)).length;
  const first = counted(needed.length, 'passage here is', 'passages here are');
  return `${first} needed by a case: ${count(got)} retrieved, ${count(quoted)} quoted.`;
}

function stripOfSpans(told, spans, current, width) {
  const rows = { needed: 10, retrieved: 26, quoted: 42 },
    left = 76,
    x = (byte) => left + (byte / Math.max(1, told.bytes)) * (width - left - 8);
  return el(
    'svg.span-strip',
    {
      width,
      height: 62,
      viewBox: `0 0 ${width} 62`,
      role: 'img',
      'aria-label': `The places of ${spans.length} passages in the document; the list has the same`,
    },
    Object.entries(rows).map(([kind, y]) => [
      el('text', { x: 0, y: y + 4 }, kind),
      el('line.grid-line', { x1: left, x2: width, y1: y, y2: y }),
    ]),
    spans
      .filter((each) => each.from !== null)
      .map((each) =>
        el(`rect.tick.${each.kind}${each.number === current ? '.current' : ''}`, {
          x: x(each.from),
          y: rows[each.kind] - 6,
          width: Math.max(4, x(each.to) - x(each.from)),
          height: 12,
        }),
      ),
    (told.pages || [])
      .filter((_, index, list) => index % Math.ceil(list.length / 8) === 0)
      .map((page) => el('text', { x: x(page.from), y: 60 }, `p. ${page.number}`)),
  );
}

// ---- the text

function pagesOf(told, spans, current, go) {
  const bytes = new TextEncoder().encode(told.text),
    decoder = new TextDecoder(),
    start = told.from || 0;
  const pages = (
    told.pages?.length ? told.pages : [{ number: null, from: start, to: start + bytes.length }]
  ).filter((page) => page.from < start + bytes.length && page.to > start);
  const folded = [];
  const out = [];
  const flush = () => {
    if (folded.length === 0) return;
    const group = folded.splice(0);
    const name =
      group.length > 1 ? `pages ${group[0].number}–${group[group.length - 1].number}` : `page ${group[0].number}`;
    const body = el('div');
    out.push(
      el(
        'details.gap',
        {
          ontoggle: (event) => {
            if (event.target.open && !body.firstChild)
              fill(
                body,
                group.map((page) => pageOf(page, [])),
              );
          },
        },
        el(
          'summary',
          el('b', name),
          ` no passage shown · ${size(group.reduce((sum, page) => sum + page.to - page.from, 0))}`,
        ),
        body,
      ),
    );
  };
  const pageOf = (page, inside) =>
    el(
      'article.page',
      { 'aria-label': page.number === null ? 'Text' : `Page ${page.number}` },
      page.number !== null && el('h2.h3.page-number', `p. ${page.number}`),
      el(
        'div.text',
        flow(
          bytes,
          decoder,
          Math.max(0, page.from - start),
          Math.min(page.to - start, bytes.length),
          inside,
          start,
          current,
          go,
        ),
      ),
    );
  for (const page of pages) {
    const inside = spans.filter((each) => each.from !== null && each.from < page.to && each.to > page.from);
    if (inside.length === 0 && page.number !== null && pages.length > 1) {
      folded.push(page);
      continue;
    }
    flush();
    out.push(pageOf(page, inside));
  }
  flush();
  return out;
}

// A stretch of the text, cut where a passage begins or ends; each piece is underlined for every passage it is in.
function flow(bytes, decoder, from, to, spans, start, current, go) {
  const cuts = new Set([from, to]);
  for (const each of spans) {
    cuts.add(Math.max(from, Math.min(to, each.from - start)));
    cuts.add(Math.max(from, Math.min(to, each.to - start)));
  }
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(0, -1).map((place, index) => {
    const text = decoder.decode(bytes.slice(place, places[index + 1]));
    const inside = spans.filter((each) => each.from - start <= place && each.to - start > place);
    const begins = inside.filter((each) => each.from - start === place);
    const tags = begins.map((each) =>
      el(
        'button.tag',
        {
          type: 'button',
          'data-span': each.number,
          title: `${KINDS_OF_SPANS[each.kind].text}`,
          onclick: () => go(each.number),
        },
        el('span.sr', `${KINDS_OF_SPANS[each.kind].text} `),
        each.tag,
      ),
    );
    const chosen = inside.find((each) => each.number === current)?.kind;
    return [
      tags,
      ['needed', 'quoted', 'retrieved'].reduce(
        (node, kind) =>
          inside.some((each) => each.kind === kind)
            ? el(`span.span.${kind}${chosen === kind ? '.current' : ''}`, node)
            : node,
        foreign(text),
      ),
    ];
  });
}

function spanList(told, spans, current, go, run) {
  if (spans.length === 0) return el('p.soft', 'No passage of the chosen kinds.');
  return el(
    'ul.span-list',
    spans.slice(0, 300).map((each) =>
      el(
        each.number === current ? 'li.current' : 'li',
        el(
          'button.tag',
          {
            type: 'button',
            'aria-current': each.number === current ? 'true' : null,
            onclick: () => go(each.number),
          },
          each.tag,
        ),
        el(
          'div',
          el(`span.span.${each.kind}`, KINDS_OF_SPANS[each.kind].text),
          ' ',
          el(
            'span.soft',
            casesOf([each])
              .slice(0, 3)
              .map((one, index) => [index > 0 && ', ', caseLink(run.run, one)]),
          ),
          el('p.soft', foreignLine(each.text, 120)),
        ),
        el('span.number.soft', placeOfSpan(told, each)),
      ),
    ),
  );
}

function usersOf(spans, run) {
  const users = new Map();
  for (const span of spans) {
    for (const cell of span.cells || []) {
      const key = `${cell.case}\u0000${cell.variant}`;
      const known = users.get(key) || {
        case: cell.case,
        variant: cell.variant,
        retrieved: 0,
        quoted: 0,
        needed: 0,
      };
      known[span.kind]++;
      users.set(key, known);
    }
  }
  const rows = [...users.values()]
    .filter((each) => each.variant)
    .sort((a, b) => a.case.localeCompare(b.case) || a.variant.localeCompare(b.variant));
  if (rows.length === 0) return null;
  return el(
    'section.users',
    el('div.head', el('h2', 'Who used it'), el('span.small.soft', counted(rows.length, 'answer'))),
    table(
      ['Case, variant', { text: 'Retrieved', class: 'number' }, { text: 'Quoted', class: 'number' }],
      rows
        .slice(0, 200)
        .map((each) => [
          el(
            'th',
            { scope: 'row' },
            caseLink(run.run, each.case, { a: each.variant }),
            ' ',
            el('span.soft', foreignLine(nameOf(run, each.variant), 40)),
          ),
          el('td.number', each.retrieved || '–'),
          el('td.number', each.quoted || '–'),
        ]),
      { class: 'small' },
    ),
  );
}
