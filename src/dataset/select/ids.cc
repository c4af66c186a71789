// Makes ids of rows, and finds those that two rows have.
#include "dataset/select/ids.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"
#include "base/text/utf8.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/template/braces.h"
#include "text/template/written.h"

namespace assay::dataset {

namespace {

// What canonical JSON leaves out of a row is out of it at every level.
Value WithoutNulls(const Value& value) {
  if (value.is_list()) {
    List items;
    for (const Value& item : value.AsList()) items.push_back(WithoutNulls(item));
    return Value(std::move(items));
  }
  if (!value.is_map()) return value;
  Map members;
  for (const Member& member : value.AsMap()) {
    if (!member.value.is_nullish()) members.Append(member.key, WithoutNulls(member.value));
  }
  return Value(std::move(members));
}

// A row of texts alone, as most tables have, without a copy of it.
bool AppendTexts(const Map& cells, std::string& out) {
  std::vector<const Member*> members;
  members.reserve(cells.size());
  for (const Member& member : cells) {
    if (member.value.is_nullish()) continue;
    if (!member.value.is_string()) return false;
    members.push_back(&member);
  }
  std::sort(members.begin(), members.end(),
            [](const Member* a, const Member* b) { return CompareUtf16(a->key, b->key) < 0; });
  out += '{';
  for (const Member* member : members) {
    if (member != members.front()) out += ',';
    AppendJsonString(member->key, out);
    out += ':';
    AppendJsonString(member->value.AsString(), out);
  }
  out += '}';
  return true;
}

class IdGiver {
 public:
  IdGiver(const Options& options, const SourceFiles& sources, Table& table, Problems& problems)
      : options_(options), sources_(sources), table_(table), problems_(problems) {}

  void Give() {
    if (options_.id && !Compile()) return;
    const bool needs_usual = compiled_ == nullptr || compiled_->Names("_id");
    if (needs_usual) GiveUsual(compiled_ == nullptr);
    if (compiled_ != nullptr) GiveTemplated();
    TellNumbered(table_.twice, options_, problems_);
  }

 private:
  bool Compile() {
    compiled_ = CompileId(options_, table_.columns, sources_, problems_);
    return compiled_ != nullptr;
  }

  // True: the row has the id and the content of an earlier one, and the dataset drops such rows.
  bool IsDropped(const Row& row, const Row& first) const {
    return options_.drops_duplicates && CanonicalRow(row.cells) == CanonicalRow(first.cells);
  }

  void GiveUsual(bool are_final) {
    std::unordered_map<std::string, std::size_t> places;
    std::unordered_map<std::string, std::size_t> numbers;
    std::vector<Row> kept;
    for (Row& row : table_.rows) {
      const bool is_named = UsualId(row, sources_, row.id);
      const auto [found, is_new] = places.emplace(row.id, kept.size());
      if (!is_new) {
        const Row& first = kept[found->second];
        if (are_final && IsDropped(row, first)) {
          ++table_.dropped;
          continue;
        }
        if (is_named && are_final) TellIdTwice(row, first, sources_, problems_);
        if (!is_named) Number(row, kept.size(), places, numbers[row.id]);
      }
      kept.push_back(std::move(row));
    }
    table_.rows = std::move(kept);
  }

  void Number(Row& row, std::size_t place, std::unordered_map<std::string, std::size_t>& places,
              std::size_t& number) {
    const std::string base = row.id;
    number = std::max<std::size_t>(number, 1);
    do {
      row.id = fmt::format("{}-{}", base, ++number);
    } while (!places.emplace(row.id, place).second);
    ++table_.twice;
  }

  void GiveTemplated() {
    std::unordered_map<std::string, std::size_t> places;
    std::vector<Row> kept;
    for (Row& row : table_.rows) {
      const std::string usual = std::move(row.id);
      Templated<std::string> id = compiled_->Text({row.cells, sources_, row.number, usual});
      if (const auto* problem = std::get_if<TemplateProblem>(&id)) {
        problems_.Add(RowProblem(*problem, row, options_.id->span, sources_));
        continue;
      }
      row.id = std::get<std::string>(std::move(id));
      if (JsTrim(row.id).empty()) {
        TellIdEmpty(row, problems_);
        continue;
      }
      const auto [found, is_new] = places.emplace(row.id, kept.size());
      if (!is_new) {
        if (IsDropped(row, kept[found->second])) {
          ++table_.dropped;
          continue;
        }
        TellIdTwice(row, kept[found->second], sources_, problems_);
      }
      kept.push_back(std::move(row));
    }
    table_.rows = std::move(kept);
  }

  const Options& options_;
  const SourceFiles& sources_;
  Table& table_;
  Problems& problems_;
  std::unique_ptr<const CompiledTemplate> compiled_;
};

}  // namespace

std::string CanonicalRow(const Map& cells) {
  std::string text;
  if (AppendTexts(cells, text)) return text;
  return WriteJson(WithoutNulls(Value(cells)), JsonStyle::kCanonical);
}

bool UsualId(const Row& row, const SourceFiles& sources, std::string& id) {
  const Value* own = row.cells.Find("id");
  const bool is_named = own != nullptr && (own->is_number() || !JsTrim(row.cells.TextAt("id")).empty());
  id = is_named ? WrittenText(*own, sources).value_or("")
                : "row-" + HexPrefix(Sha256Of(CanonicalRow(row.cells)), kContentDigits);
  return is_named;
}

std::unique_ptr<const CompiledTemplate> CompileId(const Options& options,
                                                  std::span<const std::string> columns,
                                                  const SourceFiles& sources, Problems& problems) {
  auto compiled = BracesEngine().Compile(options.id->AsString(), columns);
  if (const auto* problem = std::get_if<TemplateProblem>(&compiled)) {
    problems.Add(RowProblem(*problem, {}, options.id->span, sources));
    return nullptr;
  }
  if (std::get<0>(compiled)->Names("_row")) {
    problems.Add({.code = "dataset.position-id",
                  .message = "the id contains the row's number: a row put in before it changes it",
                  .hint = "use a column, or leave id out: the default comes from the row's content",
                  .where = options.id->span,
                  .severity = Severity::kWarning});
  }
  return std::get<0>(std::move(compiled));
}

void TellIdTwice(const Row& row, const Row& first, const SourceFiles& sources, Problems& problems) {
  problems.Add(
      {.code = "dataset.id-twice",
       .message = fmt::format("the id {} is that of {} too", Quoted(row.id), PlaceOfRow(first, sources)),
       .hint = "give each row an id of its own, or write id: with a template of several columns",
       .where = row.where,
       .name = row.id,
       .first_line = first.line});
}

void TellIdEmpty(const Row& row, Problems& problems) {
  problems.Add({.code = "dataset.id-empty",
                .message = "the id of this row is empty",
                .hint = "fill the cell, or write another template as id",
                .where = row.where});
}

void TellNumbered(std::size_t count, const Options& options, Problems& problems) {
  if (count == 0) return;
  problems.Add({.code = "dataset.row-twice",
                .message = fmt::format(
                    "{} rows have the content of an earlier row; their ids end in -2, -3, …", count),
                .hint = "write duplicates: drop to leave them out",
                .where = options.where,
                .severity = Severity::kWarning});
}

std::string CellWords(const Map& cells, std::string_view column, const SourceFiles& sources) {
  const Value* value = cells.Find(column);
  if (value == nullptr) return "null";
  return WrittenText(*value, sources).value_or(WrittenJson(*value, sources));
}

void GiveIds(const Options& options, const SourceFiles& sources, Table& table, Problems& problems) {
  IdGiver(options, sources, table, problems).Give();
}

std::string PlaceOfRow(const Row& row, const SourceFiles& sources) {
  const std::string_view path = sources.Path(row.where.file);
  if (path.empty()) return row.line == 0 ? std::string() : fmt::format("row {}", row.line);
  return fmt::format("{}:{}", path, sources.Locate(row.where).line);
}

bool DependsOnRow(const TemplateProblem& problem) {
  constexpr std::string_view kOfRows[] = {"template.null",    "template.kind",        "template.path",
                                          "template.limit",   "template.filter-kind", "template.filter-none",
                                          "template.function"};
  return std::find(std::begin(kOfRows), std::end(kOfRows), problem.code) != std::end(kOfRows);
}

Problem RowProblem(const TemplateProblem& problem, const Row& row, Span where, const SourceFiles& sources) {
  // The expression itself, where the source has it as it is.
  const std::string_view file = sources.Text(where.file);
  if (!problem.expression.empty() && where.offset <= file.size()) {
    const std::size_t found = file.substr(where.offset, where.length).find(problem.expression);
    if (found != std::string_view::npos) {
      where.offset += static_cast<std::uint32_t>(found);
      where.length = static_cast<std::uint32_t>(problem.expression.size());
    }
  }
  const std::string place = PlaceOfRow(row, sources);
  return {.code = problem.code,
          .message = place.empty() ? problem.message : fmt::format("{}: {}", place, problem.message),
          .hint = problem.hint,
          .where = where,
          .name = problem.name};
}

}  // namespace assay::dataset
