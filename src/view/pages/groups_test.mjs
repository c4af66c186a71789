// Tests of the tables of groups: what stands in which row.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { beside, dimensionsOf, rowsOf, titleOfDimension } from './groups.js';

const part = (mean, more = {}) => ({
  cases: 4,
  cases_left_out: 0,
  mean,
  interval: [0.3, 0.95],
  why: null,
  pass_rate: 0.5,
  ...more,
});
const entry = (by, variant, macro) => ({
  by,
  variant,
  groups: [
    { group: 'law', ...part(0.75) },
    { group: 'art', ...part(1) },
  ],
  micro: part(0.8),
  macro,
});

test('dimensions stand in the order of their tables, each once', () => {
  const groups = [entry('group', 'a'), entry('group', 'b'), entry('group.2', 'a'), entry('lang', 'a')];
  assert.deepEqual(dimensionsOf(groups), ['group', 'group.2', 'lang']);
  assert.deepEqual(dimensionsOf(undefined), []);
  assert.equal(titleOfDimension('lang'), 'By language');
  assert.equal(titleOfDimension('group.2'), 'By group.2');
});

test('groups come first, then micro, and macro where groups do not overlap', () => {
  const macro = { groups: 2, mean: 0.7, interval: null, why: 'one_case', pass_rate: 0.5 };
  const rows = rowsOf([entry('group', 'a', macro), entry('group', 'b', macro)]);
  assert.deepEqual(
    rows.map((row) => [row.name, row.numbers.map((each) => each.mean)]),
    [
      ['law', [0.75, 0.75]],
      ['art', [1, 1]],
      ['All cases (micro)', [0.8, 0.8]],
      ['Mean of groups (macro)', [0.7, 0.7]],
    ],
  );
  assert.equal(rowsOf([entry('tag', 'a', null)]).length, 3);
  assert.deepEqual(rowsOf([]), []);
});

test('what stands beside a mean says its interval, its pass rate and its size', () => {
  assert.equal(beside(part(0.75)), '30 to 95 · passed 50 % · 4 cases');
  assert.equal(beside(part(0.75, { cases_left_out: 2 })), '30 to 95 · passed 50 % · 4 cases (2 left out)');
  const macro = { groups: 2, mean: 0.7, interval: null, why: 'one_case', pass_rate: 0.5 };
  assert.equal(beside(macro), 'no interval: only one case · passed 50 % · 2 groups');
});
