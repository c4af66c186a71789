// Where: the map of a run's cells with its filter, its legend and what stands in the cell that is looked at.
import { announce, el, fill, foreign, foreignLine, pressable } from './dom.js';
import { changeQuery, linkTo, openView } from './address.js';
import { Cells } from './cells.js';
import { isNarrow } from './chart.js';
import { nameOfCase } from './data.js';
import { count, counted } from './format.js';
import { LAYERS, layerOf } from './layers.js';
import { Matrix } from './matrix.js';
import { keyOf, nameOf, runPath } from './run_frame.js';
import { allColumnsOf, columnsOfModels, levelNamesOf, unknownModels } from './where_columns.js';
import { legendOf } from './where_legend.js';
import { WherePeek } from './where_peek.js';
import { cellOfAddress, tagMeansOf, WhereView, withTag } from './where_view.js';

const FIND_AFTER_MS = 200;

/** The section of a run's page. */
export class WhereSection {
  /** @param {import('./main.js').PageContext} context @param {any} run */
  constructor(context, run) {
    this.context = context;
    this.run = run;
    this.view = new WhereView(context.query);
    /** @type {Cells | null} read when the section opens, as are the rows */
    this.cells = null;
    this.rows = [];
    this.shown = [];
    /** @type {Matrix | null} */
    this.matrix = null;
    /** @type {import('./matrix_cells.js').Column[]} */
    this.columns = [];
    this.waiting = 0;
    this.peek = new WherePeek(context, run);
    this.node = el('section.where');
    this.makeControls();
    this.keys = this.keysOf();
  }

  path(...below) {
    return runPath(this.run.run, ...below);
  }

  // ---- what is pressed and typed

  makeControls() {
    const { run, view } = this;
    this.field = el('input.field', {
      type: 'search',
      value: view.filterText,
      'aria-label': 'Filter cases',
      spellcheck: false,
      placeholder: 'Filter: words, tag:NAME, state:error, score:<40, check:judge, delta:>20',
      oninput: () => this.filterBy(this.field.value),
    });
    this.tally = el('span.tally', { role: 'status' });
    this.hint = el('p.small.bad', { hidden: true });
    this.hue = el('span.small.soft', 'dark: low; pale: full');
    this.legend = el('div.legend');
    this.host = el('div.matrix-host');
    this.markedHost = el('span.small', { 'aria-live': 'polite' });
    this.orderBox = el('select.btn', {
      'aria-label': 'Order of cases',
      onchange: () => {
        view.order = this.orderBox.value;
        this.orderChanged();
      },
    });
    this.offered = this.offeredLayers();
    this.layerBox = layerBoxOf(this.offered, this.context.query.layer, (layer) => this.showLayer(layer));
    this.tagBox = tagBoxOf(run.tags || [], view.filterText, (tag) => this.type(withTag(this.field.value, tag)));
    this.twin = pressable('As table', () => this.toggleTable(), { 'aria-pressed': String(view.asTable) });
  }

  // A file has some layers.
  offeredLayers() {
    const { run } = this;
    const { source } = this.context;
    return ['ms', run.cost_usd > 0 && 'usd', run.attempts > 1 && 'spread'].filter(
      (name) => name && (!source.isFile || source.has(this.path(`cells.bin?layer=${name}`))),
    );
  }

  fillOrders() {
    fill(
      this.orderBox,
      this.view.orders().map(([value, text]) => el('option', { value, selected: value === this.view.order }, text)),
    );
  }

  orderChanged() {
    changeQuery({ order: this.view.orderInAddress() });
    this.refresh();
  }

  toggleTable() {
    const asTable = this.matrix.toggleTable();
    this.view.asTable = asTable;
    this.twin.setAttribute('aria-pressed', String(asTable));
    changeQuery({ as: asTable ? 'table' : '' });
  }

  keysOf() {
    return [
      { key: 'x', text: 'mark the variant of the chosen cell', act: () => this.mark() },
      { key: 'c', text: 'compare the marked variants', act: () => this.compareMarked() },
      { key: 'ArrowDown j', shown: '↓ j', text: 'next row of the map', act: () => this.matrix?.move(1) },
      { key: 'ArrowUp k', shown: '↑ k', text: 'row before it', act: () => this.matrix?.move(-1) },
      { key: 'Enter', text: 'open the chosen cell', act: () => this.matrix?.openChosen() },
      { key: 's', text: 'change the order of rows', act: () => this.turnOrder() },
    ];
  }

  turnOrder() {
    const text = this.view.turnOrder();
    this.orderBox.value = this.view.order;
    this.orderChanged();
    announce(`Cases: ${text}`);
  }

  // ---- the map

  allColumns() {
    return this.columns.flatMap((each) => each.columns);
  }

  columnsNow() {
    return columnsOfModels(this.run, this.view.filter().models, isNarrow());
  }

  build() {
    const { run, view, rows } = this;
    this.columns = this.columnsNow();
    fill(this.host);
    this.matrix = new Matrix(this.host, {
      cells: this.cells,
      columns: this.columns,
      levelNames: levelNamesOf(run, isNarrow()),
      layer: () => view.layer,
      asTable: view.asTable,
      rowLabel: (row) => (rows[row] ? nameOfCase(rows[row].id) : `case ${row + 1}`),
      rowLink: (row) => linkTo(['run', run.run, 'case', rows[row]?.id ?? ''], {}),
      moved: (row, column, isWanted = true) => this.peekAt(row, this.columns[column], isWanted),
      opened: (row, column) => this.openCell(row, this.columns[column]),
    });
  }

  openCell(row, column) {
    const { run, rows } = this;
    if (!rows[row]) return;
    const query = column.columns.length === 1 ? { a: keyOf(run, run.variants[column.columns[0]].id) } : {};
    openView(linkTo(['run', run.run, 'case', rows[row].id], query));
  }

  peekAt(row, column, isWanted = true) {
    const told = this.rows[row];
    if (told && column) this.peek.show(this.cells, row, { told, column, isWanted });
  }

  drawLegend() {
    fill(
      this.legend,
      legendOf(this.view, this.run, this.cells, this.allColumns(), {
        toggleBin: (bin) => this.toggleBin(bin),
        setFilter: (text) => this.type(this.view.filterText === text ? '' : text),
        clear: () => this.clear(),
      }),
    );
  }

  toggleBin(bin) {
    this.view.toggleBin(bin);
    this.keepBins();
    this.refresh();
    this.drawLegend();
  }

  keepBins() {
    changeQuery({ bins: this.view.binsInAddress() });
  }

  refresh({ keep = true } = {}) {
    const { view, cells } = this;
    this.needLayers(view.filter());
    this.shown = view.shownOf(cells, this.rows, this.allColumns());
    this.matrix.show(this.shown, keep);
    this.tally.textContent = `${count(this.shown.length)} of ${count(cells.rows)} cases`;
    if (this.shown.length === 0) this.peek.showNothing(() => this.clear());
  }

  // ---- the filter

  type(text) {
    this.field.value = text;
    this.filterBy(text);
  }

  clear() {
    this.view.bins.clear();
    this.keepBins();
    this.type('');
  }

  tell(...words) {
    this.hint.hidden = words.length === 0;
    fill(this.hint, words);
  }

  filterBy(text) {
    const { view } = this;
    const before = view.filter().models.join();
    view.filterText = text.trim();
    changeQuery({ q: view.filterText });
    const filter = view.filter();
    this.tell(...this.notUnderstood(filter));
    clearTimeout(this.waiting);
    view.found = null;
    if (filter.models.join() !== before) this.build();
    this.refresh();
    this.drawLegend();
    if (filter.asked.length === 0 || this.context.source.isFile) return;
    this.waiting = setTimeout(() => this.find(text, filter), FIND_AFTER_MS);
  }

  // What the filter asks and nobody can answer, in words for the reader.
  notUnderstood({ unknown, models, answers }) {
    const strangers = unknownModels(this.run, models, allColumnsOf(this.run, isNarrow()));
    return [
      unknown.length > 0 && [
        'Not understood: ',
        foreign(unknown.join(' ')),
        '. Numbers: score:<40, score:20-60, ms:>5000. ',
      ],
      strangers.length > 0 && ['No model is called ', foreign(strangers.join(', ')), '. '],
      this.context.source.isFile &&
        answers.length > 0 && [
          'This file does not look for words in answers; this does: ',
          el('code', `assay view ${this.run.run}`),
          '. ',
        ],
    ].filter(Boolean);
  }

  // The rows that hold words which only the program knows.
  async find(text, filter) {
    let problem = '';
    const bytes = await this.context.source
      .bytes(this.path(`find?q=${encodeURIComponent(filter.asked.join(' '))}`))
      .catch((error) => {
        problem = error.message;
      });
    if (text !== this.field.value || !this.context.isOpen()) return;
    if (!bytes) {
      const rest = filter.words.length > 0 && 'Only ids, titles and tags are looked through.';
      this.tell(...this.notUnderstood(filter), `No answer: ${problem}. `, rest);
      return;
    }
    const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const found = Array.from({ length: bytes.byteLength / 4 }, (_, at) => numbers.getUint32(at * 4, true));
    this.view.found = new Set(found);
    this.refresh();
  }

  // ---- layers

  async bytesOfLayer(name) {
    this.cells.layers[name] ??= await this.context.source.bytes(this.path(`cells.bin?layer=${name}`));
    return this.cells.layers[name];
  }

  async needLayers(filter) {
    for (const { kind } of filter.tests) {
      if (!['ms', 'usd'].includes(kind) || this.cells.layers[kind]) continue;
      if (await this.bytesOfLayer(kind).catch(() => null)) this.refresh();
    }
  }

  // What cells show from now on: a layer, or the scores. Steps that were chosen are steps of what was shown before.
  async showLayer(name, { isOpening = false } = {}) {
    const { view } = this;
    changeQuery({ layer: name });
    const bytes = name && (await this.bytesOfLayer(name).catch(() => null));
    if (!this.context.isOpen()) return;
    view.setLayer(bytes ? layerOf(name, bytes, this.cells.columns) : null);
    if (!isOpening) {
      view.bins.clear();
      this.keepBins();
    }
    this.fillOrders();
    this.hue.textContent = `dark: ${view.layer ? LAYERS[name].dark : 'low; pale: full'}`;
    this.refresh();
    this.drawLegend();
  }

  // ---- comparing

  mark() {
    const at = this.columns[this.matrix?.chosen.column]?.columns[0];
    if (at === undefined) return;
    const { run } = this;
    const { marked } = this.view;
    this.view.toggleMark(run.variants[at].id);
    fill(
      this.markedHost,
      marked.length > 0 && [
        'Marked: ',
        marked.map((each, index) => [index > 0 && ' and ', foreignLine(nameOf(run, each), 40)]),
        ' ',
        pressable(['Compare ', el('kbd', { 'aria-hidden': 'true' }, 'c')], () => this.compareMarked()),
      ],
    );
  }

  compareMarked() {
    const { run } = this;
    const [a, b] = this.view.pair((run.statistics?.ranking || []).map((each) => each.variant));
    if (!a || !b) return announce('Mark a variant of the map to compare it');
    if (!hasPair(this.context.source, run, a, b))
      return announce(`This file does not have this pair; any two are compared by assay view ${run.run}`);
    openView(linkTo(['compare', `${run.run},${run.run}`], { a: keyOf(run, a), b: keyOf(run, b) }));
  }

  // ---- what the page of the run asks for

  async open() {
    const { context, run, view } = this;
    const { source, query } = context;
    const [bytes, bits] = await Promise.all([
      source.bytes(this.path('cells.bin')),
      source.bytes(this.path('cells.bin?layer=bits')).catch(() => null),
    ]);
    this.cells = new Cells(bytes.slice(), bits, run.cases, run.variants.length);
    this.fillNode();
    const told = await source.json(this.path('rows'));
    if (!context.isOpen()) return;
    this.rows = told.rows;
    this.fillOrders();
    this.build();
    this.drawLegend();
    if (view.filterText) this.filterBy(view.filterText);
    else this.refresh({ keep: false });
    if (this.offered.includes(query.layer)) await this.showLayer(query.layer, { isOpening: true });
    if (query.cell) this.chooseFromAddress(query.cell);
    else if (this.shown.length) this.peekAt(this.shown[0], this.columns[0]);
  }

  fillNode() {
    const { run } = this;
    const { field, tagBox, layerBox, orderBox, tally, twin, markedHost } = this;
    fill(
      this.node,
      el(
        'div.head',
        el('h2', `Where: ${counted(run.cases, 'case')} by ${counted(run.variants.length, 'variant')}`),
        this.hue,
      ),
      el('div.filters', { role: 'search' }, field, tagBox, layerBox, orderBox, tally, twin, markedHost),
      this.hint,
      this.legend,
      isNarrow() &&
        (run.statistics?.models || []).length > 0 &&
        el('p.mini.soft', 'One column a model: the mean of its variants.'),
      el('div.where-grid', this.host, this.peek.node),
    );
  }

  chooseFromAddress(cell) {
    const found = cellOfAddress(cell, this.rows, this.run.variants, this.columns);
    if (found) this.matrix.chooseRow(found.row, found.column);
  }

  refit() {
    if (!this.cells) return;
    if (this.columnsNow().length !== this.columns.length) {
      this.build();
      this.refresh({ keep: false });
    } else this.matrix.refit();
  }

  /** The mean of each tag's cells, the lowest first. */
  tagMeans() {
    return tagMeansOf(this.cells, this.rows, this.allColumns());
  }

  /** New cells of a run that goes on; the order of rows stays. @param {number[][]} changed
   * @param {boolean} [isWhole] whether all that came are listed */
  async heard(changed, isWhole = true) {
    const { cells } = this;
    if (!cells) return 0;
    if (!isWhole) await this.readAgain();
    for (const [row, column, , byte, bits] of changed) {
      if (row >= cells.rows || column >= cells.columns) continue;
      cells.set(row, column, byte);
      cells.setBits(row, column, bits || 0);
    }
    if (changed.length || !isWhole) {
      this.matrix.repaint();
      this.drawLegend();
    }
    return isWhole ? changed.length : 1;
  }

  async readAgain() {
    const { source } = this.context;
    const [scores, bits] = [this.path('cells.bin'), this.path('cells.bin?layer=bits')];
    source.forget(scores);
    source.forget(bits);
    this.cells.bytes.set(await source.bytes(scores));
    this.cells.bits.set(await source.bytes(bits));
  }
}

// What cells show; nothing where a run has scores alone.
function layerBoxOf(offered, chosen, choose) {
  if (offered.length === 0) return null;
  const box = el(
    'select.btn',
    { 'aria-label': 'What cells show', onchange: () => choose(box.value) },
    el('option', { value: '' }, 'scores'),
    offered.map((name) => el('option', { value: name, selected: chosen === name }, LAYERS[name].text)),
  );
  return box;
}

function tagBoxOf(tags, filterText, choose) {
  if (tags.length === 0) return null;
  const option = ({ tag, cases }) =>
    el('option', { value: tag, selected: filterText.includes(`tag:${tag}`) }, `${tag} (${cases})`);
  const box = el(
    'select.btn',
    { 'aria-label': 'Tag', onchange: () => choose(box.value) },
    el('option', { value: '' }, 'any tag'),
    tags.map(option),
  );
  return box;
}

// Whether two variants can be compared here: a file has some pairs.
function hasPair(source, run, a, b) {
  const [of, va, vb] = [run.run, a, b].map(encodeURIComponent);
  return source.has(`compare?a=${of}&b=${of}&va=${va}&vb=${vb}`);
}
