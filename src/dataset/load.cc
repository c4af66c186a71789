// The order of a dataset: rename, id, duplicates, where, sample, shuffle, limit.
#include "dataset/load.h"

#include <fmt/core.h>

#include <algorithm>

#include "dataset/select/ids.h"
#include "dataset/select/select.h"
#include "dataset/select/stream_ids.h"
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

// Whether rows are chosen by what they hold or by their ranks, so that all of them have to be known.
bool Chooses(const Options& options, const Overrides& overrides) {
  const bool has_where =
      (options.filter.is_map() && !options.filter.AsMap().empty()) || !overrides.where.empty();
  return has_where || options.sample || overrides.sample || options.shuffle;
}

void TellNoneLeft(const Options& options, std::size_t rows, std::string hint, Problems& problems) {
  problems.Add({.code = "dataset.none-left",
                .message = fmt::format("none of {} rows meets the conditions of where", rows),
                .hint = std::move(hint),
                .where = options.where});
}

void KeepColumns(const Options& options, Table& table, Problems& problems) {
  for (const Name& column : options.keep) {
    if (HasColumn(table, column, problems)) table.kept.push_back(column.text);
  }
}

// Reads the rows once, from start to end, and keeps only those that are unlike the others.
class StreamedTable {
 public:
  StreamedTable(const Options& options, const Overrides& overrides, const Surroundings& around,
                const RowReading& reading)
      : options_(options),
        around_(around),
        reading_(reading),
        conditions_(ConditionsOf(options, overrides)),
        ids_(options, around.sources, id_problems_) {}

  static bool Can(const Options& options, const Overrides& overrides) {
    return StreamIds::Can(options) && !options.sample && !overrides.sample && !options.shuffle;
  }

  // Nothing where the rows have to be read again with all columns known.
  std::optional<Table> Read() {
    const auto take = [this](const std::vector<std::string>& columns, Row row) {
      return Take(columns, std::move(row));
    };
    Table table = ReadTable(options_, around_, {.take = take});
    if (is_lost_ || (!is_unchanged_ && alike_ > 0)) return std::nullopt;
    table.rows = std::move(kept_);
    table.by_where = by_where_;
    table.unchosen = unchosen_;
    table.alike = alike_;
    table.twice = ids_.twice();
    if (around_.problems.HasErrors()) return table;
    around_.problems.AddAll(id_problems_);
    TellNumbered(table.twice, options_, around_.problems);
    KeepColumns(options_, table, around_.problems);
    if (around_.problems.HasErrors()) return table;
    // Which values the column has instead is known where all rows are kept.
    if (taken_ == 0 && unchosen_ == 0) return std::nullopt;
    table.members = std::move(members_);
    return table;
  }

 private:
  bool Take(const std::vector<std::string>& columns, Row row) {
    if (columns_ != columns.size()) {
      is_unchanged_ = columns_ == 0;
      columns_ = columns.size();
      Problems of_where;
      where_ = Where::Compile(conditions_, columns, around_.sources, of_where);
      is_lost_ = of_where.HasErrors();
    }
    members_.Add(row.cells);
    const bool has_id = !is_lost_ && ids_.Give(columns, row);
    is_lost_ = is_lost_ || ids_.is_lost();
    if (is_lost_ || !has_id) return !is_lost_;
    if (!where_.Holds(row.cells, around_.sources)) {
      ++by_where_;
    } else if (options_.limit && taken_ >= *options_.limit) {
      ++unchosen_;
    } else {
      ++taken_;
      const bool is_alike = is_unchanged_ && reading_.is_alike(columns, row);
      alike_ += is_alike ? 1 : 0;
      if (!is_alike) kept_.push_back(std::move(row));
    }
    return true;
  }

  const Options& options_;
  const Surroundings& around_;
  const RowReading& reading_;
  const Map conditions_;
  Problems id_problems_;  // told where the table could be read
  StreamIds ids_;
  Where where_;
  std::vector<Row> kept_;
  MemberNames members_;
  std::size_t columns_ = 0;
  std::size_t taken_ = 0;
  std::size_t by_where_ = 0;
  std::size_t unchosen_ = 0;
  std::size_t alike_ = 0;
  bool is_unchanged_ = true;  // the columns are those of the first row
  bool is_lost_ = false;
};

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
                          std::vector<Row>* all_rows, const RowReading& reading) {
  const std::size_t errors_before = around.problems.ErrorCount();
  if (reading.is_alike && all_rows == nullptr && StreamedTable::Can(options, overrides)) {
    const Problems before = around.problems;
    std::optional<Table> table = StreamedTable(options, overrides, around, reading).Read();
    if (around.problems.ErrorCount() == errors_before && table) return table;
    if (table) return std::nullopt;
    around.problems = before;
  }
  RowTaking taking;
  const bool may_end = all_rows == nullptr && !options.drops_duplicates && !Chooses(options, overrides);
  if (may_end && !reading.is_alike) taking.rows_max = reading.rows_max;
  Table table = ReadTable(options, around, taking);
  if (around.problems.ErrorCount() > errors_before) return std::nullopt;
  for (const Row& row : table.rows) table.members.Add(row.cells);
  GiveIds(options, around.sources, table, around.problems);
  if (all_rows != nullptr) *all_rows = table.rows;
  KeepColumns(options, table, around.problems);
  const Map conditions = ConditionsOf(options, overrides);
  const Where where = Where::Compile(conditions, table.columns, around.sources, around.problems);
  if (around.problems.ErrorCount() > errors_before) return std::nullopt;
  const auto holds = [&](const Row& row) { return where.Holds(row.cells, around.sources); };
  if (std::none_of(table.rows.begin(), table.rows.end(), holds)) {
    TellNoneLeft(options, table.read_rows, where.UnmetWords(table.rows, around.sources), around.problems);
    return std::nullopt;
  }
  table.by_where = std::erase_if(table.rows, [&](const Row& row) { return !holds(row); });
  SelectRows(options, overrides, around, table);
  if (around.problems.ErrorCount() > errors_before) return std::nullopt;
  return table;
}

}  // namespace assay::dataset
