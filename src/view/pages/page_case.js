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
  const readCase = (variants) => source.json(pathOfCase(id, caseId, variants));
  const a = variantOfKey(run, query.a)?.id || rankingOfRun(run)[0] || run.variants[0].id;
  let body = await readCase([a]);
  if (!isOpen()) return;
  const { row } = body.case;
  const b = variantOfKey(run, query.b)?.id || mostUnlike(run, cells, row, a);
  if (b) body = await readCase([a, b]);
  if (!isOpen()) return;
  setRunFrame(source, run, 'Cases', [{ text: nameOfCase(body.case.id) }]);
  const page = new CasePage(context, { run, cells, row, body, readCase, view: new CaseView(query, a, b) });
  setKeys(page.keys());
  page.open();
}

/** What the reader chose of a case: two variants, an attempt of each, how they are shown. Knows no element. */
export class CaseView {
  /** @param {Record<string, string>} query @param {string} a @param {string | null} b */
  constructor(query, a, b) {
    this.variants = [a, b];
    const tries = (query.try || '').split(',').map(Number);
    this.attempts = [tries[0] || 1, tries[1] || 1];
    this.isAttempts = query.view === 'attempts';
    this.hasDifferences = query.diff !== 'off';
    this.isRaw = query.raw === '1';
  }

  /** The variants that are shown: one where no other is. */
  shown() {
    return this.variants.filter(Boolean);
  }

  /** Another variant at a side, from its first attempt on. @param {number} side @param {string} variant */
  put(side, variant) {
    this.variants[side] = variant;
    this.attempts[side] = 1;
  }

  /** The side whose attempts keys go through: the right one, where there is one. */
  steppedSide() {
    return this.variants[1] ? 1 : 0;
  }

  /** Goes to another attempt of that side. @param {number} by @param {number} most the last attempt */
  step(by, most) {
    const side = this.steppedSide();
    this.attempts[side] = Math.max(1, Math.min(most, this.attempts[side] + by));
  }

  /** The two variants as an address names them. @param {any} run */
  variantsInAddress(run) {
    const [a, b] = this.variants;
    return { a: keyOf(run, a), b: b ? keyOf(run, b) : '' };
  }

  /** The whole state as an address has it. @param {any} run */
  inAddress(run) {
    return {
      ...this.variantsInAddress(run),
      try: this.attempts.some((each) => each !== 1) ? this.attempts.join(',') : '',
      view: this.isAttempts ? 'attempts' : '',
      diff: this.hasDifferences ? '' : 'off',
      raw: this.isRaw ? '1' : '',
    };
  }
}

// The page of one case: what it read, what the reader chose, where it draws.
class CasePage {
  constructor(context, { run, cells, row, body, readCase, view }) {
    this.context = context;
    this.run = run;
    this.cells = cells;
    this.row = row;
    this.body = body;
    this.readCase = readCase;
    this.view = view;
    const { source, names } = context;
    this.id = names[0]; // as the address names the run
    this.texts = { source, of: `run=${encodeURIComponent(names[0])}&case=${encodeURIComponent(names[1])}` };
    this.strip = el('div.strip', {
      role: 'group',
      'aria-label': 'All variants of this case; one that is pressed goes to the right',
      tabindex: -1,
    });
    this.tools = el('div.tools');
    this.content = el('div.case-body');
    this.rail = el('aside.rail', { 'aria-label': 'What was asked' });
    this.sentence = el('span');
  }

  open() {
    const { run, context } = this;
    const told = this.body.case;
    fill(
      context.host,
      el(
        'div.case-head',
        verdict(overlineOf(told, run), this.sentence),
        el('div.nowrap.steps-between', stepsBetween(this.id, told, context.query)),
      ),
      told.description && el('div.soft.small', markdownOf(told.description.markdown, told.description.text)),
      run.variants.length > 1 && this.strip,
      this.tools,
      el('div.case-grid', this.rail, this.content),
    );
    this.draw();
    const { source } = context;
    for (const each of [told.previous, told.next])
      if (each && !source.isFile) prefetch(source, this.id, each, this.view.variants);
  }

  // ---- drawing

  draw() {
    const { run, body, view } = this;
    changeQuery(view.inAddress(run));
    fill(this.sentence, body.sentence ? foreign(body.sentence) : foreign(nameOfCase(body.case.id)));
    fill(
      this.strip,
      stripOf(run, this.cells, this.row, view.variants, (variant) => this.put(1, variant)),
    );
    fill(this.tools, this.toolsOf());
    const sides = this.sides();
    fill(this.rail, asked(run, this.texts, body, sides[0].cell, sides[0].attempt));
    if (view.isAttempts) this.drawAttempts(sides);
    else this.drawAnswers(sides);
  }

  drawAttempts(sides) {
    const how = this.how();
    fill(
      this.content,
      sides.map((side) => allAttempts(side, how)),
    );
  }

  drawAnswers(sides) {
    const how = this.how();
    const traced = sides.find((side) => hasTrace(side.attempt));
    const answers = el(
      `div.answers${sides.length > 1 ? '.two' : ''}`,
      sides.map((side) => answerColumn(side, sides, how)),
    );
    fill(
      this.content,
      answers,
      marksNote(answers),
      traced && tracedPart(traced, this.context, this.texts),
      pointsOf(sides, how),
    );
  }

  // What columns of answers are made of.
  sides() {
    return this.view.shown().map((variant, side) => {
      const cell = this.cellOf(variant);
      return {
        variant,
        name: nameOf(this.run, variant),
        cell,
        attempt: attemptOf(cell, this.view.attempts[side]),
        side,
        tag: side === 0 ? 'del' : 'ins',
      };
    });
  }

  // How they are made.
  how() {
    const { run, view } = this;
    return {
      texts: this.texts,
      run,
      hasDifferences: view.hasDifferences,
      isRaw: view.isRaw,
      points: this.body.case.points,
      chooseAttempt: (side, number) =>
        this.change(() => {
          view.attempts[side] = number;
        }),
      chooseVariant: (side, variant) => this.put(side, variant),
      score: (variant) => cellScore(run, this.cells, this.row, variant),
    };
  }

  cellOf(variant) {
    return this.body.cells.find((each) => each.variant === variant) || { variant, state: 'unplanned', attempts: [] };
  }

  toolsOf() {
    const { view } = this;
    const press = (text, key, isOn, act) =>
      pressable([text, key && el('kbd', { 'aria-hidden': 'true' }, key)], act, { 'aria-pressed': isOn });
    return [
      press('Two answers', '', !view.isAttempts, () => this.showAttempts(false)),
      press('All attempts', 'a', view.isAttempts, () => this.showAttempts(true)),
      el('span.space'),
      press('Differences', 'd', view.hasDifferences, () => this.toggle('hasDifferences')),
      press('Raw', 'r', view.isRaw, () => this.toggle('isRaw')),
      copyLinkButton(),
    ];
  }

  // ---- what the reader does

  keys() {
    const { previous, next } = this.body.case;
    return [
      { key: 'j ArrowRight', shown: 'j →', text: 'next case', act: () => this.go(next) },
      { key: 'k ArrowLeft', shown: 'k ←', text: 'case before it', act: () => this.go(previous) },
      { key: '1', text: 'next variant at the left', act: () => this.cycle(0) },
      { key: '2', text: 'next variant at the right', act: () => this.cycle(1) },
      { key: '[', text: 'attempt before, at the right', act: () => this.step(-1) },
      { key: ']', text: 'next attempt', act: () => this.step(1) },
      { key: 'd', text: 'differences on or off', act: () => this.toggle('hasDifferences') },
      { key: 'a', text: 'all attempts', act: () => this.toggle('isAttempts') },
      { key: 'r', text: 'raw or rendered', act: () => this.toggle('isRaw') },
    ];
  }

  change(act) {
    act();
    this.draw();
  }

  toggle(name) {
    this.change(() => {
      this.view[name] = !this.view[name];
    });
  }

  showAttempts(isAttempts) {
    this.change(() => {
      this.view.isAttempts = isAttempts;
    });
  }

  async put(side, variant) {
    this.view.put(side, variant);
    this.body = await this.readCase(this.view.shown());
    if (this.context.isOpen()) this.draw();
  }

  step(by) {
    const { view } = this;
    const cell = this.cellOf(view.variants[view.steppedSide()]);
    this.change(() => view.step(by, lastAttempt(cell)));
  }

  go(to) {
    if (to) openView(linkTo(['run', this.id, 'case', to], this.view.variantsInAddress(this.run)));
  }

  cycle(side) {
    const { run, view } = this;
    const order = orderOfVariants(run);
    this.put(side, order[(order.indexOf(view.variants[side]) + 1) % order.length]);
    announce(`${side === 0 ? 'Left' : 'Right'}: ${nameOf(run, view.variants[side])}`);
  }
}

// The buttons that lead to the cases around this one.
function stepsBetween(id, { previous, next }, query) {
  const step = (to, text, key) =>
    to
      ? el(
          'a.btn',
          { href: linkTo(['run', id, 'case', to], query) },
          text,
          el('kbd', { 'aria-hidden': 'true' }, key),
        )
      : null;
  return [step(previous, '← previous', 'k'), ' ', step(next, 'next →', 'j')];
}

function pathOfCase(id, caseId, variants) {
  const asked = variants.map((each) => `v=${encodeURIComponent(each)}`).join('&');
  return runPath(id, 'case', `${encodeURIComponent(caseId)}?${asked}`);
}

function rankingOfRun(run) {
  return (run.statistics?.ranking || []).map((each) => each.variant);
}

// By the ranking, where there is one.
function orderOfVariants(run) {
  const ranked = rankingOfRun(run);
  return ranked.length ? ranked : run.variants.map((each) => each.id);
}

function prefetch(source, id, caseId, variants) {
  setTimeout(() => source.json(pathOfCase(id, caseId, variants.slice(0, 1))).catch(() => {}), 400);
}

function lastAttempt(cell) {
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
  let best = null,
    most = -1;
  for (const id of orderOfVariants(run)) {
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
