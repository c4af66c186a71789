// Charts in SVG: a dot with its interval on a shared axis, rows of ticks, small histories.
import { el } from './dom.js';

/** @typedef {((value: number) => number) & {from: number, to: number, ticks: number[]}} Axis */

/**
 * Values to pixels.
 * @param {number} from @param {number} to @param {number} width @param {number[]} ticks @returns {Axis}
 */
export function axisOf(from, to, width, ticks, pad = 6) {
  const place = (value) => pad + ((value - from) / (to - from || 1)) * (width - 2 * pad);
  return Object.assign(place, { from, to, ticks });
}

/** Round ticks between two values, at most about `most` of them. @param {number} from @param {number} to */
export function roundTicks(from, to, most = 8) {
  const rough = (to - from) / Math.max(1, most);
  const size = 10 ** Math.floor(Math.log10(rough || 1));
  const step = [1, 2, 5, 10].map((each) => each * size).find((each) => each >= rough * (1 - 1e-9)) || size;
  const ticks = [];
  for (let tick = Math.ceil(from / step - 1e-9) * step; tick <= to + step * 1e-9; tick += step) {
    ticks.push(Number(tick.toPrecision(10)));
  }
  return ticks;
}

/** An axis cut to the data: its ends are round ticks. @param {number[]} values @param {number} width */
export function axisAround(values, width, { most = 8, low = -Infinity, high = Infinity, pad = 8 } = {}) {
  const known = values.filter(Number.isFinite);
  let from = Math.min(...known),
    to = Math.max(...known);
  if (known.length === 0) [from, to] = [0, 1];
  if (to - from < 1e-9) [from, to] = [from - 0.05, to + 0.05];
  const ticks = roundTicks(from, to, most);
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : (to - from) / 2;
  from = Math.max(low, Math.floor(from / step + 1e-9) * step);
  to = Math.min(high, Math.ceil(to / step - 1e-9) * step);
  return axisOf(from, to, width, roundTicks(from, to, most), pad);
}

/** The numbers above an axis. @param {Axis} axis @param {number} width @param {(value: number) => string} text */
export function axisRow(axis, width, text) {
  return el(
    'svg.axis',
    { width, height: 14, viewBox: `0 0 ${width} 14`, 'aria-hidden': 'true' },
    axis.ticks.map((tick) => el('text', { x: axis(tick), y: 11, 'text-anchor': 'middle' }, text(tick))),
  );
}

function gridLines(axis, height, zero) {
  return axis.ticks.map((tick) =>
    el(tick === zero ? 'line.zero' : 'line.grid-line', { x1: axis(tick), x2: axis(tick), y1: 0, y2: height }),
  );
}

/**
 * A dot with its 95 % interval. What lies beyond the axis is an arrow; `hollow` says that zero is not ruled out.
 * @param {Axis} axis
 * @param {{value: any, interval?: any, width: number, height?: number, label: string, zero?: number, hollow?: boolean,
 *   alone?: number[]}} of
 */
export function dotPlot(axis, of) {
  const { value, interval, width, height = 22, label, zero, hollow, alone } = of;
  const y = height / 2;
  const inside = (each) => Math.max(axis.from, Math.min(axis.to, each));
  const hasInterval = interval && Number.isFinite(interval[0]) && Number.isFinite(interval[1]);
  return el(
    hollow ? 'svg.unclear' : 'svg.clear',
    { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
    gridLines(axis, height, zero),
    !hasInterval &&
      alone &&
      alone.map((each) =>
        el('line.alone', { x1: axis(inside(each)), x2: axis(inside(each)), y1: y - 5, y2: y + 5 }),
      ),
    hasInterval &&
      el('line.interval', { x1: axis(inside(interval[0])), x2: axis(inside(interval[1])), y1: y, y2: y }),
    hasInterval && interval[0] < axis.from && arrow(axis(axis.from), y, -1),
    hasInterval && interval[1] > axis.to && arrow(axis(axis.to), y, 1),
    Number.isFinite(value) && el('circle.dot', { cx: axis(inside(value)), cy: y, r: 4.5 }),
  );
}

function arrow(x, y, direction) {
  return el('path.arrow', {
    d: `M${x - 4 * direction} ${y - 4}L${x + 2 * direction} ${y}L${x - 4 * direction} ${y + 4}`,
  });
}

/**
 * Tokens in, of them those from a provider's cache, and tokens out, as one bar.
 * @param {{input: any, cached: any, output: any}} used @param {{most: number, width: number}} of
 */
export function tokenBar({ input, cached, output }, { most, width }) {
  const x = (tokens) => ((tokens || 0) / most) * width;
  return el(
    'svg',
    { width: width + 8, height: 20, viewBox: `0 0 ${width + 8} 20`, 'aria-hidden': 'true' },
    el('rect.tokens-in', { x: 0, y: 5, width: x(input), height: 10 }),
    cached > 0 && el('rect.tokens-cached', { x: 0.5, y: 5.5, width: x(cached), height: 9 }),
    el('rect.tokens-out', { x: x(input) + 2, y: 5, width: Math.max(1, x(output)), height: 10 }),
  );
}

/**
 * Means over time, newest at the right; the last is filled where its step is clear.
 * @param {{mean: number, interval?: any, at: number}[]} steps @param {{width: number, height: number, label: string,
 *   clear?: boolean}} of
 */
export function historyPlot(steps, { width, height, label, clear }) {
  const values = steps.flatMap((step) => [step.mean, ...(step.interval || [])]).filter(Number.isFinite);
  const low = Math.min(...values),
    high = Math.max(...values),
    span = high - low || 0.1;
  const first = steps.length ? steps[0].at : 0,
    last = steps.length ? steps[steps.length - 1].at : 1;
  const x = (at) => (last === first ? width / 2 : 8 + ((at - first) / (last - first)) * (width - 16));
  const y = (value) => height - 8 - ((value - low) / span) * (height - 16);
  return el(
    'svg',
    { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
    el('line.grid-line', { x1: 0, x2: width, y1: height - 1, y2: height - 1 }),
    steps.map((step, index) =>
      el(
        clear && index === steps.length - 1 ? 'g.clear' : 'g.unclear',
        step.interval &&
          el('line.interval', { x1: x(step.at), x2: x(step.at), y1: y(step.interval[0]), y2: y(step.interval[1]) }),
        el('circle.dot', { cx: x(step.at), cy: y(step.mean), r: 3.5 }),
      ),
    ),
  );
}

/** How a tick of points is written: with a digit where steps are less than a point. @param {Axis} axis
 * @param {(value: number, digits: number) => string} write */
export function tickText(axis, write) {
  const step = axis.ticks.length > 1 ? axis.ticks[1] - axis.ticks[0] : 1;
  return (value) => write(value, step < 0.00999 ? 1 : 0);
}

/** The width that a chart may have in an element. @param {any} host @param {number} least @param {number} most */
export function roomFor(host, least, most) {
  return Math.max(least, Math.min(most, host.clientWidth || least));
}

/** @param {number} width */
export function isNarrow(width = 599) {
  return matchMedia(`(max-width: ${width}px)`).matches;
}

/** Draws again once the window has its new width. @param {import('./main.js').PageContext} context
 * @param {() => void} draw */
export function onResize(context, draw) {
  let waiting;
  const refit = () => {
    clearTimeout(waiting);
    waiting = setTimeout(draw, 120);
  };
  addEventListener('resize', refit);
  document.addEventListener('theme', refit);
  context.onLeave(() => {
    clearTimeout(waiting);
    removeEventListener('resize', refit);
    document.removeEventListener('theme', refit);
  });
}
