// The order of a dataset: rename, id, duplicates, where, sample, shuffle, limit.
#include "dataset/load.h"

#include <fmt/core.h>

#include <algorithm>

#include "dataset/select/ids.h"
#include "dataset/select/select.h"
#include "dataset/select/where.h"
#include "text/template/path.h"
#include "text/template/written.h"

namespace assay::dataset {

namespace {

// The conditions of the file, with those of the command line in place of what they name.
Map ConditionsOf(const Options& options, const Overrides& overrides) {
  Map conditions;
  if (options.filter.is_map()) conditions = options.filter.AsMap();
  for (const std::string& text : overrides.where) {
    const std::size_t equals = text.find('=');
    conditions.Set(text.substr(0, equals), Value(text.substr(equals + 1)));
  }
  return conditions;
}

std::vector<std::string> GroupsOf(const Table& table, const Options& options, const SourceFiles& sources) {
  std::vector<std::string> groups;
  if (!options.sample || !options.sample->per) return groups;
  for (const Row& row : table.rows)
    groups.push_back(CellWords(row.cells, options.sample->per->text, sources));
  return groups;
}

void SelectRows(const Options& options, const Overrides& overrides, const Surroundings& around,
                Table& table) {
  if (options.sample && options.sample->per && !HasColumn(table, *options.sample->per, around.problems))
    return;
  Selection selection{.shuffle_seed = options.shuffle, .limit = options.limit};
  if (options.sample) {
    selection.sample = options.sample->count;
    selection.sample_seed = options.sample->seed;
  }
  if (overrides.sample) selection.sample = overrides.sample;
  if (overrides.sample_seed) selection.sample_seed = *overrides.sample_seed;
  std::vector<std::string> ids;
  for (const Row& row : table.rows) ids.push_back(row.id);
  std::vector<Row> chosen;
  for (const std::size_t place : Select(ids, GroupsOf(table, options, around.sources), selection))
    chosen.push_back(std::move(table.rows[place]));
  table.unchosen = table.rows.size() - chosen.size();
  table.rows = std::move(chosen);
}

}  // namespace

Map KeptCells(const Table& table, const Row& row, const SourceFiles& sources) {
  Map cells;
  for (const std::string& column : table.kept) {
    const Value* value = row.cells.Find(column);
    if (value == nullptr || value->is_nullish()) continue;
    // As a text, so that 0.50 stays 0.50; lists and mappings stay what they are.
    const std::optional<std::string> text = WrittenText(*value, sources);
    cells.Append(column, text ? Value(*text) : *value);
  }
  return cells;
}

std::optional<Table> Load(const Options& options, const Overrides& overrides, const Surroundings& around,
                          std::vector<Row>* all_rows) {
  const std::size_t errors_before = around.problems.ErrorCount();
  Table table = ReadTable(options, around);
  if (around.problems.ErrorCount() > errors_before) return std::nullopt;
  for (const Row& row : table.rows) table.members.Add(row.cells);
  GiveIds(options, around.sources, table, around.problems);
  if (all_rows != nullptr) *all_rows = table.rows;
  for (const Name& column : options.keep) {
    if (HasColumn(table, column, around.problems)) table.kept.push_back(column.text);
  }
  const Map conditions = ConditionsOf(options, overrides);
  const Where where = Where::Compile(conditions, table.columns, around.sources, around.problems);
  if (around.problems.ErrorCount() > errors_before) return std::nullopt;
  const auto holds = [&](const Row& row) { return where.Holds(row.cells, around.sources); };
  if (std::none_of(table.rows.begin(), table.rows.end(), holds)) {
    around.problems.Add(
        {.code = "dataset.none-left",
         .message = fmt::format("none of {} rows meets the conditions of where", table.read_rows),
         .hint = where.UnmetWords(table.rows, around.sources),
         .where = options.where});
    return std::nullopt;
  }
  table.by_where = std::erase_if(table.rows, [&](const Row& row) { return !holds(row); });
  SelectRows(options, overrides, around, table);
  if (around.problems.ErrorCount() > errors_before) return std::nullopt;
  return table;
}

}  // namespace assay::dataset
