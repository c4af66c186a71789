// Numbers, times and sums as the pages write them.

const MINUS = '\u2212';
const NUMBER = new Intl.NumberFormat('en');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'June', 'July', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/** @param {any} value */
export function isNumber(value) {
  return typeof value === 'number' && Number.isFinite(value);
}

/** 12,345 @param {number} value */
export function count(value) {
  return isNumber(value) ? NUMBER.format(value).replace('-', MINUS) : '–';
}

/** "1 case", "40 cases" @param {number} value @param {string} one @param {string} [many] */
export function counted(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

// Half goes up; what is within 1e-9 of half is half (docs/statistics.md).
function roundHalfUp(value, digits) {
  const scale = 10 ** digits;
  return Math.floor(value * scale + 0.5 + 1e-9) / scale;
}

/** A score of 0 to 1 as points: 84, or 84.5 with a digit. @param {any} score @param {number} [digits] */
export function points(score, digits = 0) {
  if (!isNumber(score)) return '–';
  const rounded = roundHalfUp(Math.abs(score) * 100, digits);
  return (score < 0 && rounded > 0 ? MINUS : '') + rounded.toFixed(digits);
}

/** A difference in points with its sign. @param {any} difference @param {number} [digits] */
export function signedPoints(difference, digits = 0) {
  const text = points(difference, digits);
  return isNumber(difference) && difference > 0 && Number(text) > 0 ? `+${text}` : text;
}

/** "1 point", "+3 points", "0.5 points" @param {string} written as points() or signedPoints() write it */
export function inPoints(written) {
  return `${written} ${/^[+\u2212]?1$/.test(written) ? 'point' : 'points'}`;
}

/** Digits for points: one only where the interval is narrower than 2 points. @param {any} interval */
export function pointDigits(interval) {
  return interval && isNumber(interval[0]) && (interval[1] - interval[0]) * 100 < 2 ? 1 : 0;
}

/** "3 to 13" @param {any} interval @param {number} [digits] @param {boolean} [signed] */
export function range(interval, digits = 0, signed = false) {
  if (!interval || !isNumber(interval[0]) || !isNumber(interval[1])) return 'no interval';
  const each = signed ? signedPoints : points;
  return `${each(interval[0], digits)} to ${each(interval[1], digits)}`;
}

/** "−6 (−8 to −4)" @param {any} difference @param {any} interval */
export function signedWithInterval(difference, interval) {
  const digits = pointDigits(interval);
  return `${signedPoints(difference, digits)}${interval ? ` (${range(interval, digits, true)})` : ''}`;
}

/** A sum in dollars: cents, or two digits of what is less. @param {any} usd */
export function money(usd) {
  if (!isNumber(usd)) return '–';
  if (usd === 0) return '$0';
  const sign = usd < 0 ? MINUS : '';
  const size = Math.abs(usd);
  if (size >= 100) return `${sign}$${NUMBER.format(Math.round(size))}`;
  if (size >= 0.1) return `${sign}$${size.toFixed(2)}`;
  const short = String(Number(size.toPrecision(2)));
  return `${sign}$${short.includes('e') ? size.toFixed(8) : short}`;
}

/** A time. @param {any} ms */
export function duration(ms) {
  if (!isNumber(ms)) return '–';
  if (ms > 0 && ms < 1) return `${Number(ms.toPrecision(1))} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** @param {any} bytes */
export function size(bytes) {
  if (!isNumber(bytes)) return '–';
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(bytes < 1e4 ? 1 : 0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Tokens: 912, 14 k, 1.2 M. @param {any} tokens */
export function tokens(tokens) {
  if (!isNumber(tokens)) return '–';
  if (tokens < 1000) return String(tokens);
  if (tokens < 1e6) return `${(tokens / 1000).toFixed(tokens < 1e4 ? 1 : 0)} k`;
  return `${(tokens / 1e6).toFixed(tokens < 1e7 ? 1 : 0)} M`;
}

const padded = (value) => String(value).padStart(2, '0');
const timeOfDay = (at) => `${padded(at.getHours())}:${padded(at.getMinutes())}`;

/** The reader's zone at a time: "UTC", "UTC+05:30". @param {any} ms since 1970 */
export function zoneAt(ms) {
  const ahead = isNumber(ms) ? -new Date(ms).getTimezoneOffset() : 0;
  if (ahead === 0) return 'UTC';
  const size = Math.abs(ahead);
  return `UTC${ahead < 0 ? MINUS : '+'}${padded(Math.floor(size / 60))}:${padded(size % 60)}`;
}

/** "22 Nov 2026 02:21 UTC", in the reader's zone @param {any} ms since 1970 @param {boolean} [withTime] */
export function moment(ms, withTime = true) {
  if (!isNumber(ms) || ms <= 0) return '–';
  const at = new Date(ms);
  const day = `${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()}`;
  return withTime ? `${day} ${timeOfDay(at)} ${zoneAt(ms)}` : day;
}

/** "22 Nov 02:21 UTC", without the zone if a heading has it @param {any} ms @param {string} [zone] of the heading */
export function shortMoment(ms, zone) {
  if (!isNumber(ms) || ms <= 0) return '–';
  const at = new Date(ms);
  const text = `${at.getDate()} ${MONTHS[at.getMonth()]} ${timeOfDay(at)}`;
  return zone === zoneAt(ms) ? text : `${text} ${zoneAt(ms)}`;
}

/** "12 %" @param {any} share */
export function percent(share) {
  return isNumber(share) ? `${Math.round(share * 100)} %` : '–';
}

/** A judge by its model: "gpt-4.1-mini" of "holistic-gpt-4-1-mini(openrouter:openai/gpt-4.1-mini)". The whole name
 * where another of these judges has the same model. @param {any} judge @param {any[]} [all] */
export function judgeLabel(judge, all = []) {
  const short = (each) => String(each).replace(/^.*\((?:[^()]*[/:])?([^()/:]+)\)$/, '$1');
  const isShared = all.some((each) => each !== judge && short(each) === short(judge));
  return isShared ? String(judge) : short(judge);
}

/** A number of two decimals, as α is written. @param {any} value */
export function decimal(value) {
  return isNumber(value) ? value.toFixed(2).replace('-', MINUS) : '–';
}
