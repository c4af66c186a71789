// Where: the map of a run's cells with its filter, its legend and what stands in the cell that is looked at.
import { announce, el, fill, foreign, foreignLine, pressable } from './dom.js';
import { changeQuery, linkTo, openView } from './address.js';
import { Cells, filterRows, parseFilter, sortRows, stateOfByte, scoreOfByte } from './cells.js';
import { isNarrow } from './chart.js';
import { nameOfCase } from './data.js';
import { count, counted } from './format.js';
import { LAYERS, layerOf } from './layers.js';
import { Matrix } from './matrix.js';
import { chip, SCORE_BINS } from './marks.js';
import { keyOf, modelName, nameOf, runPath } from './run_frame.js';
import { textOf } from './texts.js';

const ORDERS = [
  ['hard', 'hardest first'],
  ['split', 'most disagreement first'],
  ['suite', 'order of the suite'],
];
// Of what cells show: the rows with most of it first.
const LAYER_ORDER = 'layer';
const PEEK_AFTER_MS = 180;
const FIND_AFTER_MS = 200;

/** @param {import('./main.js').PageContext} context @param {any} run */
export function whereSection(context, run) {
  const { source, query } = context;
  const path = (...below) => runPath(run.run, ...below);
  let filterText = query.q || '',
    order = query.order || 'hard',
    found = null;
  /** @type {import('./layers.js').Layer | null} */
  let layer = null;
  let cells,
    rows = [],
    shown = [],
    matrix,
    columns,
    asTable = query.as === 'table';
  /** @type {Set<number>} steps of light that are kept, by their numbers */
  const bins = new Set((query.bins || '').split(',').filter((each) => /^[0-6]$/.test(each)).map(Number));
  const node = el('section.where');
  const field = el('input.field', {
    type: 'search',
    value: filterText,
    'aria-label': 'Filter cases',
    spellcheck: false,
    placeholder: 'Filter: words, tag:NAME, state:error, score:<40, check:judge, delta:>20',
    oninput: () => filterBy(field.value),
  });
  const tally = el('span.tally', { role: 'status' }),
    hint = el('p.small.bad', { hidden: true });
  const hue = el('span.small.soft', 'dark: low; pale: full'),
    legend = el('div.legend'),
    host = el('div.matrix-host'),
    peek = el('aside.panel.peek', { 'aria-label': 'The chosen cell' });
  const orderBox = el('select.btn', {
    'aria-label': 'Order of cases',
    onchange: () => {
      order = orderBox.value;
      changeQuery({ order: order === 'hard' ? '' : order });
      refresh();
    },
  });
  const ordersNow = () => (layer ? [...ORDERS, [LAYER_ORDER, LAYERS[layer.name].first]] : ORDERS);
  const fillOrders = () =>
    fill(
      orderBox,
      ordersNow().map(([value, text]) => el('option', { value, selected: value === order }, text)),
    );
  const offered = ['ms', run.cost_usd > 0 && 'usd', run.attempts > 1 && 'spread'].filter(
    (name) => name && (!source.isFile || source.has(path(`cells.bin?layer=${name}`))),
  );
  const layerBox =
    offered.length > 0 &&
    el(
      'select.btn',
      { 'aria-label': 'What cells show', onchange: () => showLayer(layerBox.value) },
      el('option', { value: '' }, 'scores'),
      offered.map((name) => el('option', { value: name, selected: query.layer === name }, LAYERS[name].text)),
    );
  const tags = run.tags || [];
  const tagBox =
    tags.length > 0 &&
    el(
      'select.btn',
      {
        'aria-label': 'Tag',
        onchange: () => {
          const without = field.value.replace(/(^|\s)tag:("[^"]*"|\S+)/g, '').trim();
          const tag = /\s/.test(tagBox.value) ? `"${tagBox.value}"` : tagBox.value;
          field.value = `${without}${tagBox.value ? `${without && ' '}tag:${tag}` : ''}`;
          filterBy(field.value);
        },
      },
      el('option', { value: '' }, 'any tag'),
      tags.map((each) =>
        el(
          'option',
          { value: each.tag, selected: filterText.includes(`tag:${each.tag}`) },
          `${each.tag} (${each.cases})`,
        ),
      ),
    );
  const twin = pressable(
    'As table',
    () => {
      asTable = matrix.toggleTable();
      twin.setAttribute('aria-pressed', String(asTable));
      changeQuery({ as: asTable ? 'table' : '' });
    },
    { 'aria-pressed': String(asTable) },
  );

  // The columns of all variants, or of the models that the filter names; of none that is known, of all.
  function columnsNow() {
    const { models } = parseFilter(filterText);
    const all = allColumnsNow();
    const named = all.filter((each) => models.some((name) => isOfModel(run, each, name)));
    return named.length > 0 ? named : all;
  }
  function allColumnsNow() {
    const models = run.statistics?.models || [];
    const index = new Map(run.variants.map((each, at) => [each.id, at]));
    if (isNarrow() && models.length > 0) {
      return models.map((each) => ({
        label: modelName(run, each),
        name: modelName(run, each),
        group: modelName(run, each),
        levels: [],
        columns: each.variants.map((id) => index.get(id)),
      }));
    }
    const place = new Map((run.statistics?.ranking || []).map((each, at) => [each.variant, at]));
    const placeOfModel = new Map(models.map((each, at) => [modelName(run, each), at]));
    const order = run.variants
      .map((each, at) => ({ ...each, at }))
      .sort((a, b) =>
        models.length
          ? (placeOfModel.get(a.model) ?? 1e9) - (placeOfModel.get(b.model) ?? 1e9) || a.at - b.at
          : (place.get(a.id) ?? 1e9) - (place.get(b.id) ?? 1e9) || a.at - b.at,
      );
    return order.map((each) => ({
      label: each.name,
      name: each.name,
      group: models.length ? each.model : '',
      columns: [each.at],
      levels: (run.factors || []).map((factor, at) => shortLevel(factor, each.levels?.[at])),
    }));
  }
  const hasLevels = () =>
    (run.statistics?.models || []).length > 0 && (run.factors || []).length > 0 && !isNarrow();
  const allColumns = () => columns.flatMap((each) => each.columns);

  function build() {
    columns = columnsNow();
    fill(host);
    matrix = new Matrix(host, {
      cells,
      columns,
      levelNames: hasLevels() ? run.factors.map((each) => each.name) : [],
      layer: () => layer,
      asTable,
      rowLabel: (row) => (rows[row] ? nameOfCase(rows[row].id) : `case ${row + 1}`),
      rowLink: (row) => linkTo(['run', run.run, 'case', rows[row]?.id ?? ''], {}),
      moved: (row, column, isWanted = true) => peekAt(row, columns[column], isWanted),
      opened: (row, column) => openCell(row, columns[column]),
    });
  }

  function openCell(row, column) {
    if (!rows[row]) return;
    openView(
      linkTo(
        ['run', run.run, 'case', rows[row].id],
        column.columns.length === 1 ? { a: keyOf(run, run.variants[column.columns[0]].id) } : {},
      ),
    );
  }

  function drawLegend() {
    const { bins: counts, states, partial, flaky, failed } = cells.tally(allColumns());
    const toggle = (bin) => {
      if (!bins.delete(bin)) bins.add(bin);
      keepBins();
      refresh();
      drawLegend();
    };
    const state = (name, number) =>
      number > 0 &&
      el(
        'button.btn',
        { type: 'button', onclick: () => setFilter(`state:${name}`) },
        chip(null, name),
        `${name} ${count(number)}`,
      );
    const steps = layer
      ? { names: layer.steps, counts: layer.tally(cells.rows, allColumns()) }
      : { names: SCORE_BINS, counts };
    fill(
      legend,
      layer && el('span.small.soft', layer.note),
      steps.names.length > 0 &&
        el(
          'span.histogram',
          {
            role: 'group',
            'aria-label': `${layer ? LAYERS[layer.name].text : 'Scores'}: press to keep cases that have one`,
          },
          steps.names.map((name, bin) =>
            el(
              `button.s${bin}`,
              { type: 'button', 'aria-pressed': bins.has(bin), onclick: () => toggle(bin) },
              name,
              el('small', count(steps.counts[bin])),
            ),
          ),
        ),
      failed > 0 &&
        pressable(`failed ${count(failed)}`, () => setFilter('state:failed'), {
          title: `they do not pass (${run.pass_words}), or are errors`,
        }),
      ['error', 'unscored', 'skipped', 'pending'].map((name) => state(name, states[name])),
      partial > 0 &&
        el(
          'button.btn',
          { type: 'button', onclick: () => setFilter('state:partial') },
          el('span.chip.partial.s4', ' '),
          `partial ${count(partial)}`,
        ),
      flaky > 0 &&
        el('button.btn', { type: 'button', onclick: () => setFilter('flaky:yes') }, `flaky ${count(flaky)}`),
      (bins.size > 0 || filterText) && pressable('Clear', clear),
    );
  }
  function setFilter(text) {
    field.value = filterText === text ? '' : text;
    filterBy(field.value);
  }
  function keepBins() {
    changeQuery({ bins: [...bins].sort().join(',') });
  }
  function clear() {
    bins.clear();
    keepBins();
    field.value = '';
    filterBy('');
  }

  const tell = (...words) => {
    hint.hidden = words.length === 0;
    fill(hint, words);
  };
  // What the filter asks and nobody can answer, in words for the reader.
  function notUnderstood({ unknown, models, answers }) {
    const strangers = models.filter((name) => !allColumnsNow().some((each) => isOfModel(run, each, name)));
    return [
      unknown.length > 0 && [
        'Not understood: ',
        foreign(unknown.join(' ')),
        '. Numbers: score:<40, score:20-60, ms:>5000. ',
      ],
      strangers.length > 0 && ['No model is called ', foreign(strangers.join(', ')), '. '],
      source.isFile &&
        answers.length > 0 && [
          'This file does not look for words in answers; this does: ',
          el('code', `assay view ${run.run}`),
          '. ',
        ],
    ].filter(Boolean);
  }

  let waiting;
  function filterBy(text) {
    const before = parseFilter(filterText).models.join();
    filterText = text.trim();
    changeQuery({ q: filterText });
    const filter = parseFilter(filterText);
    tell(...notUnderstood(filter));
    clearTimeout(waiting);
    found = null;
    if (filter.models.join() !== before) build();
    refresh();
    drawLegend();
    if (filter.asked.length === 0 || source.isFile) return;
    waiting = setTimeout(async () => {
      let problem = '';
      const bytes = await source
        .bytes(path(`find?q=${encodeURIComponent(filter.asked.join(' '))}`))
        .catch((error) => {
          problem = error.message;
        });
      if (text !== field.value || !context.isOpen()) return;
      if (!bytes) {
        const rest = filter.words.length > 0 && 'Only ids, titles and tags are looked through.';
        return tell(...notUnderstood(filter), `No answer: ${problem}. `, rest);
      }
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      found = new Set(Array.from({ length: bytes.byteLength / 4 }, (_, at) => view.getUint32(at * 4, true)));
      refresh();
    }, FIND_AFTER_MS);
  }

  async function bytesOfLayer(name) {
    cells.layers[name] ??= await source.bytes(path(`cells.bin?layer=${name}`));
    return cells.layers[name];
  }

  async function needLayers(filter) {
    for (const { kind } of filter.tests) {
      if (!['ms', 'usd'].includes(kind) || cells.layers[kind]) continue;
      if (await bytesOfLayer(kind).catch(() => null)) refresh();
    }
  }

  // What cells show from now on: a layer, or the scores. Steps that were chosen are steps of what was shown before.
  async function showLayer(name, { isOpening = false } = {}) {
    changeQuery({ layer: name });
    const bytes = name && (await bytesOfLayer(name).catch(() => null));
    if (!context.isOpen()) return;
    layer = bytes ? layerOf(name, bytes, cells.columns) : null;
    if (!layer && order === LAYER_ORDER) order = 'hard';
    if (!isOpening) {
      bins.clear();
      keepBins();
    }
    fillOrders();
    hue.textContent = `dark: ${layer ? LAYERS[name].dark : 'low; pale: full'}`;
    refresh();
    drawLegend();
  }

  function refresh({ keep = true } = {}) {
    const filter = parseFilter(filterText);
    needLayers(filter);
    const kept = filterRows(cells, rows, filter, { columns: allColumns(), found, bins, layer });
    shown = sortRows(cells, kept, order, allColumns(), layer);
    matrix.show(shown, keep);
    tally.textContent = `${count(shown.length)} of ${count(cells.rows)} cases`;
    if (shown.length === 0) fill(peek, el('p', 'No case is left. ', pressable('Clear filters', clear)));
  }

  let peekTimer;
  // `isWanted`: by the reader; else a filter leaves out what he chose, which the address keeps.
  function peekAt(row, column, isWanted = true) {
    const told = rows[row];
    if (!told || !column) return;
    const at = column.columns[0],
      variant = run.variants[at];
    // A column of several is named by its first.
    if (isWanted) changeQuery({ cell: `${told.id},${variant.key || variant.id}` });
    const byte = cells.at(row, at);
    fill(
      peek,
      peekHead(told, column, byte, cells.isPartial(row, at)),
      el('p.small.soft', foreignLine(told.title, 160)),
    );
    clearTimeout(peekTimer);
    if (isNarrow() || column.columns.length > 1 || stateOfByte(byte) === 'unplanned') return;
    peekTimer = setTimeout(async () => {
      const body = await source
        .json(path('case', `${encodeURIComponent(told.id)}?v=${encodeURIComponent(variant.id)}`))
        .catch(() => null);
      if (!body || !context.isOpen()) return;
      fill(
        peek,
        peekHead(told, column, byte, cells.isPartial(row, at)),
        peekBody(body.cells?.[0]),
        el(
          'p',
          el(
            'a.btn',
            { href: linkTo(['run', run.run, 'case', told.id], { a: keyOf(run, variant.id) }) },
            'Open ',
            el('kbd', { 'aria-hidden': 'true' }, '↵'),
          ),
        ),
      );
    }, PEEK_AFTER_MS);
  }
  function peekHead(told, column, byte, partial) {
    return [
      el('p.small.soft', foreignLine(column.name, 80)),
      el(
        'h3.peek-title',
        foreignLine(nameOfCase(told.id), 60),
        ' ',
        column.columns.length === 1 && chip(scoreOfByte(byte), stateOfByte(byte), { partial }),
      ),
    ];
  }

  // Two variants that are marked are compared; one alone with the first of the ranking.
  const marked = [];
  const markedHost = el('span.small', { 'aria-live': 'polite' });
  function mark() {
    const at = columns?.[matrix?.chosen.column]?.columns[0];
    if (at === undefined) return;
    const { id } = run.variants[at];
    if (marked.includes(id)) marked.splice(marked.indexOf(id), 1);
    else marked.push(id);
    if (marked.length > 2) marked.shift();
    fill(
      markedHost,
      marked.length > 0 && [
        'Marked: ',
        marked.map((each, index) => [index > 0 && ' and ', foreignLine(nameOf(run, each), 40)]),
        ' ',
        pressable(['Compare ', el('kbd', { 'aria-hidden': 'true' }, 'c')], compareMarked),
      ],
    );
  }
  function compareMarked() {
    const first = (run.statistics?.ranking || []).map((each) => each.variant).find((id) => !marked.includes(id));
    const [a, b] = marked.length === 1 ? [marked[0], first] : marked;
    if (!a || !b) return announce('Mark a variant of the map to compare it');
    if (!hasPair(source, run, a, b))
      return announce(`This file does not have this pair; any two are compared by assay view ${run.run}`);
    openView(linkTo(['compare', `${run.run},${run.run}`], { a: keyOf(run, a), b: keyOf(run, b) }));
  }

  const keys = [
    { key: 'x', text: 'mark the variant of the chosen cell', act: mark },
    { key: 'c', text: 'compare the marked variants', act: compareMarked },
    { key: 'ArrowDown j', shown: '↓ j', text: 'next row of the map', act: () => matrix?.move(1) },
    { key: 'ArrowUp k', shown: '↑ k', text: 'row before it', act: () => matrix?.move(-1) },
    { key: 'Enter', text: 'open the chosen cell', act: () => matrix?.openChosen() },
    {
      key: 's',
      text: 'change the order of rows',
      act: () => {
        const orders = ordersNow();
        order = orders[(orders.findIndex(([each]) => each === order) + 1) % orders.length][0];
        orderBox.value = order;
        changeQuery({ order: order === 'hard' ? '' : order });
        refresh();
        announce(`Cases: ${orders.find(([each]) => each === order)[1]}`);
      },
    },
  ];

  return {
    node,
    keys,
    async open() {
      const [bytes, bits] = await Promise.all([
        source.bytes(path('cells.bin')),
        source.bytes(path('cells.bin?layer=bits')).catch(() => null),
      ]);
      cells = new Cells(bytes.slice(), bits, run.cases, run.variants.length);
      fill(
        node,
        el(
          'div.head',
          el('h2', `Where: ${counted(run.cases, 'case')} by ${counted(run.variants.length, 'variant')}`),
          hue,
        ),
        el('div.filters', { role: 'search' }, field, tagBox, layerBox, orderBox, tally, twin, markedHost),
        hint,
        legend,
        isNarrow() &&
          (run.statistics?.models || []).length > 0 &&
          el('p.mini.soft', 'One column a model: the mean of its variants.'),
        el('div.where-grid', host, peek),
      );
      const told = await source.json(path('rows'));
      if (!context.isOpen()) return;
      rows = told.rows;
      fillOrders();
      build();
      drawLegend();
      if (filterText) filterBy(filterText);
      else refresh({ keep: false });
      if (offered.includes(query.layer)) await showLayer(query.layer, { isOpening: true });
      if (query.cell) chooseFromAddress(query.cell);
      else if (shown.length) peekAt(shown[0], columns[0]);
    },
    refit() {
      if (!cells) return;
      const now = columnsNow();
      if (now.length !== columns.length) {
        build();
        refresh({ keep: false });
      } else matrix.refit();
    },
    /** The mean of each tag's cells, the lowest first. */
    tagMeans() {
      const { mean } = cells.rowFigures(allColumns());
      const ofTags = new Map();
      rows.forEach((each, row) => {
        for (const tag of each.tags || [])
          if (mean[row] < Infinity) ofTags.set(tag, [...(ofTags.get(tag) || []), mean[row] / 200]);
      });
      return [...ofTags.entries()]
        .map(([tag, means]) => ({
          tag,
          cases: means.length,
          mean: means.reduce((sum, each) => sum + each, 0) / means.length,
        }))
        .sort((a, b) => a.mean - b.mean);
    },
    /** New cells of a run that goes on; the order of rows stays. @param {number[][]} changed
     * @param {boolean} [isWhole] whether all that came are listed */
    async heard(changed, isWhole = true) {
      if (!cells) return 0;
      if (!isWhole) {
        source.forget(path('cells.bin'));
        source.forget(path('cells.bin?layer=bits'));
        cells.bytes.set(await source.bytes(path('cells.bin')));
        cells.bits.set(await source.bytes(path('cells.bin?layer=bits')));
      }
      for (const [row, column, , byte, bits] of changed) {
        if (row >= cells.rows || column >= cells.columns) continue;
        cells.set(row, column, byte);
        cells.setBits(row, column, bits || 0);
      }
      if (changed.length || !isWhole) {
        matrix.repaint();
        drawLegend();
      }
      return isWhole ? changed.length : 1;
    },
  };

  function chooseFromAddress(cell) {
    const comma = cell.lastIndexOf(',');
    const row = rows.findIndex((each) => each.id === cell.slice(0, comma));
    const at = run.variants.findIndex((each) => (each.key || each.id) === cell.slice(comma + 1));
    const column = columns.findIndex((each) => each.columns.includes(at));
    if (row >= 0) matrix.chooseRow(row, Math.max(0, column));
  }
}

// Whether two variants can be compared here: a file has some pairs.
function hasPair(source, run, a, b) {
  const [of, va, vb] = [run.run, a, b].map(encodeURIComponent);
  return source.has(`compare?a=${of}&b=${of}&va=${va}&vb=${vb}`);
}

// Whether a column is of a model whose name, or whose variant's, has these letters.
function isOfModel(run, column, name) {
  return column.columns.some((at) => {
    const variant = run.variants[at];
    return [variant.model, variant.id.split('[')[0]].some((each) => each?.toLowerCase().includes(name));
  });
}

// How the head of a column calls a level.
function shortLevel(factor, level) {
  if (level === null || level === undefined) return '–';
  return factor.short?.[factor.values.indexOf(level)] ?? level;
}

function peekBody(cell) {
  if (!cell) return el('p.soft', 'Not planned: the case does not ask this variant.');
  const attempts = cell.attempts || [];
  const first = attempts.find((each) => each.state !== 'scored') || attempts[0];
  if (!first) return el('p.soft', 'No attempt yet.');
  const told = attempts.find((each) => each.points && each.points.length) || first;
  const low = (told.points || [])
    .slice()
    .sort((a, b) => (a.score ?? -1) - (b.score ?? -1))
    .slice(0, 5);
  const last = (told.turns || []).slice(-1)[0];
  return [
    attempts.length > 1 &&
      el(
        'p.small.soft',
        `${counted(attempts.length, 'attempt')}: `,
        attempts.slice(0, 8).map((each) => [chip(each.score, each.state), ' ']),
      ),
    first.error && el('p.small.fault', foreignLine(first.error, 300)),
    el(
      'ul.peek-points',
      low.map((point) =>
        el(
          'li',
          chip(
            point.max > 0 && typeof point.score === 'number' ? point.score / point.max : point.score,
            point.state,
          ),
          el('span', point.not && el('b', 'not: '), foreignLine(point.text, 140)),
        ),
      ),
    ),
    last && el('div.peek-answer', textOf(null, last.text, { most: 600 })),
  ];
}
