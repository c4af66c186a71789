// The columns of the map: variants in the order of the ranking, or on a phone one column a model.
import { modelName } from './run_frame.js';

/** @typedef {import('./matrix_cells.js').Column} Column */

/** All columns of a run. @param {any} run @param {boolean} isPhone @returns {Column[]} */
export function allColumnsOf(run, isPhone) {
  return isPhone && modelsOf(run).length > 0 ? modelColumns(run) : variantColumns(run);
}

/** The columns of the models that a filter names; of none that is known, all. @param {any} run
 * @param {string[]} models @param {boolean} isPhone */
export function columnsOfModels(run, models, isPhone) {
  const all = allColumnsOf(run, isPhone);
  const named = all.filter((each) => models.some((name) => isOfModel(run, each, name)));
  return named.length > 0 ? named : all;
}

/** The names of a filter that no model has. @param {any} run @param {string[]} models @param {Column[]} columns */
export function unknownModels(run, models, columns) {
  return models.filter((name) => !columns.some((each) => isOfModel(run, each, name)));
}

/** The names of the levels above the columns. @param {any} run @param {boolean} isPhone @returns {string[]} */
export function levelNamesOf(run, isPhone) {
  const factors = run.factors || [];
  return modelsOf(run).length > 0 && !isPhone ? factors.map((each) => each.name) : [];
}

function modelsOf(run) {
  return run.statistics?.models || [];
}

function modelColumns(run) {
  const index = new Map(run.variants.map((each, at) => [each.id, at]));
  return modelsOf(run).map((each) => {
    const name = modelName(run, each);
    return { label: name, name, group: name, levels: [], columns: each.variants.map((id) => index.get(id)) };
  });
}

function variantColumns(run) {
  const hasModels = modelsOf(run).length > 0;
  return inOrderOfRanking(run).map((each) => ({
    label: each.name,
    name: each.name,
    group: hasModels ? each.model : '',
    columns: [each.at],
    levels: (run.factors || []).map((factor, at) => shortLevel(factor, each.levels?.[at])),
  }));
}

// Variants with their place in the run: by the ranking of their models, else by their own.
function inOrderOfRanking(run) {
  const models = modelsOf(run);
  const places = new Map(
    models.length
      ? models.map((each, at) => [modelName(run, each), at])
      : (run.statistics?.ranking || []).map((each, at) => [each.variant, at]),
  );
  const place = (each) => places.get(models.length ? each.model : each.id) ?? 1e9;
  return run.variants.map((each, at) => ({ ...each, at })).sort((a, b) => place(a) - place(b) || a.at - b.at);
}

// Whether a column is of a model whose name, or whose variant's, has these letters.
function isOfModel(run, column, name) {
  return column.columns.some((at) => {
    const variant = run.variants[at];
    return [variant.model, variant.id.split('[')[0]].some((each) => each?.toLowerCase().includes(name));
  });
}

// How the head of a column calls a level.
function shortLevel(factor, level) {
  if (level === null || level === undefined) return '–';
  return factor.short?.[factor.values.indexOf(level)] ?? level;
}
