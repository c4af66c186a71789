// Where the lines of a race stand, and what is said of them, without a browser.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askedBy, endOf, lanesOf, lineName, lineState, raceLayout, raceWords } from './race.js';

const line = (variant, points, after = null, by = null) => ({ variant, points, after, by });
const RACE = {
  question: 'decided',
  kind: 'race',
  cases: 400,
  step: 0,
  lines: [
    line('oak', []),
    line('elm', [
      [10, -0.6, 0.3],
      [40, -0.3, -0.01],
    ], 40, 'oak'),
    line('ash', [
      [10, -0.5, 0.4],
      [40, -0.3, 0.1],
      [150, -0.2, -0.01],
    ], 150, 'oak'),
    line('fir', [[10, -0.5, 0.4]], 12),
  ],
};
const name = (variant) => variant.toUpperCase();

describe('a race', () => {
  it('ends at its last look', () => {
    assert.equal(endOf(RACE), 150);
    assert.equal(endOf({ ...RACE, lines: [line('oak', [])] }), 0);
  });

  it('says what became of each', () => {
    assert.deepEqual(
      RACE.lines.map((each) => lineState(RACE, each, name)),
      [
        'first',
        'dropped after 40 cases: OAK leads it',
        'dropped after 150 cases: OAK leads it',
        'given up after 12 cases',
      ],
    );
    const open = { ...RACE, lines: [line('oak', []), line('elm', [[10, -1, 1]])] };
    assert.deepEqual(
      open.lines.map((each) => lineState(open, each, name)),
      ['in the race', 'in the race'],
    );
    assert.equal(lineState({ ...RACE, kind: 'level' }, line('oak', [], 30), name), 'decided after 30 cases');
    assert.equal(lineState({ ...RACE, kind: 'pair' }, line('oak', []), name), 'open');
    assert.equal(lineName({ ...RACE, kind: 'pair' }, line('oak', [], 30, 'elm'), name), 'OAK − ELM');
    assert.match(raceWords(RACE, name), /^Bounds over 150 of 400 cases\. OAK: first; ELM: dropped after 40 cases/);
  });

  it('draws each variant that was compared, with the bounds one above the other', () => {
    const layout = raceLayout(RACE, name, { width: 800, height: 200 });
    assert.deepEqual(
      layout.lines.map((each) => [each.variant, each.isEnded, each.label.text]),
      [
        ['elm', true, 'ELM × 40'],
        ['ash', true, 'ASH × 150'],
        ['fir', true, 'FIR × 12'],
      ],
    );
    assert.ok(layout.down(0.1) < layout.down(0), 'better is higher');
    assert.ok(layout.across(40) < layout.across(150), 'more cases are further right');
    assert.ok(layout.lines[0].mark[1] > layout.down(0), 'who is dropped ends below zero');
    assert.equal(layout.lines[1].upper.match(/[ML]/g)?.length, 3);
    assert.ok(layout.lines.every((each) => !/NaN/.test(each.band)));
  });

  it('gives each line a look of its own', () => {
    const many = { ...RACE, lines: Array.from({ length: 10 }, (_, at) => line(`v${at}`, [[10, -0.5, at / 10]])) };
    const looks = raceLayout(many, name, { width: 800, height: 200 }).lines.map((each) => `${each.color}${each.isDashed}`);
    assert.equal(new Set(looks).size, 10);
  });
});

describe('a gate', () => {
  const gate = {
    question: 'gate',
    kind: 'gate',
    cases: 300,
    step: -0.02,
    lines: [
      line('oak', [[10, -0.4, 0.5], [90, -0.01, 0.2]], 90, 'run-1'),
      line('elm', [[10, -0.5, 0.4], [60, -0.3, -0.05]], 60, 'run-1'),
      line('ash', [[10, -0.3, 0.3]], null, 'run-1'),
    ],
  };

  it('says of each whether it fell below the margin', () => {
    assert.deepEqual(
      gate.lines.map((each) => lineState(gate, each, name)),
      ['no regression, decided after 90 cases', 'regression, decided after 60 cases', 'open'],
    );
    assert.equal(lineName(gate, gate.lines[0], name), 'OAK');
    assert.equal(askedBy(gate), '--fail-on-regression run-1');
    assert.equal(askedBy(RACE), '--until decided');
    assert.match(raceWords(gate, name), /^Bounds over 90 of 300 cases\. OAK: no regression, decided after 90 cases;/);
  });

  it('has the margin among its values, and who fell below it', () => {
    const layout = raceLayout({ ...gate, lines: [gate.lines[1]] }, name, { width: 800, height: 200 });
    const margin = layout.down(gate.step);
    assert.ok(margin > layout.top && margin < layout.bottom, 'the margin is drawn');
    assert.ok(layout.lines[0].mark[1] > margin, 'a regression ends below it');
    const passed = raceLayout(gate, name, { width: 800, height: 200 });
    assert.ok(Number(passed.lines[0].lower.split(/[ML ]/).pop()) < passed.down(gate.step), 'no regression: above it');
  });
});

describe('labels of a race', () => {
  it('share a lane where they have room, and stand left of where there is none', () => {
    const { labels, lanes } = lanesOf(
      [
        { x: 100, text: 'elm × 40' },
        { x: 110, text: 'ash × 44' },
        { x: 400, text: 'fir × 150' },
        { x: 590, text: 'a long name × 390' },
      ],
      600,
    );
    assert.equal(lanes, 2);
    assert.deepEqual(
      labels.map((each) => [each.lane, each.isLeft]),
      [
        [0, false],
        [1, false],
        [0, false],
        [0, true],
      ],
    );
  });
});
