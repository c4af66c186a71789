// A run that goes on: its counts at the top, new cells in the map, the order kept until the reader asks for a new one.
import { announce, el, fill, pressable } from './dom.js';
import { count, counted, duration, money } from './format.js';
import { progressOf } from './marks.js';
import { runPath } from './run_frame.js';

const ANNOUNCE_EVERY_MS = 5000;
const AGAIN_AFTER_MS = 1000;
const QUIET_MS = 4000;

/** @param {import('./main.js').PageContext} context @param {any} run @param {any} host @param {any} where */
export function followRun(context, run, host, where) {
  let waiting,
    news = 0,
    announcedAt = 0;
  const shown = el('div.panel.live-run', { 'aria-label': 'This run is in progress', role: 'group' });
  fill(host, shown);
  const draw = (event) => {
    const share = event.planned ? event.done / event.planned : 0;
    fill(
      shown,
      event.state === 'unfinished'
        ? el('b.bad', 'Nobody works on this run now; the same command continues it')
        : el('b.live', 'This run is in progress'),
      progressOf(event.done, event.planned),
      event.requests_sent > 0 && el('span.soft', `${counted(event.requests_sent, 'call')} answered`),
      event.quiet_ms > QUIET_MS && el('span.soft', `nothing new for ${duration(event.quiet_ms)}`),
      event.rate > 0 && el('span.soft', `${Math.round(event.rate)} a second`),
      event.left_ms > 0 && el('span.soft', `${duration(event.left_ms)} left`),
      event.cost_usd !== null && event.cost_usd !== undefined && el('span.soft', money(event.cost_usd)),
      news > 0 &&
        pressable(`${count(news)} new, sort again`, () => {
          news = 0;
          again();
        }),
    );
    const part = `${Math.floor(share * 100)} %`;
    document.title = `${part} · ${document.title.replace(/^\d+ % · /, '')}`;
    if (Date.now() - announcedAt > ANNOUNCE_EVERY_MS) {
      announcedAt = Date.now();
      announce(`${count(event.done)} of ${count(event.planned)} cells done`);
    }
  };
  const again = () => {
    context.source.forget(runPath(run.run));
    context.again();
  };
  const stop = context.source.follow(
    runPath(run.run, 'events'),
    async (event) => {
      news += await where.heard(event.cells || [], event.is_whole !== false);
      if (context.isOpen()) draw(event);
    },
    () => {
      waiting = setTimeout(again, AGAIN_AFTER_MS);
    },
  );
  context.onLeave(() => {
    clearTimeout(waiting);
    stop();
  });
}
