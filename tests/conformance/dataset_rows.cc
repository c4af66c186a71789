// Golden rows of datasets: readers, ids, conditions, selection, templates, and the cases of a blueprint.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "dataset/load.h"
#include "dataset/select/ids.h"
#include "dataset/select/select.h"
#include "dataset/select/where.h"
#include "dataset/shots/pick.h"
#include "dialects/blueprint/rows/datasets.h"
#include "tests/conformance/conformance.h"
#include "text/json/json.h"
#include "text/packed/base64.h"
#include "text/template/braces.h"
#include "text/template/fill.h"
#include "text/template/written.h"

namespace assay::conformance {
namespace dataset_rows {
namespace {

// Files that exist only in a row, in folders.
class RowFiles final : public FileReader {
 public:
  void Add(std::string path, std::string text) { files_[std::move(path)] = std::move(text); }
  Result<std::string> Read(std::string_view path) override {
    const auto found = files_.find(std::string(path));
    if (found == files_.end()) return Error{ErrorCode::kNotFound, fmt::format("{} does not exist", path)};
    return found->second;
  }
  bool Exists(std::string_view path) override { return files_.count(std::string(path)) > 0; }
  Result<std::vector<std::string>> List(std::string_view path) override {
    std::string folder = path == "." ? "" : std::string(path);
    if (!folder.empty() && !folder.ends_with('/')) folder += '/';
    std::vector<std::string> names;
    for (const auto& [name, text] : files_) {
      if (!name.starts_with(folder)) continue;
      std::string part = name.substr(folder.size(), name.find('/', folder.size()) - folder.size());
      if (names.empty() || names.back() != part) names.push_back(std::move(part));
    }
    if (names.empty()) return Error{ErrorCode::kNotFound, "there is no such folder"};
    return names;
  }

 private:
  std::map<std::string, std::string> files_;
};

// `{"__n":"0.50"}` stands for a number that is written so.
std::string WithNumbers(std::string_view line) {
  constexpr std::string_view kOpen = R"({"__n":)";
  std::string text;
  std::size_t at = 0;
  for (std::size_t found = 0; (found = line.find(kOpen, at)) != std::string_view::npos;) {
    text += line.substr(at, found - at);
    const std::size_t start = line.find('"', found + kOpen.size()) + 1;
    const std::size_t end = line.find('"', start);
    std::string_view number = line.substr(start, end - start);
    // JSON has no zeros before a number: the wanted one is compared by its value.
    while (number.size() > 1 && number.front() == '0' && number[1] != '.' && number[1] != 'e')
      number.remove_prefix(1);
    text += number;
    at = line.find('}', end) + 1;
  }
  return text + std::string(line.substr(at));
}

// A row with its places, in which numbers are as they are written.
struct DatasetRow {
  SourceFiles sources;
  Diagnostics diagnostics;
  Value row;
  dataset::Problems problems;
  RowFiles files;

  explicit DatasetRow(std::string_view line) {
    const FileId file = sources.Add("row", WithNumbers(line));
    row = ReadJson(file, sources.Text(file), diagnostics);
  }
  const Value& In(std::string_view key) const { return Get(Get(row, "in"), key); }
  const Value& Out() const { return Get(row, "out"); }
};

bool SameNumber(const Value& want, const Value& got, const SourceFiles& sources) {
  if (WrittenText(want, sources) == WrittenText(got, sources)) return true;
  return std::abs(want.AsNumber() - got.AsNumber()) <= 1e-9 * std::max(1.0, std::abs(want.AsNumber()));
}

bool SameData(const Value& want, const Value& got, const SourceFiles& sources) {
  if (want.is_number() && got.is_number()) return SameNumber(want, got, sources);
  if (want.is_list() && got.is_list()) {
    return std::equal(want.AsList().begin(), want.AsList().end(), got.AsList().begin(), got.AsList().end(),
                      [&](const Value& a, const Value& b) { return SameData(a, b, sources); });
  }
  if (want.is_map() && got.is_map()) {
    return want.AsMap().size() == got.AsMap().size() &&
           std::all_of(want.AsMap().begin(), want.AsMap().end(), [&](const Member& member) {
             const Value* other = got.Find(member.key);
             return other != nullptr && SameData(member.value, *other, sources);
           });
  }
  return SameValue(want, got);
}

void Compare(const DatasetRow& row, const Value& got, Outcome& outcome) {
  if (SameData(row.Out(), got, row.sources)) return outcome.Pass();
  outcome.Fail(fmt::format("want {}, got {}", Show(row.Out()), Show(got)));
}

// What an error has beside its code; a hint is advice.
Value ErrorOf(const dataset::Problem& problem, const Value& want, const SourceFiles& sources, double column) {
  Map error;
  error.Append("error", problem.code);
  const LineColumn place = sources.Locate(problem.where);
  const auto add = [&](std::string_view key, Value value) {
    if (want.Find(key) != nullptr) error.Append(std::string(key), std::move(value));
  };
  add("line", Value(static_cast<double>(place.line)));
  add("col", Value(column > 0 ? column : static_cast<double>(place.column)));
  add("name", problem.name);
  List names;
  for (const std::string& name : problem.names) names.push_back(Value(name));
  add("names", Value(std::move(names)));
  add("expected", Value(static_cast<double>(problem.expected.value_or(0))));
  add("found", Value(static_cast<double>(problem.found.value_or(0))));
  add("first", Value(static_cast<double>(problem.first_line.value_or(0))));
  if (const Value* hint = want.Find("hint")) error.Append("hint", *hint);
  return Value(std::move(error));
}

Value FirstError(const DatasetRow& row) {
  for (const dataset::Problem& problem : row.problems.All()) {
    if (problem.severity == Severity::kError) return ErrorOf(problem, row.Out(), row.sources, 0);
  }
  return Value("no error");
}

Value TemplateError(const TemplateProblem& problem, const DatasetRow& row) {
  return ErrorOf({.code = problem.code, .message = "", .name = problem.name}, row.Out(), row.sources,
                 static_cast<double>(problem.column));
}

List TextList(const std::vector<std::string>& texts) {
  List list;
  for (const std::string& text : texts) list.push_back(Value(text));
  return list;
}

void RunRead(DatasetRow& row, Outcome& outcome) {
  Map options = row.In("options").AsMap();
  const std::string base64 = GetText(Get(row.row, "in"), "base64");
  std::string bytes = GetText(Get(row.row, "in"), "text");
  if (!base64.empty()) bytes = DecodeBase64(base64).value_or("");
  row.files.Add("table", bytes);
  options.Append("path", "table");
  const std::optional<dataset::Options> read = dataset::ReadOptions(Value(std::move(options)), row.problems);
  if (!read) return Compare(row, FirstError(row), outcome);
  const dataset::Table table = dataset::ReadTable(*read, {"", row.files, row.sources, row.problems});
  if (row.problems.HasErrors()) return Compare(row, FirstError(row), outcome);
  List rows;
  for (const dataset::Row& each : table.rows) {
    Map shown;
    shown.Append("line", Value(static_cast<double>(each.line)));
    shown.Append("row", Value(each.cells));
    rows.push_back(Value(std::move(shown)));
  }
  Map got;
  got.Append("columns", Value(TextList(table.columns)));
  got.Append("blank_rows", Value(static_cast<double>(table.blank_rows)));
  got.Append("rows", Value(std::move(rows)));
  Compare(row, Value(std::move(got)), outcome);
}

void RunId(DatasetRow& row, Outcome& outcome) {
  dataset::Options options;
  if (row.In("id").is_string()) options.id = row.In("id");
  options.drops_duplicates = row.In("duplicates").is_string();
  dataset::Table table;
  for (const Value& each : row.In("rows").AsList()) {
    dataset::Row& added = table.rows.emplace_back();
    added.cells = each.AsMap();
    added.number = static_cast<std::uint32_t>(table.rows.size());
    added.line = static_cast<std::uint32_t>(row.In("first_line").AsNumber()) + added.number - 1;
    for (const Member& member : added.cells) {
      if (std::find(table.columns.begin(), table.columns.end(), member.key) == table.columns.end())
        table.columns.push_back(member.key);
    }
  }
  // Each row stands in a line of its own, as in a file.
  std::uint32_t line = static_cast<std::uint32_t>(row.In("first_line").AsNumber());
  const FileId file = row.sources.Add("rows", std::string(64 + table.rows.size(), '\n'));
  for (dataset::Row& each : table.rows) each.where = {file, line++ - 1, 0};
  dataset::GiveIds(options, row.sources, table, row.problems);
  if (row.problems.HasErrors()) return Compare(row, FirstError(row), outcome);
  std::vector<std::string> ids;
  for (const dataset::Row& each : table.rows) ids.push_back(each.id);
  Map got;
  got.Append("ids", Value(TextList(ids)));
  got.Append("dropped", Value(static_cast<double>(table.dropped)));
  got.Append("twice", Value(static_cast<double>(table.twice)));
  Compare(row, Value(std::move(got)), outcome);
}

void RunWhere(DatasetRow& row, Outcome& outcome) {
  const Map& conditions = row.In("where").AsMap();
  const Map& cells = row.In("row").AsMap();
  // A path may name what this one row lacks.
  std::vector<std::string> columns;
  for (const Member& member : cells) columns.push_back(member.key);
  for (const Member& member : conditions)
    columns.push_back(member.key.substr(0, member.key.find_first_of(".[")));
  const dataset::Where where = dataset::Where::Compile(conditions, columns, row.sources, row.problems);
  Compare(row, row.problems.HasErrors() ? FirstError(row) : Value(where.Holds(cells, row.sources)), outcome);
}

void RunSelect(DatasetRow& row, Outcome& outcome) {
  const auto texts = [](const Value& list) {
    std::vector<std::string> out;
    if (!list.is_list()) return out;
    for (const Value& each : list.AsList()) out.push_back(each.AsString());
    return out;
  };
  Map options = row.In("options").AsMap();
  options.Append("rows", List{});
  std::optional<dataset::Options> read = dataset::ReadOptions(Value(std::move(options)), row.problems);
  if (!read) return Compare(row, FirstError(row), outcome);
  dataset::Selection selection{.shuffle_seed = read->shuffle, .limit = read->limit};
  if (read->sample) {
    selection.sample = read->sample->count;
    selection.sample_seed = read->sample->seed;
  }
  const std::vector<std::string> ids = texts(row.In("ids"));
  std::vector<std::string> chosen;
  for (const std::size_t place : dataset::Select(ids, texts(row.In("groups")), selection))
    chosen.push_back(ids[place]);
  Compare(row, Value(TextList(chosen)), outcome);
}

std::vector<std::string> ColumnsOf(const DatasetRow& row) {
  std::vector<std::string> columns;
  if (row.In("columns").is_list()) {
    for (const Value& each : row.In("columns").AsList()) columns.push_back(each.AsString());
  } else {
    for (const Member& member : row.In("row").AsMap()) columns.push_back(member.key);
  }
  return columns;
}

void RunTemplate(DatasetRow& row, Outcome& outcome) {
  const std::vector<std::string> columns = ColumnsOf(row);
  const auto compiled = BracesEngine().Compile(row.In("template").AsString(), columns);
  if (const auto* problem = std::get_if<TemplateProblem>(&compiled))
    return Compare(row, TemplateError(*problem, row), outcome);
  const Templated<std::string> text =
      std::get<0>(compiled)->Text({row.In("row").AsMap(), row.sources, 1, "id"});
  if (const auto* problem = std::get_if<TemplateProblem>(&text))
    return Compare(row, TemplateError(*problem, row), outcome);
  Compare(row, Value(std::get<std::string>(text)), outcome);
}

void RunFill(DatasetRow& row, Outcome& outcome) {
  const std::vector<std::string> columns = ColumnsOf(row);
  TreeFiller filler(BracesEngine(), columns);
  std::optional<FillProblem> problem;
  Value filled = filler.Fill(row.In("tree"), {row.In("row").AsMap(), row.sources, 1, "id"}, problem);
  if (problem) return Compare(row, TemplateError(problem->problem, row), outcome);
  Map got;
  if (filled.is_undefined()) {
    got.Append("left_out", true);
  } else {
    got.Append("value", std::move(filled));
  }
  Compare(row, Value(std::move(got)), outcome);
}

void RunExpand(DatasetRow& row, Outcome& outcome) {
  Map header = row.In("header").AsMap();
  for (const Member& file : row.In("files").AsMap()) row.files.Add(file.key, file.value.AsString());
  blueprint::DatasetReading reading{.folder = "", .files = row.files, .sources = row.sources};
  const std::vector<blueprint::PromptEntry> entries =
      blueprint::ExpandDatasets(header, row.In("prompts").AsList(), reading);
  row.problems = reading.problems;
  if (row.problems.HasErrors()) return Compare(row, FirstError(row), outcome);
  List got;
  for (const blueprint::PromptEntry& entry : entries) got.push_back(entry.value);
  Compare(row, Value(std::move(got)), outcome);
}

void RunShots(DatasetRow& row, Outcome& outcome) {
  Map map = row.In("options").AsMap();
  map.Append("assistant", "{{a}}");
  const std::optional<dataset::ShotOptions> options =
      dataset::ReadShotOptions(Value(std::move(map)), row.problems);
  if (!options) return Compare(row, FirstError(row), outcome);
  const auto shot_of = [&](const Value& each, std::string_view cells, std::string_view text) {
    dataset::Row shown;
    shown.cells = Get(each, cells).AsMap();
    shown.id = GetText(each, "id");
    dataset::ShotRow shot = dataset::ShotRowOf(shown, *options, row.sources);
    shot.words = dataset::SqueezedWords(GetText(each, text));
    return shot;
  };
  std::vector<dataset::ShotRow> rows;
  std::vector<std::string> ids;
  for (const Value& each : row.In("pool").AsList()) {
    rows.push_back(shot_of(each, "row", "text"));
    ids.push_back(rows.back().id);
  }
  dataset::ShotPool pool(std::move(rows), *options);
  std::vector<std::string> chosen;
  for (const std::size_t place :
       pool.Pick(shot_of(Get(row.row, "in"), "row", "question"), options->seeds.front()))
    chosen.push_back(ids[place]);
  if (chosen.size() == options->count) return Compare(row, Value(TextList(chosen)), outcome);
  Map few;
  few.Append("error", "shots.few");
  few.Append("found", static_cast<double>(chosen.size()));
  few.Append("wanted", static_cast<double>(options->count));
  Compare(row, Value(std::move(few)), outcome);
}

template <void (*kRun)(DatasetRow&, Outcome&)>
Outcome RunDataset(const std::string& path) {
  Outcome outcome;
  const std::string text = ReadAll(path);
  std::size_t number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    DatasetRow row(std::string_view(text).substr(start, end - start));
    start = end + 1;
    outcome.place = fmt::format("row {} ({})", ++number, GetText(row.row, "name"));
    if (!row.row.is_map()) {
      outcome.Fail("the row is no JSON");
      continue;
    }
    kRun(row, outcome);
  }
  outcome.place.clear();
  return outcome;
}

constexpr GoldenRow kRows[] = {
    {"datasets/read.jsonl", RunDataset<RunRead>},         {"datasets/id.jsonl", RunDataset<RunId>},
    {"datasets/where.jsonl", RunDataset<RunWhere>},       {"datasets/select.jsonl", RunDataset<RunSelect>},
    {"datasets/template.jsonl", RunDataset<RunTemplate>}, {"datasets/fill.jsonl", RunDataset<RunFill>},
    {"datasets/expand.jsonl", RunDataset<RunExpand>},     {"datasets/shots.jsonl", RunDataset<RunShots>},
};

}  // namespace
}  // namespace dataset_rows

std::span<const GoldenRow> DatasetRows() { return dataset_rows::kRows; }

}  // namespace assay::conformance
