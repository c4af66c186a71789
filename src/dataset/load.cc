// The order of a dataset: rename, id, duplicates, where, sample, shuffle, limit.
#include "dataset/load.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "dataset/select/ids.h"
#include "dataset/select/row_shortlist.h"
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

Selection SelectionOf(const Options& options, const Overrides& overrides) {
  Selection selection{.shuffle_seed = options.shuffle, .limit = options.limit};
  if (options.sample) {
    selection.sample = options.sample->count;
    selection.sample_seed = options.sample->seed;
  }
  if (overrides.sample) selection.sample = overrides.sample;
  if (overrides.sample_seed) selection.sample_seed = *overrides.sample_seed;
  return selection;
}

void SelectRows(const Options& options, const Selection& selection, const Surroundings& around,
                Table& table) {
  if (options.sample && options.sample->per && !HasColumn(table, *options.sample->per, around.problems))
    return;
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

// Where reading may end before the last row; nothing chooses among rows then.
std::size_t RowsWanted(const Options& options, const Overrides& overrides, const RowReading& reading) {
  const bool may_end = !options.drops_duplicates && !Chooses(options, overrides);
  return may_end ? reading.rows_max : std::numeric_limits<std::size_t>::max();
}

// Reads the rows from start to end, and keeps only those that are chosen and unlike the others.
class StreamedTable {
 public:
  StreamedTable(const Options& options, const Overrides& overrides, const Surroundings& around,
                const RowReading& reading)
      : options_(options),
        around_(around),
        reading_(reading),
        conditions_(ConditionsOf(options, overrides)),
        selection_(SelectionOf(options, overrides)),
        rows_wanted_(RowsWanted(options, overrides, reading)),
        is_counting_(reading.is_alike && rows_wanted_ == std::numeric_limits<std::size_t>::max() &&
                     !selection_.sample &&
                     !(selection_.shuffle_seed && (selection_.limit || reading.goes_by_order))) {}

  std::optional<Table> Read() {
    const std::size_t errors_before = around_.problems.ErrorCount();
    const Problems before = around_.problems;
    Table table = ReadOnce({});
    if (around_.problems.ErrorCount() > errors_before) return std::nullopt;
    if (NeedsColumns()) {
      around_.problems = before;
      const std::vector<std::string> columns = std::move(table.columns);
      table = ReadOnce(columns);
      if (around_.problems.ErrorCount() > errors_before) return std::nullopt;
    }
    return Finished(std::move(table), errors_before);
  }

 private:
  // What rows that pass by leave behind.
  struct Pass {
    Pass(const Options& options, const SourceFiles& sources, const Selection& selection,
         std::vector<std::string> columns)
        : known_columns(std::move(columns)),
          ids(options, sources, id_problems),
          kept(selection, options.sample && options.sample->per ? std::optional(options.sample->per->text)
                                                                : std::nullopt) {}

    std::vector<std::string> known_columns;  // of a table that was read before
    Problems id_problems = {};               // told where the table could be read
    Problems where_problems = {};
    StreamIds ids;
    Where where = {};
    Where::Unmet unmet = {};
    RowShortlist kept;
    MemberNames members = {};
    std::size_t columns = 0;
    std::size_t taken = 0;
    std::size_t by_where = 0;
    std::size_t alike = 0;
    bool is_begun = false;
    bool is_unchanged = true;  // the columns are those of the first row
    bool has_ids = true;       // they fit the columns
    bool has_where = true;     // so do the conditions
  };

  Table ReadOnce(std::vector<std::string> columns) {
    pass_ = std::make_unique<Pass>(options_, around_.sources, selection_, std::move(columns));
    if (is_counting_ && reading_.begin) reading_.begin();
    const auto take = [this](const std::vector<std::string>& known, Row row) {
      Take(pass_->known_columns.empty() ? known : pass_->known_columns, std::move(row));
      return true;
    };
    return ReadTable(options_, around_, {.rows_max = rows_wanted_, .take = take});
  }

  void Begin(const std::vector<std::string>& columns) {
    Pass& pass = *pass_;
    pass.is_unchanged = !pass.is_begun;
    pass.is_begun = true;
    pass.columns = columns.size();
    if (!pass.is_unchanged) return;
    pass.where = Where::Compile(conditions_, columns, around_.sources, pass.where_problems);
    pass.has_ids = pass.ids.Begin(columns);
    pass.has_where = !pass.where_problems.HasErrors();
  }

  void Take(const std::vector<std::string>& columns, Row row) {
    Pass& pass = *pass_;
    if (!pass.is_begun || pass.columns != columns.size()) Begin(columns);
    pass.members.Add(row.cells);
    if (!pass.has_ids || !pass.ids.Give(row) || !pass.has_where) return;
    if (!pass.where.Holds(row.cells, around_.sources)) {
      ++pass.by_where;
      if (pass.taken == 0) pass.where.Note(row.cells, around_.sources, pass.unmet);
      return;
    }
    ++pass.taken;
    const bool is_ranked = selection_.sample || selection_.shuffle_seed;
    if (!is_ranked && selection_.limit && pass.taken > *selection_.limit) return;
    const bool is_alike = is_counting_ && pass.is_unchanged && reading_.is_alike(columns, row);
    pass.alike += is_alike ? 1 : 0;
    if (!is_alike) pass.kept.Add(std::move(row), around_.sources);
  }

  // Whether columns of later rows change what is to be said of the first ones.
  bool NeedsColumns() const {
    const bool names_columns = pass_->alike > 0 || !conditions_.empty() || options_.id;
    return !pass_->has_ids || !pass_->has_where || (!pass_->is_unchanged && names_columns);
  }

  std::optional<Table> Finished(Table table, std::size_t errors_before) {
    Pass& pass = *pass_;
    if (!pass.is_begun) Begin(table.columns);
    table.rows = pass.kept.Take();
    table.members = std::move(pass.members);
    table.by_where = pass.by_where;
    table.alike = pass.alike;
    table.twice = pass.ids.twice();
    table.dropped = pass.ids.dropped();
    Problems& problems = around_.problems;
    problems.AddAll(pass.id_problems);
    TellNumbered(table.twice, options_, problems);
    KeepColumns(options_, table, problems);
    problems.AddAll(pass.where_problems);
    if (problems.ErrorCount() > errors_before) return std::nullopt;
    if (pass.taken == 0) {
      TellNoneLeft(options_, table.read_rows, pass.where.UnmetWords(pass.unmet, around_.sources), problems);
      return std::nullopt;
    }
    SelectRows(options_, selection_, around_, table);
    table.unchosen = pass.taken - pass.alike - table.rows.size();
    if (problems.ErrorCount() > errors_before) return std::nullopt;
    return table;
  }

  const Options& options_;
  const Surroundings& around_;
  const RowReading& reading_;
  const Map conditions_;
  const Selection selection_;
  const std::size_t rows_wanted_;
  const bool is_counting_;
  std::unique_ptr<Pass> pass_;
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
  if (all_rows == nullptr && StreamIds::Can(options))
    return StreamedTable(options, overrides, around, reading).Read();
  RowTaking taking;
  if (all_rows == nullptr) taking.rows_max = RowsWanted(options, overrides, reading);
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
    Where::Unmet unmet;
    for (const Row& row : table.rows) where.Note(row.cells, around.sources, unmet);
    TellNoneLeft(options, table.read_rows, where.UnmetWords(unmet, around.sources), around.problems);
    return std::nullopt;
  }
  table.by_where = std::erase_if(table.rows, [&](const Row& row) { return !holds(row); });
  SelectRows(options, SelectionOf(options, overrides), around, table);
  if (around.problems.ErrorCount() > errors_before) return std::nullopt;
  return table;
}

}  // namespace assay::dataset
