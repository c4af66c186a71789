// What the map of a run shows for what the reader chose, without a browser.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cells } from './cells.js';
import { layerOf } from './layers.js';
import { allColumnsOf, columnsOfModels, levelNamesOf, unknownModels } from './where_columns.js';
import { firstLookOf } from './where_peek.js';
import { cellOfAddress, tagMeansOf, WhereView, withTag } from './where_view.js';

const variant = (id, model, levels) => ({ id, name: `${id} as shown`, model, levels });
const PLAIN = {
  variants: [variant('low', 'Oak'), variant('high', 'Elm')],
  statistics: { ranking: [{ variant: 'high' }, { variant: 'low' }] },
};
const WITH_MODELS = {
  variants: [
    variant('oak[short]', 'Oak', ['short']),
    variant('elm[short]', 'Elm', ['short']),
    variant('oak[long]', 'Oak', ['long']),
  ],
  factors: [{ name: 'length', values: ['short', 'long'], short: ['S', 'L'] }],
  statistics: {
    models: [
      { model: 'elm-1', variants: ['elm[short]'] },
      { model: 'oak-1', variants: ['oak[short]', 'oak[long]'] },
    ],
  },
};
const columnsOf = (columns) => columns.map((each) => each.columns);

describe('columns', () => {
  it('stand in the order of the ranking', () => {
    const columns = allColumnsOf(PLAIN, false);
    assert.deepEqual(columnsOf(columns), [[1], [0]]);
    assert.deepEqual(columns[0], {
      label: 'high as shown',
      name: 'high as shown',
      group: '',
      columns: [1],
      levels: [],
    });
  });

  it('stand by model, the best model first', () => {
    const columns = allColumnsOf(WITH_MODELS, false);
    assert.deepEqual(columnsOf(columns), [[1], [0], [2]]);
    assert.deepEqual(
      columns.map((each) => [each.group, ...each.levels]),
      [
        ['Elm', 'S'],
        ['Oak', 'S'],
        ['Oak', 'L'],
      ],
    );
  });

  it('are one a model on a phone, and have no levels there', () => {
    assert.deepEqual(columnsOf(allColumnsOf(WITH_MODELS, true)), [[1], [0, 2]]);
    assert.deepEqual(columnsOf(allColumnsOf(PLAIN, true)), [[1], [0]]);
    assert.deepEqual(levelNamesOf(WITH_MODELS, true), []);
    assert.deepEqual(levelNamesOf(WITH_MODELS, false), ['length']);
    assert.deepEqual(levelNamesOf(PLAIN, false), []);
  });

  it('are those of the models that a filter names; all where it names none', () => {
    const named = (...models) => columnsOf(columnsOfModels(WITH_MODELS, models, false));
    assert.deepEqual(named('oak'), [[0], [2]]);
    assert.deepEqual(named('ash'), [[1], [0], [2]]);
    assert.deepEqual(named(), [[1], [0], [2]]);
  });

  it('say which models of a filter nobody knows', () => {
    assert.deepEqual(unknownModels(PLAIN, ['oak', 'ash'], allColumnsOf(PLAIN, false)), ['ash']);
  });
});

describe('the view', () => {
  const spread = layerOf('spread', Uint8Array.from([0, 100, 200, 0]), 2);

  it('takes from the address what may stand there', () => {
    const view = new WhereView({ q: 'tag:frost', order: 'split', as: 'table', bins: '0,3,9,x' });
    assert.equal(view.filterText, 'tag:frost');
    assert.equal(view.order, 'split');
    assert.equal(view.asTable, true);
    assert.deepEqual([...view.bins], [0, 3]);
    assert.equal(new WhereView({}).order, 'hard');
  });

  it('is filtered by words or by steps', () => {
    assert.equal(new WhereView({}).isFiltered(), false);
    assert.equal(new WhereView({ q: 'frost' }).isFiltered(), true);
    assert.equal(new WhereView({ bins: '2' }).isFiltered(), true);
  });

  it('goes through the orders; the first is left out of the address', () => {
    const view = new WhereView({});
    assert.equal(view.orderInAddress(), '');
    assert.equal(view.turnOrder(), 'most disagreement first');
    assert.equal(view.orderInAddress(), 'split');
    view.turnOrder();
    assert.equal(view.turnOrder(), 'hardest first');
  });

  it('has an order of a layer only while one is shown', () => {
    const view = new WhereView({ order: 'layer' });
    assert.equal(view.orders().length, 3);
    view.setLayer(spread);
    assert.equal(view.order, 'layer');
    assert.deepEqual(view.orders()[3], ['layer', 'widest first']);
    view.setLayer(null);
    assert.equal(view.order, 'hard');
  });

  it('keeps steps that are pressed, in order in the address', () => {
    const view = new WhereView({});
    view.toggleBin(5);
    view.toggleBin(1);
    assert.equal(view.binsInAddress(), '1,5');
    view.toggleBin(5);
    assert.equal(view.binsInAddress(), '1');
  });

  it('compares the last two that were marked, or one with the first of the ranking', () => {
    const view = new WhereView({});
    assert.deepEqual(view.pair(['a', 'b']), []);
    view.toggleMark('a');
    assert.deepEqual(view.pair(['a', 'b']), ['a', 'b']);
    view.toggleMark('c');
    view.toggleMark('d');
    assert.deepEqual(view.pair(['a', 'b']), ['c', 'd']);
    view.toggleMark('c');
    assert.deepEqual(view.marked, ['d']);
  });

  it('shows the rows that its filter keeps, in its order', () => {
    const cells = new Cells(Uint8Array.from([200, 200, 0, 200, 100, 100]), null, 3, 2);
    const rows = [{ id: 'easy' }, { id: 'apart', tags: ['frost'] }, { id: 'half', tags: ['frost'] }];
    const shown = (query) => new WhereView(query).shownOf(cells, rows, [0, 1]);
    assert.deepEqual(shown({}), [1, 2, 0]);
    assert.deepEqual(shown({ order: 'split' }), [1, 0, 2]);
    assert.deepEqual(shown({ order: 'suite' }), [0, 1, 2]);
    assert.deepEqual(shown({ q: 'tag:frost', order: 'suite' }), [1, 2]);
    assert.deepEqual(shown({ bins: '0' }), [1]);
  });
});

describe('a tag', () => {
  it('takes the place of another in the filter', () => {
    assert.equal(withTag('', 'frost'), 'tag:frost');
    assert.equal(withTag('late tag:rain state:error', 'frost'), 'late state:error tag:frost');
    assert.equal(withTag('tag:"two words" late', 'late frost'), 'late tag:"late frost"');
    assert.equal(withTag('late tag:rain', ''), 'late');
  });

  it('has the mean of its cases; the lowest is first, a case without a score does not count', () => {
    const cells = new Cells(Uint8Array.from([200, 100, 251]), null, 3, 1);
    const rows = [{ tags: ['rain'] }, { tags: ['frost', 'rain'] }, { tags: ['frost'] }];
    assert.deepEqual(tagMeansOf(cells, rows, [0]), [
      { tag: 'frost', cases: 1, mean: 0.5 },
      { tag: 'rain', cases: 2, mean: 0.75 },
    ]);
  });
});

describe('the cell of an address', () => {
  const rows = [{ id: 'one' }, { id: 'two, and more' }];
  const variants = [{ id: 'oak', key: 'o' }, { id: 'elm' }];
  const found = (cell) => cellOfAddress(cell, rows, variants, [{ columns: [1] }, { columns: [0] }]);

  it('is a case and a variant, by its key or its id', () => {
    assert.deepEqual(found('one,o'), { row: 0, column: 1 });
    assert.deepEqual(found('two, and more,elm'), { row: 1, column: 0 });
  });

  it('is in the first column where no such variant is, and nowhere where no such case is', () => {
    assert.deepEqual(found('one,ash'), { row: 0, column: 0 });
    assert.equal(found('three,elm'), null);
  });
});

describe('the first look at a cell', () => {
  it('is at an error, at the lowest points and the last turn', () => {
    const points = [0.9, null, 0.2, 1, 0.5, 0.7].map((score) => ({ score }));
    const { error, lowest, last } = firstLookOf([
      { state: 'scored', points, turns: [{ text: 'first' }, { text: 'last' }] },
      { state: 'error', error: 'no answer' },
    ]);
    assert.equal(error, 'no answer');
    assert.deepEqual(
      lowest.map((point) => point.score),
      [null, 0.2, 0.5, 0.7, 0.9],
    );
    assert.equal(last.text, 'last');
  });

  it('is at an attempt without points where no other is', () => {
    assert.deepEqual(firstLookOf([{ state: 'pending' }]), { error: undefined, lowest: [], last: undefined });
  });
});
