// What the reader chose on the other pages, without a browser.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CaseView } from './page_case.js';
import { FlipView } from './page_compare.js';
import { DocumentView } from './page_document.js';
import { firstUnit } from './page_run.js';
import { RunList } from './page_runs.js';
import { nextEvent } from './timeline.js';

describe('a case', () => {
  const run = { variants: [{ id: 'oak', key: 'o' }, { id: 'elm' }, { id: 'ash' }] };

  it('leaves out of the address what has its default', () => {
    assert.deepEqual(new CaseView({}, 'oak', 'elm').inAddress(run), {
      a: 'o',
      b: 'elm',
      try: '',
      view: '',
      diff: '',
      raw: '',
    });
  });

  it('comes back from its address', () => {
    const query = { try: '2,3', view: 'attempts', diff: 'off', raw: '1' };
    assert.deepEqual(new CaseView(query, 'oak', 'elm').inAddress(run), { a: 'o', b: 'elm', ...query });
  });

  it('shows another variant from its first attempt on', () => {
    const view = new CaseView({ try: '2,3' }, 'oak', 'elm');
    view.put(1, 'ash');
    assert.deepEqual(view.shown(), ['oak', 'ash']);
    assert.deepEqual(view.attempts, [2, 1]);
  });

  it('goes through the attempts at the right, or of the only variant', () => {
    const two = new CaseView({}, 'oak', 'elm');
    two.step(1, 2);
    two.step(1, 2);
    assert.deepEqual(two.attempts, [1, 2]);
    const one = new CaseView({}, 'oak', null);
    one.step(1, 2);
    assert.deepEqual(one.attempts, [2, 1]);
    one.step(-5, 2);
    assert.deepEqual(one.attempts, [1, 1]);
  });
});

describe('a document', () => {
  const span = (kind, from, to) => ({ kind, from, to });
  const SPANS = [span('quoted', null, null), span('retrieved', 50, 80), span('needed', 10, 20), span('other', 1, 2)];
  const view = (query = {}) => new DocumentView(SPANS, query);

  it('numbers passages in the order of the text, those without a place last', () => {
    assert.deepEqual(
      view().spans.map((each) => [each.number, each.tag]),
      [
        [0, 'N1'],
        [1, 'R1'],
        [2, 'Q1'],
      ],
    );
  });

  it('chooses the passage of the address, or one that holds its beginning', () => {
    assert.equal(view({ at: '50-80' }).current, 1);
    assert.equal(view({ at: '60-70' }).current, 1);
    assert.deepEqual([view({ at: '900-910' }).current, view({ at: '900-910' }).isGone], [-1, true]);
    assert.deepEqual([view().current, view().isGone], [-1, false]);
  });

  it('goes from passage to passage, around the end', () => {
    const around = view({ at: '10-20' });
    assert.equal(around.stepped(1), 1);
    assert.equal(around.stepped(-1), 2);
    assert.equal(around.stepped(1, 'quoted'), 2);
    assert.equal(view().stepped(1), 0);
    assert.equal(view().stepped(-1), 2);
  });

  it('goes through the kinds that are chosen alone', () => {
    const some = view({ kinds: 'needed', at: '10-20' });
    assert.equal(some.stepped(1), 0);
    assert.equal(some.stepped(1, 'quoted'), null);
    assert.equal(some.kindsInAddress(), 'needed');
    some.toggle('retrieved');
    some.toggle('quoted');
    assert.equal(some.kindsInAddress(), '');
  });
});

describe('flips', () => {
  const pairs = (...flips) => flips.map((flip, at) => ({ case: `case-${at}`, flip }));

  it('are first those that were lost, then those that were won', () => {
    assert.equal(new FlipView(pairs('kept', 'won', 'lost'), {}).flip, 'lost');
    assert.equal(new FlipView(pairs('kept', 'won'), {}).flip, 'won');
    assert.equal(new FlipView(pairs('failing'), {}).flip, 'kept');
  });

  it('are those of the address where it names some', () => {
    assert.equal(new FlipView(pairs('lost'), { flips: 'failing' }).flip, 'failing');
    assert.equal(new FlipView(pairs('lost'), { flips: 'constructor' }).flip, 'lost');
  });

  it('close the open case when others are chosen', () => {
    const view = new FlipView(pairs('lost', 'won'), {});
    view.toggleCase('case-0');
    assert.equal(view.opened, 'case-0');
    view.choose(view.next());
    assert.deepEqual([view.flip, view.opened], ['won', '']);
    view.toggleCase('case-1');
    view.toggleCase('case-1');
    assert.equal(view.opened, '');
  });
});

describe('the list of runs', () => {
  const run = (id, suite, state = 'finished') => ({ run: id, suite, state, title: suite });
  const told = { runs: [run('3', 'garden', 'live'), run('2', 'almanac')], next: '2', count: 5 };

  it('is filtered by words and keys', () => {
    const shown = (q) => new RunList(told, { q }).shown().map((each) => each.run);
    assert.deepEqual(shown('garden'), ['3']);
    assert.deepEqual(shown('suite:almanac'), ['2']);
    assert.deepEqual(shown('state:live garden'), ['3']);
    assert.deepEqual(shown('nowhere'), []);
  });

  it('has the marked runs in the order of the list', () => {
    const list = new RunList(told, { mark: '2,1' });
    list.toggleMark('3');
    assert.deepEqual(
      list.markedRuns().map((each) => each.run),
      ['3', '2'],
    );
    list.toggleMark('2');
    assert.deepEqual([...list.marked], ['1', '3']);
  });

  it('takes in older runs behind, and newer ones in front', () => {
    const list = new RunList(told, {});
    list.addOlder({ runs: [run('1', 'garden')], next: null });
    list.renew({ runs: [run('4', 'garden', 'live'), run('3', 'garden'), run('2', 'almanac')], count: 6 });
    assert.deepEqual(
      list.runs.map((each) => each.run),
      ['4', '3', '2', '1'],
    );
    assert.deepEqual(
      list.live().map((each) => each.run),
      ['4'],
    );
    assert.deepEqual([list.count(), list.next], [6, null]);
  });
});

describe('a ranking', () => {
  it('is of models where the address or the verdict says so, and there are some', () => {
    const models = { statistics: { models: [{}] } };
    assert.equal(firstUnit(models, { unit: 'models' }), 'models');
    assert.equal(firstUnit({ ...models, verdict: [{ about: 'models' }] }, {}), 'models');
    assert.equal(firstUnit({ ...models, verdict: [{ about: 'models' }] }, { unit: 'variants' }), 'variants');
    assert.equal(firstUnit({}, { unit: 'models' }), 'variants');
  });
});

describe('a timeline', () => {
  const events = ['model', 'error', 'read', 'error'].map((kind) => ({ kind }));
  const next = (from, kind) => nextEvent(events, from, (each) => each.kind === kind);

  it('goes to the next event of a kind, around the end', () => {
    assert.equal(next(0, 'error'), 1);
    assert.equal(next(1, 'error'), 3);
    assert.equal(next(3, 'error'), 1);
    assert.equal(next(2, 'read'), 2);
    assert.equal(next(0, 'write'), -1);
  });
});
