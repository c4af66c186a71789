// A case: why this score, and why another than the other's. Two answers side by side, or all attempts.
import { announce, el, fill, foreign, foreignLine, pressable } from './dom.js';
import { changeQuery, linkTo, openView } from './address.js';
import { nameOfCase } from './data.js';
import { Cells, scoreOfByte, stateOfByte } from './cells.js';
import { count, points } from './format.js';
import { STATE_MARKS, scoreBin, verdict } from './marks.js';
import { keyOf, nameOf, readRun, runPath, setRunFrame, variantOfKey } from './run_frame.js';
import { copyLinkButton, setKeys } from './frame.js';
import { allAttempts, answerColumn, attemptOf, pointsOf } from './answers.js';
import { tracedPart, hasTrace } from './timeline.js';
import { markdownOf } from './markdown.js';
import { mediaOf } from './media.js';
import { plainText, textOf } from './texts.js';

/** @param {import('./main.js').PageContext} context */
export async function casePage(context) {
  const {
    source,
    host,
    names: [id, caseId],
    query,
    isOpen,
  } = context;
  const run = await readRun(source, id);
  const [bytes, bits] = await Promise.all([
    source.bytes(runPath(id, 'cells.bin')),
    source.bytes(runPath(id, 'cells.bin?layer=bits')).catch(() => null),
  ]);
  const cells = new Cells(bytes, bits, run.cases, run.variants.length);
  const readCase = (variants) =>
    source.json(
      runPath(
        id,
        'case',
        `${encodeURIComponent(caseId)}?${variants.map((each) => `v=${encodeURIComponent(each)}`).join('&')}`,
      ),
    );
  const ranked = (run.statistics?.ranking || []).map((each) => each.variant);
  let a = variantOfKey(run, query.a)?.id || ranked[0] || run.variants[0].id;
  let body = await readCase([a]);
  if (!isOpen()) return;
  const row = body.case.row;
  let b = variantOfKey(run, query.b)?.id || mostUnlike(run, cells, row, a);
  if (b) body = await readCase([a, b]);
  if (!isOpen()) return;
  setRunFrame(source, run, 'Cases', [{ text: nameOfCase(body.case.id) }]);

  const tries = (query.try || '').split(',').map(Number);
  let chosen = [tries[0] || 1, tries[1] || 1];
  let view = query.view === 'attempts' ? 'attempts' : 'two',
    hasDifferences = query.diff !== 'off',
    isRaw = query.raw === '1';
  const cellOf = (variant) =>
    body.cells.find((each) => each.variant === variant) || { variant, state: 'unplanned', attempts: [] };
  const strip = el('div.strip', {
    role: 'group',
    'aria-label': 'All variants of this case; one that is pressed goes to the right',
    tabindex: -1,
  });
  const tools = el('div.tools'),
    content = el('div.case-body'),
    rail = el('aside.rail', { 'aria-label': 'What was asked' });
  const sentence = el('span');
  const texts = { source, of: `run=${encodeURIComponent(id)}&case=${encodeURIComponent(caseId)}` };

  const remember = () =>
    changeQuery({
      a: keyOf(run, a),
      b: b ? keyOf(run, b) : '',
      try: chosen.some((each) => each !== 1) ? chosen.join(',') : '',
      view: view === 'attempts' ? view : '',
      diff: hasDifferences ? '' : 'off',
      raw: isRaw ? '1' : '',
    });
  async function put(side, variant) {
    if (side === 0) a = variant;
    else b = variant;
    chosen[side] = 1;
    body = await readCase(b ? [a, b] : [a]);
    if (isOpen()) draw();
  }
  function draw() {
    remember();
    fill(sentence, body.sentence ? foreign(body.sentence) : foreign(nameOfCase(body.case.id)));
    fill(
      strip,
      stripOf(run, cells, row, [a, b], (variant) => put(1, variant)),
    );
    fill(tools, toolsOf());
    fill(rail, asked(run, texts, body, cellOf(a), attemptOf(cellOf(a), chosen[0])));
    const sides = [a, b].filter(Boolean).map((variant, side) => ({
      variant,
      name: nameOf(run, variant),
      cell: cellOf(variant),
      attempt: attemptOf(cellOf(variant), chosen[side]),
      side,
      tag: side === 0 ? 'del' : 'ins',
    }));
    const traced = sides.find((side) => hasTrace(side.attempt));
    const how = {
      texts,
      run,
      hasDifferences,
      isRaw,
      points: body.case.points,
      chooseAttempt: (side, number) => {
        chosen[side] = number;
        draw();
      },
      chooseVariant: put,
      score: (variant) => cellScore(run, cells, row, variant),
    };
    if (view === 'attempts')
      fill(
        content,
        sides.map((side) => allAttempts(side, how)),
      );
    else {
      const answers = el(
        `div.answers${sides.length > 1 ? '.two' : ''}`,
        sides.map((side) => answerColumn(side, sides, how)),
      );
      fill(
        content,
        answers,
        marksNote(answers),
        traced && tracedPart(traced, context, texts),
        pointsOf(sides, how),
      );
    }
  }
  function toolsOf() {
    const press = (text, key, isOn, act) =>
      pressable([text, key && el('kbd', { 'aria-hidden': 'true' }, key)], act, { 'aria-pressed': isOn });
    return [
      press('Two answers', '', view === 'two', () => {
        view = 'two';
        draw();
      }),
      press('All attempts', 'a', view === 'attempts', () => {
        view = 'attempts';
        draw();
      }),
      el('span.space'),
      press('Differences', 'd', hasDifferences, toggleDifferences),
      press('Raw', 'r', isRaw, toggleRaw),
      copyLinkButton(),
    ];
  }
  const toggleDifferences = () => {
    hasDifferences = !hasDifferences;
    draw();
  };
  const toggleRaw = () => {
    isRaw = !isRaw;
    draw();
  };
  const step = (by) => {
    const number = attemptNumbers(cellOf(b || a));
    chosen[b ? 1 : 0] = Math.max(1, Math.min(number, chosen[b ? 1 : 0] + by));
    draw();
  };
  const go = (to) =>
    to && openView(linkTo(['run', id, 'case', to], { a: keyOf(run, a), b: b ? keyOf(run, b) : '' }));
  const cycle = (side) => {
    const order = ranked.length ? ranked : run.variants.map((each) => each.id);
    put(side, order[(order.indexOf(side === 0 ? a : b) + 1) % order.length]);
    announce(`${side === 0 ? 'Left' : 'Right'}: ${nameOf(run, side === 0 ? a : b)}`);
  };

  const { previous, next } = body.case;
  setKeys([
    { key: 'j ArrowRight', shown: 'j →', text: 'next case', act: () => go(next) },
    { key: 'k ArrowLeft', shown: 'k ←', text: 'case before it', act: () => go(previous) },
    { key: '1', text: 'next variant at the left', act: () => cycle(0) },
    { key: '2', text: 'next variant at the right', act: () => cycle(1) },
    { key: '[', text: 'attempt before, at the right', act: () => step(-1) },
    { key: ']', text: 'next attempt', act: () => step(1) },
    { key: 'd', text: 'differences on or off', act: toggleDifferences },
    {
      key: 'a',
      text: 'all attempts',
      act: () => {
        view = view === 'attempts' ? 'two' : 'attempts';
        draw();
      },
    },
    { key: 'r', text: 'raw or rendered', act: toggleRaw },
  ]);
  fill(
    host,
    el(
      'div.case-head',
      verdict(overlineOf(body.case, run), sentence),
      el(
        'div.nowrap.steps-between',
        previous
          ? el(
              'a.btn',
              { href: linkTo(['run', id, 'case', previous], query) },
              '← previous',
              el('kbd', { 'aria-hidden': 'true' }, 'k'),
            )
          : null,
        ' ',
        next
          ? el(
              'a.btn',
              { href: linkTo(['run', id, 'case', next], query) },
              'next →',
              el('kbd', { 'aria-hidden': 'true' }, 'j'),
            )
          : null,
      ),
    ),
    body.case.description &&
      el('div.soft.small', markdownOf(body.case.description.markdown, body.case.description.text)),
    run.variants.length > 1 && strip,
    tools,
    el('div.case-grid', rail, content),
  );
  draw();
  for (const each of [previous, next]) if (each && !source.isFile) prefetch(source, id, each, [a, b]);
}

function prefetch(source, id, caseId, variants) {
  setTimeout(
    () =>
      source
        .json(runPath(id, 'case', `${encodeURIComponent(caseId)}?v=${encodeURIComponent(variants[0])}`))
        .catch(() => {}),
    400,
  );
}

function attemptNumbers(cell) {
  return Math.max(1, ...(cell.attempts || []).map((each) => each.attempt));
}

function cellScore(run, cells, row, variant) {
  const at = run.variants.findIndex((each) => each.id === variant);
  const byte = at < 0 ? 255 : cells.at(row, at);
  return { score: scoreOfByte(byte), state: stateOfByte(byte), partial: at >= 0 && cells.isPartial(row, at) };
}

// The variant whose score of this case differs most from the other's; among equals the best of the ranking.
function mostUnlike(run, cells, row, variant) {
  const mine = cellScore(run, cells, row, variant).score;
  const order = (run.statistics?.ranking || []).map((each) => each.variant);
  let best = null,
    most = -1;
  for (const id of order.length ? order : run.variants.map((each) => each.id)) {
    if (id === variant) continue;
    const score = cellScore(run, cells, row, id).score;
    const distance = score === null ? 0 : Math.abs((mine ?? 0) - score);
    if (distance > most + 1e-9) {
      most = distance;
      best = id;
    }
  }
  return best;
}

function overlineOf(each, run) {
  return [
    foreignLine(each.id, 80),
    each.tags?.length > 0 && [' · ', foreignLine(each.tags.join(', '), 80)],
    each.weight !== 1 && ` · weight ${count(each.weight)}`,
    ` · case ${count(each.row + 1)} of ${count(run.cases)}`,
  ];
}

function stripOf(run, cells, row, chosen, press) {
  const models = new Map();
  run.variants.forEach((each, at) => {
    const group = (run.statistics?.models || []).length ? each.model : '';
    models.set(group, [...(models.get(group) || []), { ...each, at }]);
  });
  const button = (each) => {
    const byte = cells.at(row, each.at),
      score = scoreOfByte(byte),
      state = stateOfByte(byte);
    const mark = STATE_MARKS[state];
    const said = score === null ? mark?.word : points(score);
    return el(
      `button${score === null ? '.chip-state' : `.s${scoreBin(score)}`}${chosen.includes(each.id) ? '.chosen' : ''}`,
      { type: 'button', title: each.name, 'aria-label': `${each.name}: ${said}`, onclick: () => press(each.id) },
      score === null ? mark?.mark : points(score),
      cells.isPartial(row, each.at) && el('span.corner-mark', { 'aria-hidden': 'true' }, '◢'),
    );
  };
  return [...models.entries()].map(([name, members]) =>
    el('figure', name !== '' && el('figcaption', foreignLine(name, 24)), members.map(button)),
  );
}

// ---- what was asked

// One of several ways in which variants are asked the case.
const askingOf = (asking, texts) =>
  el(
    'details',
    el('summary', el('b', 'Asked as '), foreignLine(asking.name, 60)),
    asking.problem && el('p.fault', foreign(asking.problem)),
    asking.turns?.length
      ? asking.turns.map((turn) => el('div.turn', el('div.who', turn.role), textOf(texts, turn.text)))
      : textOf(texts, asking.text),
  );

function asked(run, texts, { case: told }, cell, attempt) {
  const last = told.turns.filter((turn) => turn.role === 'user').pop();
  const turn = (each) =>
    el(
      each.is_generated ? 'div.turn.generated' : 'div.turn',
      el('div.who', each.role),
      each.is_generated ? el('p', 'answered by the model') : textOf(texts, each.text),
      mediaOf(texts.source, run.run, each.media),
    );
  const system = attempt?.system;
  return [
    el(
      'details.asked',
      { open: window.innerWidth > 599 },
      el('summary', el('b', 'Asked: '), foreignLine(last ? plainText(last.text) : told.id, 90)),
      told.turns.map(turn),
    ),
    cell.asked && el('details', el('summary', el('b', 'Asked of this variant')), textOf(texts, cell.asked)),
    (told.askings || []).length > 1 && told.askings.map((each) => askingOf(each, texts)),
    system && el('details', el('summary', el('b', 'System prompt')), textOf(texts, system)),
    told.ideal && [el('h2.h3', 'Ideal answer'), el('div.soft', markdownOf(told.ideal.markdown, told.ideal.text))],
    told.citation && [el('h2.h3', 'Source'), foreign(told.citation, 'p')],
    told.documents?.length > 0 && [
      el('h2.h3', 'Documents'),
      el(
        'ul',
        told.documents.map((each) =>
          el(
            'li',
            el('a', { href: linkTo(['run', run.run, 'doc', each.id]) }, foreignLine(each.title || each.id, 90)),
          ),
        ),
      ),
    ],
    told.schema &&
      el(
        'details',
        el('summary', el('b', 'Schema')),
        el(
          'pre.code-block',
          { tabindex: 0, 'aria-label': 'Schema' },
          foreign(typeof told.schema === 'string' ? told.schema : JSON.stringify(told.schema, null, 2), 'code'),
        ),
      ),
    told.full_score > 0 && el('p.soft', `Full score: ${count(told.full_score)}`),
    told.paths?.length > 1 && el('p.soft', `${told.paths.length} alternative paths: the best counts.`),
  ];
}

// What the marks in answers mean, of those that are there.
function marksNote(answers) {
  const means = [
    answers.querySelector('del, ins') && 'single line, dashed or solid: words in which the two differ',
    answers.querySelector('.text mark') && 'double line: what a check looked for',
  ].filter(Boolean);
  return means.length > 0 && el('p.mini.soft', `Marked, ${means.join('; ')}.`);
}
