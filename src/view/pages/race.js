// The race of a run that stops once its question is decided: bounds over the number of cases, and where a variant was
// dropped.
import { el, foreignLine, section, sideways, table } from './dom.js';
import { axisAround, axisOf, isNarrow, roundTicks, tickText } from './chart.js';
import { count, counted, pointDigits, points, range, signedPoints } from './format.js';
import { nameOf } from './run_frame.js';

const COLORS = 6; // of lines, in pages.css; the seventh has the first one's colour, and is dashed
const CHARACTER = 7; // pixels of a label, about
const LANE = 17;
const LEFT = 40;
const BELOW = 24;
const NAME_MAX = 40;

/** @typedef {{variant: string, points: number[][], after: any, by: any}} RaceLine */
/** @typedef {{question: string, kind: string, cases: number, step: any, lines: RaceLine[]}} RaceChart */

/** Where the last look of a chart was. @param {RaceChart} chart */
export function endOf(chart) {
  return Math.max(0, ...chart.lines.flatMap((line) => line.points.map((point) => point[0])));
}

/** What a line is about. @param {RaceChart} chart @param {RaceLine} line @param {(variant: string) => string} name */
export function lineName(chart, line, name) {
  return chart.kind === 'pair' ? `${name(line.variant)} \u2212 ${name(line.by)}` : name(line.variant);
}

/** What became of a line, in words. @param {RaceChart} chart @param {RaceLine} line
 * @param {(variant: string) => string} name */
export function lineState(chart, line, name) {
  if (chart.kind === 'race') {
    if (line.after !== null) {
      const cases = counted(line.after, 'case');
      return line.by === null ? `given up after ${cases}` : `dropped after ${cases}: ${name(line.by)} leads it`;
    }
    return chart.lines.filter((each) => each.after === null).length === 1 ? 'first' : 'in the race';
  }
  if (line.after === null) return 'open';
  const after = `after ${counted(line.after, 'case')}`;
  if (chart.kind !== 'gate') return `decided ${after}`;
  const [, , high] = line.points[line.points.length - 1] || [0, 0, 0];
  return high < chart.step ? `regression, decided ${after}` : `no regression, decided ${after}`;
}

/** Labels side by side, in as few lanes as they need: each gets a lane and the side that it stands at.
 * @param {{x: number, text: string}[]} labels @param {number} width */
export function lanesOf(labels, width) {
  /** @type {number[]} */
  const ends = []; // of each lane: where its last label ends
  const placed = labels
    .map((label, index) => {
      const size = label.text.length * CHARACTER;
      const isLeft = label.x + size > width;
      return { ...label, index, isLeft, from: isLeft ? label.x - size : label.x, size, lane: 0 };
    })
    .sort((a, b) => a.from - b.from);
  for (const label of placed) {
    let lane = ends.findIndex((end) => end <= label.from);
    if (lane < 0) lane = ends.push(0) - 1;
    ends[lane] = label.from + label.size + CHARACTER;
    label.lane = lane;
  }
  return { labels: placed.sort((a, b) => a.index - b.index), lanes: ends.length };
}

const path = (places) => places.map(([x, y], at) => `${at ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/**
 * Where everything of a chart stands.
 * @param {RaceChart} chart @param {(variant: string) => string} name
 * @param {{width: number, height: number}} room of the whole, and of the lines alone
 */
export function raceLayout(chart, name, { width, height }) {
  const x = axisOf(0, chart.cases, width - LEFT, roundTicks(0, chart.cases, width < 500 ? 4 : 8), 8);
  const known = chart.lines.filter((line) => line.points.length > 0);
  const values = known.flatMap((line) => line.points.flatMap((point) => point.slice(1)));
  const y = axisAround(chart.step === null ? values : [...values, chart.step], height, { most: 6 });
  const across = (cases) => LEFT + x(cases);
  const marks = known.map((line) => {
    const last = line.points[line.points.length - 1];
    return { x: across(last[0]), text: labelText(lineName(chart, line, name), line) };
  });
  const { labels, lanes } = lanesOf(marks, width);
  const top = lanes * LANE + 4;
  const down = (value) => top + height - y(value);
  const lines = known.map((line, at) => {
    const upper = line.points.map((point) => [across(point[0]), down(point[2])]);
    const lower = line.points.map((point) => [across(point[0]), down(point[1])]);
    return {
      variant: line.variant,
      color: chart.lines.indexOf(line) % COLORS,
      isDashed: chart.lines.indexOf(line) >= COLORS,
      upper: path(upper),
      lower: path(lower),
      band: `${path([...upper, ...[...lower].reverse()])}Z`,
      mark: upper[upper.length - 1],
      isEnded: line.after !== null,
      label: { ...labels[at], y: labels[at].lane * LANE + 12 },
    };
  });
  return { x, y, across, down, top, bottom: top + height, height: top + height + BELOW, lines };
}

function labelText(name, line) {
  const short = name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name;
  return line.after === null ? short : `${short} × ${count(line.after)}`;
}

function lineNodes(line) {
  const look = `race-${line.color}${line.isDashed ? '.dashed' : ''}`;
  const [x, y] = line.mark;
  return el(
    `g.${look}`,
    el('path.band', { d: line.band }),
    el('path.lower', { d: line.lower }),
    el('path.upper', { d: line.upper }),
    el('line.pole', { x1: x, x2: x, y1: line.label.y + 4, y2: y }),
    line.isEnded
      ? el('path.cross', { d: `M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x - 4} ${y + 4}L${x + 4} ${y - 4}` })
      : el('circle.end', { cx: x, cy: y, r: 3.5 }),
    el(
      'text.named',
      { x: line.label.isLeft ? x : x - 4, y: line.label.y, 'text-anchor': line.label.isLeft ? 'end' : 'start' },
      line.label.text,
    ),
  );
}

function raceSvg(chart, name, room, label) {
  const layout = raceLayout(chart, name, { width: room, height: isNarrow() ? 200 : 240 });
  const { across, down, top, bottom } = layout;
  const end = across(endOf(chart));
  const write = tickText(layout.y, chart.kind === 'level' ? points : signedPoints);
  const right = across(chart.cases);
  return el(
    'svg.race',
    { width: room, height: layout.height, viewBox: `0 0 ${room} ${layout.height}`, role: 'img', 'aria-label': label },
    end < right - 1 && el('rect.unasked', { x: end, y: top, width: right - end, height: bottom - top }),
    right - end > 90 &&
      el('text', { x: (end + right) / 2, y: bottom - 8, 'text-anchor': 'middle' }, 'not asked'),
    layout.y.ticks.map((tick) => [
      el('line.grid-line', { x1: LEFT, x2: right, y1: down(tick), y2: down(tick) }),
      el('text', { x: LEFT - 6, y: down(tick) + 4, 'text-anchor': 'end' }, write(tick)),
    ]),
    layout.x.ticks.map((tick) =>
      el('text', { x: across(tick), y: bottom + 16, 'text-anchor': 'middle' }, count(tick)),
    ),
    chart.step !== null && el('line.zero', { x1: LEFT, x2: right, y1: down(chart.step), y2: down(chart.step) }),
    layout.lines.map(lineNodes),
  );
}

const TITLES = {
  race: ['The race', 'how far each may be ahead of the leader, in points: below 0, it is dropped'],
  pair: ['The question', 'the difference of both, in points'],
  level: ['The means', 'where each may lie, in points'],
  gate: ['The gate', 'how far each may be ahead of its base, in points: below the line, it is a regression'],
};

/** The option that asked. @param {RaceChart} chart */
export function askedBy(chart) {
  return chart.kind === 'gate' ? `--fail-on-regression ${chart.lines[0].by}` : `--until ${chart.question}`;
}

function boundsTable(chart, name) {
  return table(
    ['Variant', { text: 'Cases', class: 'number' }, { text: '95 %, last look', class: 'number' }, 'State'],
    chart.lines.map((line) => {
      const last = line.points[line.points.length - 1];
      const bounds = last && [last[1], last[2]];
      return [
        el('th.name', { scope: 'row' }, foreignLine(lineName(chart, line, name), 60)),
        el('td.number', last ? count(last[0]) : '–'),
        el('td.number', bounds ? range(bounds, pointDigits(bounds), chart.kind !== 'level') : '–'),
        el('td', foreignLine(lineState(chart, line, name), 120)),
      ];
    }),
  );
}

/** What a picture of a chart says in words. @param {RaceChart} chart @param {(variant: string) => string} name */
export function raceWords(chart, name) {
  const states = chart.lines.map((line) => `${lineName(chart, line, name)}: ${lineState(chart, line, name)}`);
  return `Bounds over ${count(endOf(chart))} of ${counted(chart.cases, 'case')}. ${states.join('; ')}`;
}

/** A section for each question that may end the run early. @param {any} run @param {number} room */
export function raceSections(run, room) {
  const name = (variant) => nameOf(run, variant);
  return (run.races || []).map((chart) => {
    const [title, note] = TITLES[chart.kind] || TITLES.race;
    return section(title, [note, ' · ', el('code', foreignLine(askedBy(chart), 60))], [
      raceSvg(chart, name, room, raceWords(chart, name)),
      el(
        'p.mini.soft.note',
        `Across: cases that were looked at, of ${count(chart.cases)}. `,
        'The bounds hold with 95 % whenever the run ends. ',
        chart.kind === 'race' ? '× marks where a variant was dropped.' : '× marks where the question was decided.',
      ),
      el('details.small', el('summary', 'As a table'), sideways(title, boundsTable(chart, name))),
    ]);
  });
}
