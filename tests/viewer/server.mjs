// A server of the pages and of the fixture's runs, with the policy of the real one; it counts what is asked of it.
import { createServer } from 'node:http';
import { readFileSync, existsSync } from 'node:fs';
import { join, extname } from 'node:path';
import { matrixRun, START, DAY, TAGS } from './fixture.mjs';
import { programRun, researchRun, hostileRun, largeRun, HOSTILE } from './more_runs.mjs';
import { raceRun } from './race_run.mjs';

export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src blob:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The token without which the API says nothing, and one that is traded for it. */
export const TOKEN = 'token-of-the-fixture';
export const TOKEN_FOR_ONCE = 'abc123';

/** What the API answers, by path. */
export function fixtureOf() {
  const runs = new Map();
  const push = matrixRun('20261122T022100-53af', 11);
  const base = matrixRun('20261123T094000-11c2', 12, { drop: 0.1, started: START + DAY / 2 });
  for (const each of [
    push,
    base,
    programRun(),
    researchRun(),
    hostileRun(),
    raceRun(),
    largeRun('middle', 300, 6),
    largeRun('large', 20000, 50),
  ])
    runs.set(each.run.run, each);
  const live = matrixRun('live', 7, { started: START + DAY });
  live.run = { ...live.run, is_live: true, state: 'live', done: 1800 };
  runs.set('live', live);
  const streams = new Set();
  const breakStreams = () => streams.forEach((each) => each.destroy());
  return { runs, push, streams, breakStreams, state: { empty: false, liveStep: 0, asked: [], listening: 0, heardLast: [] } };
}

function runRow(each) {
  const { run } = each;
  const first = run.statistics.ranking[0];
  return {
    run: run.run,
    title: run.title,
    dialect: run.dialect,
    command: run.command,
    state: run.state,
    started_ms: run.started_ms,
    finished_ms: run.finished_ms,
    cells: run.cells,
    requests_sent: run.requests_sent,
    mean: run.mean,
    suite: run.suite.id,
    store: run.store,
    cases: run.cases,
    variants: run.variants.length,
    attempts: run.attempts,
    done: run.done,
    counts: { scored: run.cells - 4, partial: 13, errors: 4, unscored: 3, skipped: 0 },
    sentence: run.verdict[0].text,
    leader: { name: first.variant, mean: first.mean, interval: first.interval },
    cost_usd: 7.4,
    wall_ms: 372000,
  };
}

function runsBody({ runs, state }) {
  if (state.empty)
    return {
      runs: [],
      next: null,
      count: 0,
      stores: [{ path: 'evals/.assay', runs: 0, is_foreign: false }],
      sentence: null,
      suites: [],
    };
  const shown = ['live', '20261123T094000-11c2', '20261122T022100-53af', 'almanac-suite', 'infibench'].map((id) =>
    runRow(runs.get(id)),
  );
  shown[4].state = 'unfinished';
  shown[4].stopped = 'cut off';
  shown[4].done = 3;
  return {
    runs: shown,
    next: null,
    count: 5,
    stores: [{ path: 'evals/.assay/assay.db', runs: 5, is_foreign: false }],
    sentence: 'One run goes on. One suite fell: Garden letters, by 5 points (95 %: 1 to 9) since 22 Nov.',
    suites: [
      {
        suite: 'garden',
        title: 'Garden letters',
        sentence: null,
        runs: [0.88, 0.86, 0.87, 0.9, 0.88, 0.83].map((mean, at) => ({
          run: `r${at}`,
          started_ms: START - (5 - at) * 7 * DAY,
          mean,
          interval: [mean - 0.05, mean + 0.05],
          leader: 'Alder 2',
        })),
        step: {
          from: '20261122T022100-53af',
          to: '20261123T094000-11c2',
          variant: 'x',
          verdict: 'trails',
          sentence: 'Alder 2 fell by 5 points (95 %: 1 to 9) on 40 cases.',
        },
      },
      {
        suite: 'infibench',
        title: 'InfiBench',
        sentence: null,
        runs: [0.62, 0.64, 0.63].map((mean, at) => ({
          run: `i${at}`,
          started_ms: START - (2 - at) * 7 * DAY,
          mean,
          interval: [mean - 0.06, mean + 0.06],
          leader: 'Alder 2',
        })),
        step: {
          from: 'i1',
          to: 'i2',
          variant: 'x',
          verdict: 'tie',
          sentence: 'No difference can be shown: −1 point (95 %: −5 to 3) on 40 cases.',
        },
      },
    ],
  };
}

function compareBody(data, query) {
  const [a, b] = [data.runs.get(query.get('a')), data.runs.get(query.get('b'))];
  if (!a || !b) return null;
  const va = query.get('va') || a.run.statistics.ranking[0].variant,
    vb = query.get('vb') || (a === b ? a.run.statistics.ranking[1].variant : va);
  const [ca, cb] = [
    a.run.variants.findIndex((each) => each.id === va),
    b.run.variants.findIndex((each) => each.id === vb),
  ];
  const value = (one, row, column) => {
    const byte = one.bytes[row * one.run.variants.length + column];
    return byte <= 200 ? byte / 200 : null;
  };
  const pairs = a.rows.map((each, row) => {
    const [x, y] = [value(a, row, ca), value(b, row, cb)];
    const difference = x === null || y === null ? null : x - y;
    return {
      case: each.id,
      tags: each.tags,
      a: x,
      b: y,
      difference,
      flip: difference === null ? null : x >= 0.6 ? (y >= 0.6 ? 'kept' : 'won') : y >= 0.6 ? 'lost' : 'failing',
    };
  });
  const gaps = pairs.map((each) => each.difference).filter((each) => each !== null),
    middle = gaps.reduce((sum, each) => sum + each, 0) / gaps.length;
  const error = Math.sqrt(
      gaps.reduce((sum, each) => sum + (each - middle) ** 2, 0) / (gaps.length - 1) / gaps.length,
    ),
    band = [middle - 2.02 * error, middle + 2.02 * error];
  const whole = (score) => String(Math.round(score * 100)).replace('-', '−'),
    words = `${whole(middle)} points (95 %: ${whole(band[0])} to ${whole(band[1])}) on ${gaps.length} cases`;
  const lost = pairs.filter((each) => each.flip === 'lost').map((each) => each.case);
  const side = (one, column) => ({
    run: one.run.run,
    title: one.run.title,
    started_ms: one.run.started_ms,
    variant: one.run.variants[column].id,
    name: one.run.variants[column].name,
    mean: 0.83,
    interval: [0.78, 0.88],
    variants: one.run.variants.map(({ id, name }) => ({ id, name })),
  });
  return {
    a: side(a, ca),
    b: side(b, cb),
    sentence: `${a.run.variants[ca].name} and ${b.run.variants[cb].name}: ${words}.`,
    pass_at: 0.6,
    pass_words: '60 points or more (--pass-at 0.6)',
    comparisons: [{ difference: middle, interval: band, p: 0.01 }],
    runs: [],
    unpaired: [],
    pairs,
    left: [{ case: 'torn-fleece', why: 'changed' }],
    smallest_seen: 0.05,
    trust: [
      { ok: true, text: `${gaps.length} of 40 cases pair up`, href: null },
      { ok: true, text: 'Both runs were judged alike', href: null },
      { ok: false, text: 'Attempts differ in number: their means count', href: null },
    ],
    gates:
      a === b
        ? []
        : [
            {
              gate: 'regression',
              state: 'regression',
              sentence: `${band[1] < 0 ? 'Regression' : 'No regression shown'}: ${words}.${lost.length ? ` ${lost.length} newly fail: ${lost.join(', ')}.` : ''}`,
            },
          ],
  };
}

const judgesBody = (run) =>
  run.statistics.judges.length === 0
    ? { judges: [], trust: [] }
    : {
        sentence: 'Judges agree well (α 0.81, 95 %: 0.77 to 0.85).',
        trust: [
          { ok: true, text: '2 judges voted on 1,890 criteria', href: null },
          { ok: false, text: '14 votes that a judge’s own words speak against', href: null },
        ],
        agreement: { alpha: 0.81, interval: [0.77, 0.85], why: null, points: 1890, votes: 3780, equal_pairs: 0.87 },
        judges: [
          ['judge-one', 0.021, 11],
          ['judge-two', -0.021, 3],
        ].map(([judge, distance, against]) => ({
          judge,
          votes: 1890,
          self: { alpha: null, why: 'no_pairs' },
          without: { alpha: null, why: 'no_pairs' },
          against,
          against_rate: against / 1890,
          against_interval: [0, 0.02],
          mean: 0.74 + distance / 2,
          distance,
          no_verdict: 6,
          input_tokens: 812000,
          output_tokens: 99000,
        })),
        matrix: [
          {
            a: 'judge-one',
            b: 'judge-two',
            edges: [0, 0.25, 0.5, 0.75, 1],
            counts: [
              [96, 11, 5, 3, 0],
              [8, 25, 9, 2, 1],
              [2, 12, 41, 10, 3],
              [1, 3, 16, 72, 30],
              [0, 2, 7, 35, 388],
            ],
            apart: [{ case: 'root-rot', variant: run.variants[0].id, attempt: 1, point: 1 }],
            apart_count: 12,
          },
        ],
        points: [
          { text: 'Admits what it does not know.', alpha: 0.21, votes: 60, cases: ['old-seeds', 'root-rot'] },
          { text: 'The second letter gives the same advice.', alpha: 0.38, votes: 60, cases: ['late-frost'] },
        ],
        against: [
          {
            judge: 'judge-two',
            score: 0.5,
            reason: 'It asks to wait, and allows it all the same.',
            case: 'late-frost',
            variant: run.variants[4].id,
            attempt: 1,
            point: 2,
          },
        ],
        against_count: 14,
        calibration: [
          {
            variant: null,
            name: null,
            sentence:
              'Corrected by 300 labels of people, the mean is 67 (95 %: 62 to 72); judges alone give 74, 7 points more.',
            labels: 300,
            judge_mean: 0.74,
            estimate: 0.67,
            interval: [0.62, 0.72],
            why: null,
            bias: 0.07,
            bias_interval: [0.047, 0.094],
            alpha: 0.79,
          },
          ...run.statistics.models.slice(0, 4).map((each, at) => ({
            variant: each.variants[0],
            name: each.model,
            sentence: '',
            labels: at === 3 ? 1 : 74,
            judge_mean: each.mean,
            estimate: at === 3 ? null : each.mean - 0.065,
            interval: at === 3 ? null : [each.mean - 0.12, each.mean - 0.01],
            why: at === 3 ? 'one_label' : null,
            bias: at === 3 ? null : 0.065,
            bias_interval: at === 3 ? null : [0.02, 0.11],
            alpha: null,
          })),
        ],
      };

function costBody(run) {
  const told = run.statistics.models.length
    ? run.statistics.models.map((each) => ({
        variant: each.variants[0],
        name: each.model,
        mean: each.mean,
        interval: each.interval,
      }))
    : run.statistics.ranking.map((each) => ({
        variant: each.variant,
        name: run.variants.find((one) => one.id === each.variant).name,
        mean: each.mean,
        interval: each.interval,
      }));
  const variants = told
    .map((each, at) => ({
      ...each,
      cases: run.cases,
      usd: at === 3 ? null : 2.4 / (at + 1) ** 1.6,
      usd_per_case: at === 3 ? null : 0.06 / (at + 1) ** 1.6,
      usd_middle_80: at === 3 ? null : [0.04 / (at + 1) ** 1.6, 0.09 / (at + 1) ** 1.6],
      times_cheapest: at === 3 ? null : 5 ** 1.6 / (at + 1) ** 1.6,
      is_frontier: at !== 2 && at !== 3,
      answers: at === 4 ? 80 : 480,
      calls: 480,
      input_tokens: 197760,
      output_tokens: 46080,
      cached_tokens: at * 9000,
      first_ms: at === 3 ? null : 300 + at * 100,
      p50_ms: 6000 / (at + 1),
      p90_ms: 14000 / (at + 1),
      p99_ms: 40000 / (at + 1),
      max_ms: 44000 / (at + 1),
    }))
    .sort((x, y) => (x.usd ?? 1e9) - (y.usd ?? 1e9));
  const frontier = variants.filter((each) => each.is_frontier && each.usd !== null);
  return {
    sentence: `${told[0].name} costs 3 times ${told[1]?.name || 'nothing'} for 6 points more.`,
    verdict: run.verdict.slice(0, 1),
    trust: [
      { ok: true, text: 'Tokens as the services counted them, for 4,696 of 4,710 calls', href: null },
      { ok: false, text: '14 calls told no usage: about $0.03', href: null },
      { ok: false, text: '1 variant has no price: 480 calls, counted in no sum', href: null },
    ],
    paid_usd: 7.4,
    estimated_usd: 0.03,
    unpriced: 480,
    roles: [
      { role: 'candidate', input_tokens: 988800, output_tokens: 230400, cached_tokens: 90000, paid_usd: 3.9 },
      { role: 'judge', input_tokens: 1624000, output_tokens: 198000, cached_tokens: 0, paid_usd: 2.1 },
    ],
    price: {
      list_usd: 9.8,
      earlier_usd: 1.4,
      earlier_calls: 1240,
      cache_usd: 0.3,
      cached_tokens: 90000,
      batch_usd: 2.1,
      paid_usd: 6,
    },
    planned: {
      usd: 5.2,
      usd_most: 31.5,
      calls: 3470,
      calls_most: 7200,
      unpriced: ['acme:fir'],
      assumed: ['acme:alder-2', 'acme:birch-1'],
      cells_walked: 1200,
    },
    requests_sent: 3468,
    cells: run.cells,
    dearest: run.hardest
      .slice(0, 5)
      .map((each, at) => ({ case: each.case, usd: 0.4 - at * 0.05, mean: each.mean })),
    variants,
    steps: frontier.slice(1).map((each, at) => ({
      from: frontier[at].variant,
      to: each.variant,
      times: each.usd / frontier[at].usd,
      difference: each.mean - frontier[at].mean,
      interval: [each.mean - frontier[at].mean - 0.05, each.mean - frontier[at].mean + 0.05],
      is_clear: each.mean - frontier[at].mean > 0.06,
      sentence: '',
    })),
  };
}

function boardBody({ runs }) {
  const { run } = runs.get('20261122T022100-53af');
  return {
    suite: 'garden',
    title: run.title,
    sentence: run.verdict[0].text,
    trust: [
      { ok: true, text: 'All runs above the line asked the same 40 cases', href: null },
      { ok: true, text: 'Judged alike', href: null },
      { ok: false, text: 'Hazel: its last run is old', href: null },
    ],
    cases: 40,
    pairs: 10,
    runs: 4,
    ranking: run.statistics.models.map((each, at) => ({
      ...each,
      variant: each.model,
      name: each.model,
      run: run.run,
      measured_ms: at === 3 ? START - 80 * DAY : START,
      cases: at === 4 ? 38 : 40,
      history: [0, 1, 2].slice(0, at + 1).map((step) => ({
        run: 'x',
        measured_ms: START - (2 - step) * 20 * DAY,
        mean: each.mean - (2 - step) * 0.02,
        interval: [each.mean - 0.08, each.mean + 0.05],
      })),
    })),
    below: [
      { variant: 'Larch', name: 'Larch', run: '20261123T094000-11c2', why: 'other cases: 31 of 40 are the same' },
      { variant: 'Maple 2', name: 'Maple 2', run: '20261123T094000-11c2', why: 'unfinished: 71 %' },
    ],
  };
}

// Bytes of a long text of a case, which has to be named as the real server wants it.
function textOf({ runs }, query) {
  const [from, to] = ['from', 'to'].map((name) => Number(query.get(name)));
  const isNamed = runs.get(query.get('run'))?.rows.some((row) => row.id === query.get('case'));
  return isNamed && to > from ? { bytes: Buffer.from(`${'m'.repeat(99)}\n`.repeat((to - from) / 100 + 1)).subarray(0, to - from) } : null;
}

// A document with the bytes that are asked for (its texts are of ASCII).
function stretchOf(whole, query) {
  if (whole.text === null || !query.has('to')) return whole;
  const from = Math.min(whole.bytes, Number(query.get('from'))),
    to = Math.min(whole.bytes, Number(query.get('to')));
  return { ...whole, from, to, text: whole.text.slice(from, to) };
}

/** @returns {{json?: any, bytes?: Uint8Array, events?: boolean, status?: number} | null} */
export function answerOf(data, path, query) {
  const [head, id, part, below] = path.split('/').map(decodeURIComponent);
  if (head === 'runs') return { json: runsBody(data) };
  if (head === 'compare') {
    const body = compareBody(data, query);
    return body && { json: body };
  }
  if (head === 'board') return { json: boardBody(data) };
  if (head === 'text') return textOf(data, query);
  const found = head === 'run' && data.runs.get(id);
  if (!found) return null;
  if (part === undefined) return { json: found.run };
  if (part === 'cells.bin') {
    const layer = query.get('layer');
    return {
      bytes:
        layer === 'bits'
          ? found.bits
          : layer
            ? Uint8Array.from(found.bytes, (_, at) => 100 + (at % 100))
            : found.bytes,
    };
  }
  if (part === 'rows') return { json: { from: 0, count: found.rows.length, rows: found.rows } };
  if (part === 'find') {
    if (data.state.refusesFind)
      return {
        status: 400,
        json: { error: { code: 'limit', message: 'the run has too many answers to look for words in them' } },
      };
    const words = (query.get('q') || '').toLowerCase().replace(/answer:/g, '').split(' ');
    const hits = found.rows
      .map((each, row) =>
        words.every((word) => `${each.id} ${each.title}`.toLowerCase().includes(word)) ? row : -1,
      )
      .filter((each) => each >= 0);
    return { bytes: new Uint8Array(Uint32Array.from(hits).buffer) };
  }
  if (part === 'case') {
    const row = found.rows.findIndex((each) => each.id === below);
    return row < 0 ? null : { json: found.caseOf(row, query.getAll('v')) };
  }
  if (part === 'judges') return { json: judgesBody(found.run) };
  if (part === 'cost') return { json: costBody(found.run) };
  if (part === 'doc') return found.documents?.[below] ? { json: stretchOf(found.documents[below], query) } : null;
  return part === 'events' ? { events: true } : null;
}

/** @param {string} pages the folder of the modules */
export async function startServer(pages) {
  const data = fixtureOf();
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://127.0.0.1');
    data.state.asked.push(url.pathname + url.search);
    const headers = {
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    };
    const send = (status, type, body) => {
      response.writeHead(status, { ...headers, 'Content-Type': type });
      response.end(body);
    };
    if (url.pathname === '/token') {
      let told = '';
      request.on('data', (data) => (told += data));
      return request.on('end', () => send(told === TOKEN_FOR_ONCE ? 200 : 403, 'text/plain', TOKEN));
    }
    if (!url.pathname.startsWith('/api/1/')) {
      const name = url.pathname === '/' ? 'index.html' : url.pathname.slice(1);
      const file = join(pages, name);
      if (name.includes('..') || !existsSync(file) || !TYPES[extname(name)])
        return send(name === 'favicon.ico' ? 204 : 404, 'text/plain', '');
      return send(200, TYPES[extname(name)], readFileSync(file));
    }
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      return send(403, 'application/json', JSON.stringify({ error: { message: 'open the address', remedy: null } }));
    const answer = answerOf(data, url.pathname.slice(7), url.searchParams);
    if (!answer)
      return send(
        404,
        'application/json',
        JSON.stringify({ error: { code: 'not-found', message: 'There is no such run.', remedy: 'assay runs' } }),
      );
    if (answer.events) {
      response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' });
      let step = 0;
      const tick = () =>
        response.write(
          `id: mark-${step}\ndata: ${JSON.stringify({ n: step, cells: step ? [[step % 40, 3, 1, 200]] : [], done: 1800 + step, planned: 2400, rate: 31, requests_sent: 1804, quiet_ms: 6000, left_ms: 19000, cost_usd: 4.1, state: data.state.isLeft ? 'unfinished' : 'live' })}\n\n`,
        ) && step++;
      tick();
      const timer = setInterval(tick, 400);
      data.state.listening++;
      data.state.heardLast.push(request.headers['last-event-id']);
      data.streams.add(response);
      return request.on('close', () => {
        data.state.listening--;
        data.streams.delete(response);
        clearInterval(timer);
      });
    }
    return answer.bytes
      ? send(200, 'application/octet-stream', Buffer.from(answer.bytes))
      : send(answer.status || 200, 'application/json', JSON.stringify(answer.json));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}`,
    data,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
export { HOSTILE, TAGS };
