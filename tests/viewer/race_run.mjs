// A run of the fixture that was stopped once its question was decided, with its race.
import { seeded } from './fixture.mjs';
import { small } from './more_runs.mjs';

const CASES = 400;
const SKIPPED = 253; // the byte of a cell that nobody asked
const TREES = [
  { name: 'Alder 2', right: 0.94, gap: 0, after: null, cases: 150 },
  { name: 'Birch 1', right: 0.81, gap: 0.12, after: 150, cases: 150 },
  { name: 'Cedar 3', right: 0.76, gap: 0.21, after: 70, cases: 70 },
  { name: 'Hazel', right: 0.7, gap: 0.25, after: 50, cases: 50 },
  { name: 'Rowan mini', right: 0.65, gap: 0.26, after: 40, cases: 40 },
];
const idOf = (tree) => tree.name.toLowerCase().replace(/ /g, '-');

// Bounds that narrow until the upper one falls below zero at the tree's last look.
function boundsOf(tree, random) {
  const points = [];
  for (let cases = 10; cases <= tree.cases; cases += 10) {
    const wide = (tree.gap - 0.008) * Math.sqrt(tree.cases / cases),
      luck = cases === tree.cases ? 0 : (random() - 0.5) * 0.04;
    points.push([cases, Math.max(-1, luck - tree.gap - wide * 1.1), Math.min(1, luck - tree.gap + wide)]);
  }
  return points;
}

/** @returns {any} */
export function raceRun() {
  const random = seeded(23);
  const variants = TREES.map((tree) => ({ id: idOf(tree), name: tree.name }));
  const places = Array.from({ length: CASES }, random);
  const order = places.map((_, at) => at).sort((a, b) => places[a] - places[b]);
  const turnOf = new Map(order.map((row, turn) => [row, turn]));
  const rows = Array.from({ length: CASES }, (_, at) => ({
    id: `letter-${at + 1}`,
    title: `A letter of ${1 + (at % 28)} May gives you ${14 + (at % 5) * 7} days. Which day is the last?`,
    tags: ['time-limits'],
    weight: 1,
    checks: ['contains'],
    points: 1,
  }));
  const values = rows.map((_, row) =>
    TREES.map((tree) => ((turnOf.get(row) ?? 0) >= tree.cases ? SKIPPED : random() < tree.right ? 200 : 0)),
  );
  const made = small('race', 'Time limits', variants, rows, values);
  const ranking = TREES.map((tree, at) => ({
    variant: idOf(tree),
    rank: at ? 2 : 1,
    rank_last: at ? TREES.length : 1,
    can_rank: true,
    mean: tree.right,
    interval: [tree.right - 1.1 / Math.sqrt(tree.cases), Math.min(1, tree.right + 0.6 / Math.sqrt(tree.cases))],
    why: null,
    cases: tree.cases,
    cases_left_out: 0,
    pass_rate: tree.right,
    pass_interval: null,
    to_leader: null,
  }));
  const lines = TREES.map((tree) => ({
    variant: idOf(tree),
    points: tree.after ? boundsOf(tree, random) : [],
    after: tree.after,
    by: tree.after ? idOf(TREES[0]) : null,
  }));
  const asked = '150 of 400 cases were asked (Rowan mini after 40, Hazel after 50, Cedar 3 after 70).';
  const done = TREES.reduce((sum, tree) => sum + tree.cases, 0);
  made.run = {
    ...made.run,
    command: 'assay run time-limits.yml --until decided',
    stopped: 'decided',
    asked_part: '150 of 400 cases (stopped: decided)',
    done,
    races: [{ question: 'decided', kind: 'race', cases: CASES, step: 0, lines }],
    variants: made.run.variants.map((each, at) => ({
      ...each,
      mean: TREES[at].right,
      scored: TREES[at].cases,
      skipped: CASES - TREES[at].cases,
    })),
    statistics: { ...made.run.statistics, ranking },
    verdict: [
      {
        about: 'variants',
        text: `Alder 2 is first on this suite: with 95 % certainty the whole suite of 400 cases would say the same. It is ahead of Birch 1 by 1 to 22 points there; on other cases of this kind that is not shown (−1 to 24 points). ${asked}`,
      },
    ],
    trust: [{ ok: true, text: `${done} of 2000 cells scored`, href: null }],
    hardest: rows.slice(0, 3).map((each) => ({ case: each.id, mean: 0.4 })),
  };
  return { ...made, caseOf: () => null };
}
