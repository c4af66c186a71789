// More runs of the fixture: programs that are tested, research over documents, hostile texts, a very large one.
import { ranked, seeded, START, DAY } from './fixture.mjs';

const CODE = '#!/bin/sh\nset -eu\n\nfirst_word() {\n    read -r word rest < "$1"\n    printf "%s\\n" "$word"\n}';
const ANSWER = `This prints the first word of a file, and stops where there is none:\n\n\`\`\`sh\n${CODE}\n\`\`\`\n\nread splits the line at blanks.`;
const WEAK_CODE =
  'first_word() {\n    line=$(head -n 1 "$1")\n    echo "word: ${line%% *}"   # a label before it\n}';

/** The layer of bits in which what scores below a half has failed. @param {Uint8Array} bytes */
function failedBits(bytes) {
  return Uint8Array.from(bytes, (byte) => (byte < 100 ? 16 : 0));
}

/** @returns {any} */
export function small(id, title, variants, rows, values, more = {}) {
  const bytes = Uint8Array.from(rows.flatMap((_, row) => variants.map((_, column) => values[row][column])));
  const entries = variants.map((each, column) => ({
    id: each.id,
    values: rows.map((_, row) => Math.min(200, values[row][column]) / 200),
  }));
  const ranking =
    rows.length > 1
      ? ranked(entries, 'variant')
      : entries.map((each, at) => ({
          variant: each.id,
          rank: 1,
          rank_last: entries.length,
          can_rank: false,
          mean: each.values[0],
          interval: null,
          why: 'one_case',
          cases: 1,
          cases_left_out: 0,
          to_leader: at
            ? {
                variant: entries[0].id,
                difference: each.values[0] - entries[0].values[0],
                interval: null,
                why: 'one_case',
                p: 1,
                p_corrected: 1,
                is_worse: false,
                excludes_0: false,
              }
            : null,
        }));
  const run = {
    run: id,
    title,
    dialect: 'blueprint',
    command: `assay run ${id}.yml`,
    state: 'finished',
    started_ms: START - DAY,
    finished_ms: START - DAY + 60000,
    cells: bytes.length,
    requests_sent: 40,
    requests: 40,
    request_errors: 0,
    foreign_replies: 0,
    mean: 0.6,
    suite: { id, title, description: null, markdown: null, tags: [], system_prompts: [] },
    store: 'evals/.assay/assay.db',
    records: 40,
    is_live: false,
    pass_at: 0.5,
    pass_attempts: 0.5,
    pass_words: '50 points or more (--pass-at 0.5)',
    cases: rows.length,
    attempts: 1,
    done: bytes.length,
    verdict: [
      { about: 'variants', text: `${variants[0].name} scores 75 (95 %: 25 to 97) on ${rows.length} cases.` },
    ],
    notes: [],
    trust: [{ ok: true, text: `${bytes.length} of ${bytes.length} cells scored`, href: null }],
    factors: [],
    tags: [],
    checks: [],
    hardest: rows.map((each) => ({ case: each.id, mean: 0.5 })),
    split: [],
    errors: [],
    tables: [],
    closing: null,
    gates: [],
    documents: [],
    variants: variants.map((each) => ({
      key: each.id,
      model: each.name,
      levels: [],
      mean: 0.5,
      sd: null,
      cells: rows.length,
      scored: rows.length,
      unscored: 0,
      errors: 0,
      skipped: 0,
      partial: 0,
      ...each,
    })),
    statistics: {
      pairs: (variants.length * (variants.length - 1)) / 2,
      models: [],
      ranking,
      factors: [],
      agreement: { alpha: null, why: 'no_pairs' },
      judges: [],
      attempts: [],
      flaky: [],
    },
    files: [],
    ...more,
  };
  return { run, bytes, bits: failedBits(bytes), rows };
}

const oneCase = (id, row, count, turns, more = {}) => ({
  id,
  title: turns[0],
  row,
  previous: null,
  next: null,
  description: null,
  tags: [],
  weight: 1,
  turns: turns.map((text) => ({ role: 'user', text, is_generated: false, media: [] })),
  ideal: null,
  citation: null,
  schema: null,
  generator: '',
  language: null,
  documents: [],
  paths: [],
  points: [],
  ...more,
});
const attemptWith = (variant, score, answer, more = {}) => ({
  variant,
  attempt: 1,
  state: score === null ? 'error' : 'scored',
  score,
  passed: score === null ? null : score >= 0.5,
  missing: 0,
  same_as: null,
  turns: answer === null ? [] : [{ text: answer, thoughts: null, markdown: null }],
  system: null,
  ms: 3100,
  first_ms: null,
  tokens: { candidate: { input_tokens: 210, output_tokens: 88 } },
  usd: 0.0004,
  finish: 'stop',
  calls: 1,
  tries: 1,
  cut: false,
  error: null,
  error_class: null,
  points: [],
  trace: null,
  ...more,
});

export function programRun() {
  const variants = [
    { id: 'alder-2', name: 'Alder 2' },
    { id: 'birch-1', name: 'Birch 1' },
  ];
  const rows = [
    {
      id: 'first-word',
      title: 'Write a shell function first_word FILE',
      tags: ['sh'],
      weight: 1,
      checks: ['keywords', 'unit_test'],
      points: 3,
    },
    {
      id: 'three-blanks',
      title: 'Fill the blanks of the query',
      tags: ['sql'],
      weight: 1,
      checks: ['blank_filling'],
      points: 1,
    },
  ];
  const made = small(
    'infibench',
    'InfiBench',
    variants,
    rows,
    [
      [200, 0],
      [200, 66],
    ],
    { dialect: 'infibench' },
  );
  const item = (wanted, found, share, more = {}) => ({
    wanted,
    found,
    note: null,
    share,
    points: share,
    weight: 1,
    program: null,
    ...more,
  });
  // As the program grades blanks: one point, an item a blank.
  const blanks = (score, given, shares) => ({
    kind: 'blank_filling',
    text: 'blank_filling',
    not: false,
    weight: 1,
    state: 'scored',
    score,
    max: 1,
    reason: null,
    error: null,
    votes: [],
    flags: [],
    items: ['SELECT', 'name or plant.name', '7'].map((wanted, at) => item(wanted, given[at], shares[at])),
  });
  const caseOf = (row, chosen) => {
    const both =
      row === 0
        ? [
            attemptWith('alder-2', 1, ANSWER, {
              points: [
                {
                  kind: 'keywords',
                  text: 'set -[a-z]*u',
                  not: false,
                  weight: 1,
                  state: 'scored',
                  score: 1,
                  max: 1,
                  reason: null,
                  error: null,
                  votes: [],
                  flags: [],
                  spans: [[ANSWER.indexOf('set -eu'), ANSWER.indexOf('set -eu') + 7]],
                  items: [item('/set -[a-z]*u/', 'set -eu', 1)],
                },
                {
                  kind: 'unit_test',
                  text: '[ "$(first_word letter.txt)" = Dear ]',
                  not: false,
                  weight: 2,
                  state: 'scored',
                  score: 1,
                  max: 1,
                  reason: null,
                  error: null,
                  votes: [],
                  flags: [],
                  items: [item('Dear', 'Dear', 1)],
                  outputs: [{ stdout: 'Dear\n', stderr: '', exit: 0, signal: null, ms: 41, sandbox: null }],
                },
              ],
            }),
            attemptWith('birch-1', 0, `Here you are:\n\n\`\`\`bash\n${WEAK_CODE}\n\`\`\`\n`, {
              points: [
                {
                  kind: 'keywords',
                  text: 'set -[a-z]*u',
                  not: false,
                  weight: 1,
                  state: 'scored',
                  score: 0,
                  max: 1,
                  reason: null,
                  error: null,
                  votes: [],
                  flags: [],
                  items: [item('/set -[a-z]*u/', null, 0)],
                },
                {
                  kind: 'unit_test',
                  text: '[ "$(first_word letter.txt)" = Dear ]',
                  not: false,
                  weight: 2,
                  state: 'scored',
                  score: 0,
                  max: 1,
                  reason: null,
                  error: null,
                  votes: [],
                  flags: [],
                  items: [item('Dear', 'word: Dear', 0)],
                  outputs: [
                    {
                      stdout: 'word: Dear\n',
                      stderr: '\u001b[31mnot equal: word: Dear\u001b[0m',
                      exit: 1,
                      signal: null,
                      ms: 52,
                      sandbox: null,
                    },
                  ],
                },
                {
                  kind: 'unit_test',
                  text: 'an empty file',
                  not: false,
                  weight: 0,
                  state: 'error',
                  score: null,
                  max: 1,
                  reason: null,
                  error: 'stopped by the time limit of 5 s',
                  votes: [],
                  flags: [],
                  items: [item(null, null, 0)],
                  outputs: [
                    {
                      stdout: '',
                      stderr: '',
                      exit: null,
                      signal: 'SIGKILL',
                      ms: 5000,
                      sandbox: 'time limit',
                    },
                  ],
                },
              ],
            }),
          ]
        : [
            attemptWith('alder-2', 1, 'SELECT\nname\n7', { points: [blanks(1, ['SELECT', 'name', '7'], [1, 1, 1])] }),
            attemptWith('birch-1', 0.33, 'SELECT\nsize\n5', {
              points: [
                {
                  ...blanks(0.33, ['SELECT', 'size', '5'], [1, 0, 0]),
                  block: { rule: 'longest_fenced', lines: [[1, 3]], text: 'SELECT\nsize\n5' },
                  outputs: [{ stdout: null, stderr: null, exit: null, error: 'no sandbox works here' }],
                },
              ],
            }),
          ];
    return {
      case: {
        ...oneCase(rows[row].id, row, 2, [rows[row].title]),
        language: 'sh',
        previous: row ? rows[0].id : null,
        next: row ? null : rows[1].id,
      },
      sentence: row === 0 ? 'Birch 1 prints a label before the word; Alder 2 passes every test.' : null,
      cells: both
        .filter((each) => !chosen.length || chosen.includes(each.variant))
        .map((each) => ({ variant: each.variant, state: each.state, score: each.score, attempts: [each] })),
    };
  };
  return { ...made, caseOf };
}

export function researchRun() {
  const variants = [
    { id: 'research', name: 'research' },
    { id: 'lean', name: 'lean' },
  ];
  const rows = [
    {
      id: 'bulb-depth',
      title: 'How deep are tulip bulbs set in heavy soil, by the newer table?',
      tags: ['numbers'],
      weight: 1,
      checks: ['regex'],
      points: 1,
    },
    {
      id: 'plum-month',
      title: 'Which month is named for pruning plums?',
      tags: [],
      weight: 1,
      checks: ['rubric'],
      points: 1,
    },
  ];
  const made = small(
    'almanac-suite',
    'Almanac questions',
    variants,
    rows,
    [
      [0, 200],
      [140, 150],
    ],
    {
      dialect: 'research',
      documents: [
        { id: 'almanac', title: 'almanac.pdf', url: 'file:almanac.pdf', cases: 2 },
        { id: 'old-almanac', title: 'old-almanac.pdf', url: 'file:old-almanac.pdf', cases: 1 },
      ],
    },
  );
  const call = (tool, given, at, ms, result, more = {}) => ({
    tool,
    arguments: given,
    at_ms: at,
    ms,
    evidence: [],
    problem: null,
    result,
    ...more,
  });
  const trace = {
    gathered: [],
    tokens: {},
    timings_ms: {},
    rounds: [
      {
        round: 1,
        at_ms: 0,
        ms: 1840,
        input_tokens: 2210,
        output_tokens: 96,
        calls: [
          call(
            'query_corpus',
            { query: 'tulip bulb depth heavy soil', k: 5 },
            1850,
            62,
            '1. almanac.pdf p. 41  0.83\n2. almanac.pdf p. 12  0.71',
            { evidence: [{ source: 'almanac.pdf', relevance: 0.83, place: 'p. 41' }] },
          ),
          call('query_corpus', { query: 'bulbs table correction', k: 5 }, 1850, 58, '1. almanac.pdf p. 12  0.80'),
        ],
      },
      {
        round: 2,
        at_ms: 1930,
        ms: 1420,
        input_tokens: 4870,
        output_tokens: 54,
        calls: [
          call(
            'get_full_content',
            { doc: 'almanac.pdf', pages: '12' },
            3360,
            21,
            'Bulbs are set in October. Tulips stand 18 cm deep. …',
          ),
        ],
      },
      {
        round: 3,
        at_ms: 3390,
        ms: 2210,
        input_tokens: 6940,
        output_tokens: 71,
        calls: [
          call('get_url_content', { url: 'https://example.com/collect?d=412' }, 5610, 2, null, {
            problem: 'refused: this profile offers no web',
          }),
          call('save_finding', { text: '18 cm on p. 12' }, 5620, 9, 'saved'),
        ],
      },
      { round: 4, at_ms: 5640, ms: 3010, input_tokens: 7180, output_tokens: 188, calls: [] },
    ],
  };
  const evidence = [
    {
      needed: '12 ?cm',
      is_pattern: true,
      in_corpus: true,
      retrieved: true,
      read: false,
      used: false,
      notes: { retrieved: 'query_corpus, call 1', read: null },
    },
  ];
  const caseOf = (row, chosen) => {
    const cells = variants.map((each, at) => ({
      variant: each.id,
      state: 'scored',
      score: row === 0 ? at : 0.7,
      attempts: [
        attemptWith(
          each.id,
          row === 0 ? at : 0.7,
          at
            ? 'In heavy soil the newer table says 12 cm.'
            : 'In heavy soil the older table says 18 cm. The newer one leaves that as it was.',
          {
            trace,
            evidence: row === 0 ? evidence : at ? [] : null,
            ms: 8653,
            usd: 0.031,
            points: [
              {
                kind: 'regex',
                text: '12 ?cm',
                not: false,
                weight: 1,
                state: 'scored',
                score: at,
                max: 1,
                reason: at ? 'matches at 37' : 'no match',
                error: null,
                votes: [],
                flags: [],
                items: [],
                spans: at ? [[37, 42]] : null,
              },
            ],
          },
        ),
      ],
    }));
    return {
      case: {
        ...oneCase(rows[row].id, row, 2, [rows[row].title]),
        documents: [{ id: 'almanac', title: 'almanac.pdf', url: null }],
        previous: row ? 'bulb-depth' : null,
        next: row ? null : 'plum-month',
      },
      sentence: row === 0 ? 'research answers 18 cm; the check expects 12 cm.' : null,
      cells: cells.filter((each) => !chosen.length || chosen.includes(each.variant)),
    };
  };
  const pages = [
    'An almanac for gardens. To the reader.\n',
    'October\n\nBulbs are set when the first leaves fall. Tulips stand 18 cm deep. Lilies follow in the same week, with their tips just below the soil; nothing is watered before the frost.\n',
    'A newer table\n\nSince then it has been found that in heavy soil a depth of 12 cm does better, since deeper bulbs rot; light soil keeps the depth of the older table.\n',
    'Notes of readers.\n',
  ];
  const text = pages.join(''),
    place = (words) => [text.indexOf(words), text.indexOf(words) + words.length];
  let at = 0;
  const span = (kind, words, variant) => ({
    kind,
    from: place(words)[0],
    to: place(words)[1],
    text: words,
    cells: [{ case: 'bulb-depth', variant, attempt: 1 }],
  });
  const documents = {
    almanac: {
      id: 'almanac',
      title: 'almanac.pdf',
      url: 'file:almanac.pdf',
      state: 'stored',
      remedy: null,
      pages: pages.map((page, index) => {
        const from = at;
        at += page.length;
        return { number: [1, 12, 41, 42][index], from, to: at };
      }),
      from: 0,
      to: text.length,
      bytes: text.length,
      text,
      spans: [
        span('retrieved', pages[1].slice(9, 100), 'research'),
        span('quoted', 'Tulips stand 18 cm deep.', 'research'),
        span('retrieved', pages[2].slice(15, 110), 'lean'),
        span('needed', 'a depth of 12 cm', null),
        span('quoted', '12 cm does better', 'lean'),
      ],
    },
    'old-almanac': {
      id: 'old-almanac',
      title: 'old-almanac.pdf',
      url: null,
      state: 'unreadable',
      problem: 'its pages are pictures',
      remedy: 'assay doctor almanac-suite.yml',
      pages: [],
      from: 0,
      to: 0,
      bytes: 14200000,
      text: null,
      spans: [
        {
          kind: 'needed',
          from: null,
          to: null,
          text: '',
          cells: [{ case: 'plum-month', variant: 'lean', attempt: 1 }],
        },
      ],
    },
  };
  return { ...made, caseOf, documents };
}

/** Texts of those who wish the reader no good. */
export const HOSTILE = [
  '<script>window.hurt=1</script><img src=x onerror="window.hurt=1">',
  '</script><iframe src="https://example.com/"></iframe><link rel=stylesheet href="https://example.com/x.css">',
  '\u001b[31mred\u001b[0m \u001b]8;;https://example.com\u0007link\u001b]8;;\u0007',
  'abc\u202edcba\u2066x\u2069 zero\u200bwidth\ufeff',
  '[click](javascript:window.hurt=1) <a href="javascript:window.hurt=1">x</a>',
  'x'.repeat(5000000),
  '{{constructor.constructor("window.hurt=1")()}} ${window.hurt=1}',
  '\u0000\u0001\u0007 \u009b31m',
  `a${'\u0301\u0489\u0e47\u0fb0'.repeat(2000)} \u115f\u1160\u17b4\u034f\u3164\uffa0`,
];

export function hostileRun() {
  const name = HOSTILE[0];
  const variants = [
    { id: `a${HOSTILE[0]}`, name: `a${HOSTILE[0]}`, key: 'a' },
    { id: `b\u202e${HOSTILE[1]}`, name: `b\u202e${HOSTILE[1]}`, key: 'b' },
  ];
  const rows = HOSTILE.map((text, at) => ({
    id: at < 2 ? `case ${at} ${text}` : `case-${at}`,
    title: text.slice(0, 4000),
    tags: [name],
    weight: 1,
    checks: ['judge'],
    points: 1,
  }));
  const made = small(
    'hostile',
    HOSTILE[0],
    variants,
    rows,
    rows.map(() => [100, 251]),
    {
      verdict: [{ about: 'variants', text: `${HOSTILE[0]} leads ${HOSTILE[3]}` }],
      trust: [{ ok: false, text: HOSTILE[1], href: 'javascript:window.hurt=1' }],
      command: HOSTILE[2],
      suite: {
        id: 'hostile',
        title: HOSTILE[0],
        description: HOSTILE[1],
        markdown: [
          [
            'p',
            HOSTILE[1],
            ['a', { href: 'javascript:window.hurt=1' }, 'x'],
            ['img', { src: 'https://example.com/p.png' }, 'y'],
            ['script', 'window.hurt=1'],
            ['iframe', { src: 'https://example.com' }, 'z'],
          ],
        ],
        tags: [HOSTILE[0]],
        system_prompts: [HOSTILE[3]],
      },
      errors: [
        {
          message: HOSTILE[0],
          class: HOSTILE[2],
          cells: 1,
          first: [{ case: rows[0].id, variant: variants[1].id }],
        },
      ],
      tables: [{ title: HOSTILE[0], head: [HOSTILE[1]], rows: [[HOSTILE[2]]] }],
      closing: {
        model: HOSTILE[0],
        text: HOSTILE[1],
        markdown: null,
        parts: [{ title: HOSTILE[0], items: HOSTILE.slice(0, 4) }],
      },
    },
  );
  const caseOf = (row, chosen) => ({
    case: {
      ...oneCase(rows[row].id, row, rows.length, [HOSTILE[row]]),
      tags: [HOSTILE[0]],
      ideal: {
        text: HOSTILE[1],
        markdown: [
          ['p', HOSTILE[1]],
          ['pre', { lang: '"><script>' }, HOSTILE[0]],
        ],
      },
      citation: HOSTILE[2],
      previous: rows[row - 1]?.id ?? null,
      next: rows[row + 1]?.id ?? null,
    },
    sentence: HOSTILE[0],
    cells: variants
      .map((each, at) => ({
        variant: each.id,
        state: at ? 'error' : 'scored',
        score: at ? null : 0.5,
        attempts: [
          attemptWith(each.id, at ? null : 0.5, HOSTILE[row], {
            error: at ? HOSTILE[row] : null,
            error_class: at ? HOSTILE[0] : null,
            system: HOSTILE[3],
            finish: HOSTILE[3],
            answered_by: HOSTILE[3],
            served: [{ role: 'candidate', model: HOSTILE[2], fingerprint: HOSTILE[3], provider: HOSTILE[3] }],
            turns: [
              {
                text: HOSTILE[row],
                thoughts: HOSTILE[3],
                markdown: [
                  ['p', HOSTILE[row].slice(0, 20000), ['a', { href: 'javascript:window.hurt=1' }, 'a link']],
                ],
              },
            ],
            points: [
              {
                kind: 'judge',
                text: HOSTILE[row].slice(0, 9000),
                not: true,
                weight: 1,
                state: 'scored',
                score: 0.5,
                max: 1,
                reason: HOSTILE[1],
                error: null,
                votes: [{ judge: HOSTILE[0], score: 0.5, reason: HOSTILE[3] }],
                flags: ['against'],
                items: [
                  {
                    wanted: HOSTILE[0],
                    found: HOSTILE[1],
                    note: HOSTILE[2],
                    share: 0,
                    points: null,
                    weight: null,
                    program: HOSTILE[0],
                  },
                ],
              },
            ],
          }),
        ],
      }))
      .filter((each) => !chosen.length || chosen.includes(each.variant)),
  });
  return { ...made, caseOf };
}

/** Cases × variants of which only bytes and rows matter. */
export function largeRun(id, cases, count) {
  const random = seeded(5);
  const variants = Array.from({ length: count }, (_, at) => ({
    id: `model-${at}`,
    name: `model-${at}`,
    key: `model-${at}`,
    model: `model-${at}`,
    levels: [],
    mean: 0.5,
    sd: 0.1,
    cells: cases,
    scored: cases,
    unscored: 0,
    errors: 0,
    skipped: 0,
    partial: 0,
  }));
  const bytes = new Uint8Array(cases * count);
  for (let at = 0; at < bytes.length; at++) {
    const luck = random();
    bytes[at] = luck < 0.002 ? 251 : Math.min(200, Math.round(random() ** 0.4 * 210));
  }
  const rows = Array.from({ length: cases }, (_, at) => ({
    id: `case-${at}`,
    title: `Question number ${at} of very many`,
    tags: [`tag-${at % 20}`],
    weight: 1,
    checks: ['judge'],
    points: 4,
  }));
  const made = small(id, `${cases} cases`, [variants[0]], rows.slice(0, 2), [[100], [100]]);
  const ranking = variants.map((each, at) => ({
    variant: each.id,
    rank: 1,
    rank_last: count,
    can_rank: true,
    mean: 0.7 - at / 1000,
    interval: [0.6 - at / 1000, 0.8 - at / 1000],
    why: null,
    cases,
    cases_left_out: 0,
    to_leader: at
      ? {
          variant: 'model-0',
          difference: -at / 1000,
          interval: [-0.1, 0.08],
          why: null,
          p: 0.5,
          p_corrected: 1,
          is_worse: false,
          excludes_0: false,
        }
      : null,
  }));
  const run = {
    ...made.run,
    cases,
    cells: bytes.length,
    done: bytes.length,
    variants,
    statistics: { ...made.run.statistics, pairs: (count * (count - 1)) / 2, ranking },
    tags: [],
    hardest: [{ case: 'case-0', mean: 0.1 }],
    verdict: [
      { about: 'variants', text: `No difference between ${count} variants is shown.` },
    ],
  };
  const caseOf = (row, chosen) => ({
    case: { ...oneCase(`case-${row}`, row, cases, [rows[row].title]), next: `case-${row + 1}` },
    sentence: null,
    cells: variants
      .filter((each) => chosen.includes(each.id))
      .map((each) => ({
        variant: each.id,
        state: 'scored',
        score: 0.5,
        attempts: [attemptWith(each.id, 0.5, 'An answer.')],
      })),
  });
  return { run, bytes, bits: failedBits(bytes), rows, caseOf };
}
