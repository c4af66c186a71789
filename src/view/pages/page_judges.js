// Judges: may the scores be believed?
import { el, fill, foreign, foreignLine, section, sideways, table } from './dom.js';
import { changeQuery } from './address.js';
import { axisAround, axisRow, dotPlot, isNarrow, tickText } from './chart.js';
import { count, counted, decimal, judgeLabel, percent, points, range, signedPoints, tokens } from './format.js';
import { caseLink, chip, trustPanel, verdict } from './marks.js';
import { conditionsOf, keyOf, nameOf, readRun, runPath, setRunFrame } from './run_frame.js';
import { setKeys } from './frame.js';
import { whyText } from './ranking.js';

/** @param {import('./main.js').PageContext} context */
export async function judgesPage(context) {
  const {
    source,
    host,
    names: [id],
    query,
    isOpen,
  } = context;
  const [run, told] = await Promise.all([readRun(source, id), source.json(runPath(id, 'judges'))]);
  if (!isOpen()) return;
  setRunFrame(source, run, 'Judges', [{ text: 'judges' }]);
  if (told.judges.length === 0) {
    fill(
      host,
      el(
        'div.state',
        el('h1', 'Nothing here was judged by a model.'),
        el('p', 'Functions and programs graded every criterion: the same answer always gets the same score.'),
      ),
    );
    return;
  }
  fill(
    host,
    el(
      'div.grid.top',
      verdict(
        [
          counted(told.judges.length, 'judge'),
          ` · ${counted(told.agreement?.points, 'judged criterion', 'judged criteria')}`,
          `, ${counted(told.agreement?.votes, 'vote')}`,
        ],
        told.sentence ? foreign(told.sentence) : sentenceOfOne(told),
        spreadOf(run),
      ),
      trustPanel('Can the votes be trusted?', conditionsOf(id, told.trust)),
    ),
    eachJudge(told),
    againstPeople(told),
    el('div.grid.halves', matrices(told, run, query), pointsToRewrite(told, run)),
    contradictions(told, run),
  );
  let at = -1;
  setKeys([
    {
      key: 'n',
      text: 'next contradiction',
      act: () => {
        const links = [...host.querySelectorAll('.contradictions a')];
        at = (at + 1) % Math.max(1, links.length);
        links[at]?.focus();
      },
    },
  ]);
}

function sentenceOfOne(told) {
  return told.judges.length === 1
    ? 'One judge voted: nothing shows whether another would agree.'
    : `Agreement is not defined: ${whyText(told.agreement?.why)}.`;
}

// What the doubt in the means comes from, as the ranking's first variant has it.
function spreadOf(run) {
  const parts = (run.statistics?.attempts || [])[0];
  if (!parts || typeof parts.of_case !== 'number') return null;
  return el(
    'p.small.soft',
    'Where the doubt in a mean comes from: cases ',
    percent(parts.of_case),
    typeof parts.of_sampling === 'number' && `, repeated answers ${percent(parts.of_sampling)}`,
    typeof parts.of_judge === 'number' && `, judges ${percent(parts.of_judge)}`,
    '.',
  );
}

const labelOf = (told, judge) =>
  judgeLabel(
    judge,
    told.judges.map((each) => each.judge),
  );

const alphaText = (each) =>
  each && typeof each.alpha === 'number'
    ? `${decimal(each.alpha)}${each.interval ? ` (${decimal(each.interval[0])} to ${decimal(each.interval[1])})` : ''}`
    : each?.why
      ? `– ${whyText(each.why)}`
      : '–';

// What is told of each judge: a column where it can be told of one of them.
function judgeColumns(judges) {
  const hasOthers = judges.length > 1,
    width = 160;
  const axis = axisAround([0, ...judges.map((each) => each.distance ?? 0)], width, { most: 4 });
  const distance = (each) =>
    el(
      'div.gap',
      dotPlot(axis, { value: each.distance, width, zero: 0, label: `${signedPoints(each.distance, 1)} points` }),
      el('span.gap-text', signedPoints(each.distance, 1)),
    );
  const isDefined = (key) => judges.some((each) => typeof each[key]?.alpha === 'number');
  return [
    { head: 'Votes', cell: (each) => count(each.votes), isNumber: true },
    {
      head: 'Mean',
      cell: (each) => points(each.mean, 1),
      isNumber: true,
      isShown: judges.some((each) => typeof each.mean === 'number'),
    },
    {
      head: ['Against the others, points', axisRow(axis, width, tickText(axis, signedPoints))],
      isShown: hasOthers,
      cell: (each) => typeof each.distance === 'number' && distance(each),
    },
    { head: 'Agrees with itself, α', cell: (each) => alphaText(each.self), isShown: isDefined('self') },
    {
      head: 'Agreement without it, α',
      cell: (each) => alphaText(each.without),
      isShown: hasOthers && isDefined('without'),
    },
    {
      head: 'Votes against its own words',
      cell: (each) => [
        count(each.against),
        typeof each.against_rate === 'number' && el('small.soft', ` ${percent(each.against_rate)}`),
      ],
      isNumber: true,
    },
    {
      head: 'No verdict',
      cell: (each) => count(each.no_verdict),
      isNumber: true,
      isShown: judges.some((each) => each.no_verdict >= 0),
    },
    {
      head: 'Tokens in, out',
      cell: (each) => `${tokens(each.input_tokens)}, ${tokens(each.output_tokens)}`,
      isNumber: true,
      isShown: judges.some((each) => each.input_tokens >= 0),
    },
  ].filter((column) => column.isShown !== false);
}

function eachJudge(told) {
  const columns = judgeColumns(told.judges);
  return section(
    'Each judge',
    told.judges.length > 1 ? 'kinder or stricter than the mean of the others on the same criteria' : null,
    sideways(
      'Each judge',
      table(
        ['Judge', ...columns.map((column) => ({ text: column.head, class: column.isNumber ? 'number' : '' }))],
        told.judges.map((each) => [
          el('th', { scope: 'row' }, foreignLine(labelOf(told, each.judge), 60)),
          columns.map((column) => el(column.isNumber ? 'td.number' : 'td', column.cell(each))),
        ]),
        { class: 'small' },
      ),
    ),
  );
}

function matrices(told, run, query) {
  const all = told.matrix || [];
  if (all.length === 0) return null;
  const box = el('div');
  const named = all.findIndex((each) => `${each.a},${each.b}` === query.pair);
  const votes = all.map((each) => each.counts.flat().reduce((sum, count) => sum + count, 0));
  const first = votes.indexOf(Math.max(...votes)); // a backup judge has few
  let pair = named >= 0 ? named : first;
  const draw = () => fill(box, matrixOf(told, all[pair], run));
  const select = el(
    'select.btn',
    {
      'aria-label': 'Two judges',
      onchange: () => {
        pair = Number(select.value);
        changeQuery({ pair: pair === first ? '' : `${all[pair].a},${all[pair].b}` });
        draw();
      },
    },
    all.map((each, index) =>
      el(
        'option',
        { value: String(index), selected: index === pair },
        `${labelOf(told, each.a)} and ${labelOf(told, each.b)}`,
      ),
    ),
  );
  draw();
  return section('Judge against judge', 'votes on the same criterion', box, all.length > 1 && select);
}

function matrixOf(judges, told, run) {
  const most = Math.max(1, ...told.counts.flat());
  const share = (number) => (number === 0 ? 0 : 8 + Math.round((number / most) * 60));
  return [
    el(
      'p.small.soft',
      'down: ',
      foreignLine(labelOf(judges, told.a), 50),
      ' · across: ',
      foreignLine(labelOf(judges, told.b), 50),
    ),
    sideways(
      'Votes of two judges',
      table(
        [
          { text: el('span.sr', 'Vote') },
          ...told.edges.map((each) => ({ text: points(each), class: 'number' })),
        ],
        told.counts.map((line, row) => [
          el('th.number', { scope: 'row' }, points(told.edges[row])),
          line.map((number, column) =>
            el(
              `td.number${row === column ? '.same' : ''}`,
              { style: { '--share': `${share(number)}%` } },
              number ? count(number) : el('span.soft', '·'),
            ),
          ),
        ]),
        { class: 'vote-matrix' },
      ),
    ),
    el(
      'p.small',
      `${counted(told.apart_count, 'criterion has', 'criteria have')} votes that are 75 points or more apart.`,
      ' ',
      (told.apart || [])
        .slice(0, 5)
        .map((each, index) => [
          index > 0 && ', ',
          caseLink(run.run, each.case, { a: keyOf(run, each.variant), try: each.attempt > 1 ? each.attempt : '' }),
        ]),
    ),
  ];
}

// What people would give, by the labels that they gave some answers.
function againstPeople(told) {
  const list = told.calibration || [];
  if (list.length === 0) return null;
  const width = isNarrow() ? 150 : 320;
  const ends = list.flatMap((each) => [each.judge_mean, each.estimate, ...(each.interval || [])]);
  const axis = axisAround(
    ends.filter((each) => typeof each === 'number'),
    width,
    { most: 5 },
  );
  const row = (each) => [
    el('th.name', { scope: 'row' }, each.name ? foreignLine(each.name, 60) : 'All variants'),
    el('td.number', { 'data-label': 'labels' }, count(each.labels)),
    el('td.number', { 'data-label': 'judges alone' }, points(each.judge_mean, 1)),
    el(
      'td',
      { 'data-label': 'corrected' },
      typeof each.estimate === 'number'
        ? el(
            'div.gap',
            dotPlot(axis, {
              value: each.estimate,
              interval: each.interval,
              width,
              label: `${each.name || 'all'}: ${points(each.estimate, 1)}, 95 %: ${range(each.interval)}`,
            }),
            el('span.gap-text', points(each.estimate, 1), each.interval && ` (95 %: ${range(each.interval)})`),
          )
        : el('span.soft', whyText(each.why)),
    ),
    el(
      'td.number',
      { 'data-label': 'judges are kinder by' },
      signedPoints(each.bias, 1),
      each.bias_interval && el('small.soft', ` ${range(each.bias_interval)}`),
    ),
  ];
  return section(
    'Against people',
    'scores of judges, corrected by labels of people',
    [el('p', foreign(list[0].sentence)), table(
      [
        'Variant',
        { text: 'Labels', class: 'number' },
        { text: 'Judges alone', class: 'number' },
        { text: ['Corrected by the labels, 95 %', axisRow(axis, width, tickText(axis, points))] },
        { text: 'Judges are kinder by', class: 'number' },
      ],
      list.map(row),
      { class: 'cost-table' },
    )],
  );
}

function pointsToRewrite(told, run) {
  const list = told.points || [];
  if (list.length === 0) return null;
  return section(
    'Criteria worth rewriting',
    'lowest agreement',
    el(
      'ul.rows',
      list.slice(0, 8).map((each) =>
        el(
          'li',
          el('b', `α ${decimal(each.alpha)}`),
          el(
            'div',
            foreignLine(each.text, 200),
            ' ',
            el('span.soft', `${counted(each.votes, 'vote')}: `),
            each.cases.slice(0, 3).map((one, index) => [index > 0 && ', ', caseLink(run.run, one)]),
            each.cases.length > 3 && el('span.soft', `, ${each.cases.length - 3} more`),
          ),
        ),
      ),
    ),
  );
}

function contradictions(told, run) {
  const list = told.against || [];
  if (!told.against_count)
    return section(
      'Votes against its own words',
      null,
      el('p.soft', 'No judge’s words speak against its vote, as far as a program can tell.'),
    );
  return section(
    'Votes against its own words',
    count(told.against_count),
    el(
      'ul.rows.contradictions',
      list.slice(0, 20).map((each) =>
        el(
          'li',
          el('span', el('span.mono', foreignLine(labelOf(told, each.judge), 30)), ' voted ', chip(each.score)),
          el(
            'div',
            el('q', foreign(each.reason)),
            ' ',
            caseLink(run.run, each.case, {
              a: keyOf(run, each.variant),
              try: each.attempt > 1 ? each.attempt : '',
            }),
            el('span.soft', ', ', foreignLine(nameOf(run, each.variant), 50)),
          ),
        ),
      ),
    ),
  );
}
