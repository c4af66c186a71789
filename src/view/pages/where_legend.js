// The legend of the map: steps of light and states with their counts, each a filter that is pressed.
import { el, pressable } from './dom.js';
import { count } from './format.js';
import { LAYERS } from './layers.js';
import { chip, SCORE_BINS } from './marks.js';

const STATES_OF_LEGEND = ['error', 'unscored', 'skipped', 'pending'];

/**
 * @param {import('./where_view.js').WhereView} view @param {any} run @param {import('./cells.js').Cells} cells
 * @param {number[]} columns
 * @param {{toggleBin: (bin: number) => void, setFilter: (text: string) => void, clear: () => void}} act
 */
export function legendOf(view, run, cells, columns, act) {
  const { bins: counts, states, partial, flaky, failed } = cells.tally(columns);
  const steps = view.layer
    ? { names: view.layer.steps, counts: view.layer.tally(cells.rows, columns) }
    : { names: SCORE_BINS, counts };
  const filterButton = (number, filter, label) =>
    number > 0 && el('button.btn', { type: 'button', onclick: () => act.setFilter(filter) }, label);
  return [
    view.layer && el('span.small.soft', view.layer.note),
    steps.names.length > 0 && histogramOf(view, steps, act.toggleBin),
    failed > 0 &&
      pressable(`failed ${count(failed)}`, () => act.setFilter('state:failed'), {
        title: `they do not pass (${run.pass_words}), or are errors`,
      }),
    STATES_OF_LEGEND.map((name) =>
      filterButton(states[name], `state:${name}`, [chip(null, name), `${name} ${count(states[name])}`]),
    ),
    filterButton(partial, 'state:partial', [el('span.chip.partial.s4', ' '), `partial ${count(partial)}`]),
    filterButton(flaky, 'flaky:yes', `flaky ${count(flaky)}`),
    view.isFiltered() && pressable('Clear', act.clear),
  ];
}

function histogramOf(view, { names, counts }, toggleBin) {
  const what = view.layer ? LAYERS[view.layer.name].text : 'Scores';
  return el(
    'span.histogram',
    { role: 'group', 'aria-label': `${what}: press to keep cases that have one` },
    names.map((name, bin) =>
      el(
        `button.s${bin}`,
        { type: 'button', 'aria-pressed': view.bins.has(bin), onclick: () => toggleBin(bin) },
        name,
        el('small', count(counts[bin])),
      ),
    ),
  );
}
