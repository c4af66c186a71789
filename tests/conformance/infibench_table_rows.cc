// Golden files of InfiBench's scores and tables: published grades, score tables, leaderboard rows.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/core.h>

#include "dialects/infibench/case_result.h"
#include "dialects/infibench/leaderboard.h"
#include "dialects/infibench/score_table.h"
#include "spec/report/reduce.h"
#include "tests/conformance/conformance.h"
#include "text/json/json.h"
#include "text/yaml/yaml.h"

namespace assay::conformance {
namespace {

namespace fs = std::filesystem;
using infibench::CaseResult;
using infibench::LeaderboardRow;
using infibench::ResultForm;
using infibench::ScoreRow;
using infibench::TableOptions;

// The reduction of all published suites, and the buckets of their tables.
constexpr std::string_view kPublishedReducer = "avg_max_10";

std::string ReadText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Value ReadYamlFile(const fs::path& path) {
  const std::string text = ReadText(path);
  SourceFiles sources;
  Diagnostics diagnostics;
  const FileId file = sources.Add(path.string(), text);
  const std::vector<Value> documents = ReadYaml(file, text, YamlRules::kPyYaml, diagnostics);
  return documents.empty() ? Value() : documents.front();
}

Value ReadJsonFile(const fs::path& path) {
  const Result<Value> value = ParseJson(ReadText(path));
  return value.has_value() ? *value : Value();
}

double NumberAt(const Value& map, std::string_view key) {
  const Value& value = Get(map, key);
  return value.is_number() ? value.AsNumber() : 0;
}

void SameText(std::string_view what, const std::string& want, const std::string& got, Outcome& outcome) {
  if (want == got) return outcome.Pass();
  const auto place = std::mismatch(want.begin(), want.end(), got.begin(), got.end());
  const auto at = static_cast<std::size_t>(place.first - want.begin());
  const std::size_t from = at < 40 ? 0 : at - 40;
  outcome.Fail(fmt::format("{}: differs at byte {}: want {}, got {}", what, at, Quoted(want.substr(from, 80)),
                           Quoted(got.substr(std::min(from, got.size()), 80))));
}

// The cases of a published result file, from its lines "case" and "attempt".
std::vector<CaseResult> ReadGrades(const std::string& path, Outcome& outcome) {
  std::vector<CaseResult> results;
  std::map<std::string, std::size_t> places;
  outcome = ForEachLine(path, [&](std::size_t, const Value& row, Outcome&) {
    const auto [place, is_new] = places.emplace(GetText(row, "case"), results.size());
    if (is_new) results.emplace_back().path = place->first;
    CaseResult& result = results[place->second];
    if (GetText(row, "kind") == "attempt") {
      result.detail.push_back(row);
      return;
    }
    result.full_score = NumberAt(row, "full_score");
    result.now_score = NumberAt(row, "now_score");
    result.now_std = NumberAt(row, "now_std");
    result.fields.Append("lang", Get(row, "lang"));
    result.fields.Append("type", Get(row, "type"));
  });
  return results;
}

// Scores recomputed from their components are the published ones, bit for bit.
Outcome RunGrades(const std::string& path) {
  Outcome outcome;
  const std::vector<CaseResult> results = ReadGrades(path, outcome);
  for (const CaseResult& result : results) {
    std::vector<double> scores;
    for (const Value& attempt : result.detail) {
      const auto score = infibench::AttemptScore(attempt, result.full_score);
      if (score) scores.push_back(*score);
    }
    outcome.place = result.path;
    if (scores.size() != result.detail.size() || scores.empty()) {
      outcome.Fail("an attempt has no score");
      continue;
    }
    const Reduced reduced = (*FindReducer(kPublishedReducer))(scores);
    outcome.Same("now_score", result.now_score, reduced.value);
    outcome.Same("now_std", result.now_std, reduced.deviation);
  }
  return outcome;
}

// suite_small/tables: in_NAME.yaml with NAME.txt, NAME.csv and NAME.stdout, where NAME says whose form the
// file has and how many attempts are in a bucket.
void RunSmallTable(const fs::path& input, Outcome& outcome) {
  const std::string name = input.stem().string().substr(std::string_view("in_").size());
  const fs::path folder = input.parent_path();
  const auto results = infibench::ReadCaseResults(ReadYamlFile(input));
  if (!results.has_value()) return outcome.Fail(name + ": " + results.error().message);
  const std::size_t mode = name.find('_') + 1;
  TableOptions options{.form = name.starts_with("harness") ? ResultForm::kHarness : ResultForm::kEvaluator,
                       .buckets = infibench::BucketsOf(name.substr(mode)).value(),
                       .model = "demo",
                       .custom_metrics = {}};
  for (const CaseResult& result : *results) {
    const Value case_file = ReadYamlFile(folder.parent_path() / result.path);
    const std::string metric = GetText(Get(Get(case_file, "grading"), "customized"), "real_metric_type");
    if (!metric.empty()) options.custom_metrics.emplace(result.path, metric);
  }
  const infibench::ScoreTable table = infibench::BuildScoreTable(*results, options);
  const std::string text = infibench::WriteTableText({&table, 1});
  SameText(name + ".txt", ReadText(folder / (name + ".txt")), text, outcome);
  if (fs::exists(folder / (name + ".csv"))) {
    SameText(name + ".csv", ReadText(folder / (name + ".csv")), infibench::WriteTableCsv({&table, 1}),
             outcome);
  }
  const std::string said = ReadText(folder / (name + ".stdout"));
  SameText(name + ".stdout", said.substr(0, said.find('\n')), infibench::BucketTotalsLine(table), outcome);
}

Outcome RunSmallTables(const std::string& path) {
  Outcome outcome;
  std::vector<fs::path> inputs;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("in_") && name.ends_with(".yaml")) inputs.push_back(entry.path());
  }
  std::sort(inputs.begin(), inputs.end());
  for (const fs::path& input : inputs) RunSmallTable(input, outcome);
  return outcome;
}

// Published tables of a model, from its published grades.
void RunPublishedTables(const fs::path& folder, const std::string& model, Outcome& outcome) {
  Outcome reading;
  const auto results = ReadGrades(folder.parent_path() / ("grades_" + model + ".jsonl"), reading);
  if (results.empty()) return outcome.Skip("the grades of " + model + " are not there");
  TableOptions options{.model = model, .custom_metrics = {}};
  // The one customized case of the published suite is a matter of keywords; the grades do not say so.
  for (const CaseResult& result : results) options.custom_metrics.emplace(result.path, "keywords");
  const infibench::ScoreTable table = infibench::BuildScoreTable(results, options);
  SameText("text of " + model, ReadText(folder / ("example_table_" + model + ".txt")),
           infibench::WriteTableText({&table, 1}), outcome);
  const fs::path csv = folder / ("table_" + model + ".csv");
  if (fs::exists(csv)) {
    SameText("CSV of " + model, ReadText(csv), infibench::WriteTableCsv({&table, 1}), outcome);
  }
}

// A table that was printed: labels, percentages and full scores.
struct PrintedRow {
  std::string label;
  std::string score;
  std::string deviation;
  std::string percent;
  std::string percent_deviation;
  std::string full_score;
};

std::vector<PrintedRow> ReadPrintedTable(const std::string& text) {
  std::vector<PrintedRow> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("±") == std::string::npos) continue;
    const std::size_t bar = line.find('|');
    PrintedRow row;
    row.label = line.substr(1, line.find_last_not_of(' ', bar - 1));
    std::string rest = line.substr(bar);
    std::replace(rest.begin(), rest.end(), '|', ' ');
    std::istringstream(rest) >> row.score >> row.deviation >> row.percent >> row.percent_deviation >>
        row.full_score;
    rows.push_back(std::move(row));
  }
  return rows;
}

// The harness's scores of attempts say nothing of components: one component stands for all of them, and the
// metrics of the printed table are not compared.
void RunHarnessScores(const fs::path& scores, const fs::path& printed, Outcome& outcome) {
  std::vector<CaseResult> results;
  const Value cases = ReadJsonFile(scores);
  if (!cases.is_map()) return outcome.Fail("the scores cannot be read");
  std::vector<double> reduced;
  for (const Member& one : cases.AsMap()) {
    CaseResult result;
    result.path = one.key;
    result.full_score = NumberAt(one.value, "full_score");
    result.now_score = NumberAt(one.value, "now_score");
    result.fields.Append("lang", Get(one.value, "lang"));
    result.fields.Append("type", Get(one.value, "type"));
    std::vector<double> values;
    for (const Value& score : Get(one.value, "all_scores").AsList()) {
      Map attempt;
      attempt.Append("custom_score", score);
      attempt.Append("custom_totscore", result.full_score);
      result.detail.push_back(std::move(attempt));
      values.push_back(score.AsNumber());
    }
    const Reduced both = (*FindReducer(kPublishedReducer))(values);
    outcome.Same(one.key, result.now_score, both.value);
    outcome.Same(one.key, Get(one.value, "now_std"), both.deviation);
    results.push_back(std::move(result));
  }
  const infibench::ScoreTable table = infibench::BuildScoreTable(results, {.form = ResultForm::kHarness});
  for (const PrintedRow& want : ReadPrintedTable(ReadText(printed))) {
    if (want.label.starts_with("Metric: ")) continue;
    const auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                  [&want](const ScoreRow& r) { return r.label == want.label; });
    if (row == table.rows.end()) {
      outcome.Fail("no row " + want.label);
      continue;
    }
    SameText(want.label, want.score + " " + want.deviation + " " + want.percent + " " + want.full_score,
             fmt::format(
                 "{} ±{} {} {}", infibench::ScoreCell(row->score), infibench::ScoreCell(row->deviation),
                 infibench::PercentCell(row->score, row->full_score), infibench::ScoreCell(row->full_score)),
             outcome);
  }
}

LeaderboardRow RowOf(const Value& columns, const Value& cells) {
  LeaderboardRow row;
  for (const Value& column : columns.AsList()) {
    row.emplace_back(column.AsString(), GetText(cells, column.AsString()));
  }
  return row;
}

// The published rows give the published records; ranks are among the rows that are there.
void RunLeaderboard(const fs::path& folder, Outcome& outcome) {
  const Value rows = ReadJsonFile(folder / "leaderboard_rows.json");
  const Value records = ReadJsonFile(folder / "leaderboard_records.json");
  if (!rows.is_map() || !records.is_list()) return outcome.Skip("no leaderboard is there");
  std::vector<LeaderboardRow> board;
  for (const Value& row : Get(rows, "rows").AsList()) board.push_back(RowOf(Get(rows, "columns"), row));
  std::map<std::string, Value> wanted;
  for (const Value& record : records.AsList()) wanted.emplace(GetText(record, "title"), record);
  for (Value record : infibench::LeaderboardRecords(board)) {
    Value want = wanted[GetText(record, "title")];
    if (want.is_map()) want.AsMap().Erase("rank");
    record.AsMap().Erase("rank");
    outcome.Same(GetText(record, "title"), want, record);
  }
  // The columns that a table of the same suite gives.
  infibench::ScoreTable table;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("v21_table_")) continue;
    for (const PrintedRow& row : ReadPrintedTable(ReadText(entry.path()))) {
      table.rows.push_back({.label = row.label, .score = 0, .deviation = 0, .full_score = 1});
    }
    break;
  }
  if (table.rows.empty()) return;
  List columns;
  for (const auto& named : infibench::MakeLeaderboardRow(table, {}, {})) columns.push_back(named.first);
  outcome.Same("columns of main.csv", Get(rows, "columns"), columns);
}

// All records, shuffled and ranked again by their scores.
void RunRanking(const fs::path& folder, Outcome& outcome) {
  const Value records = ReadJsonFile(folder / "leaderboard_records.json");
  if (!records.is_list()) return;
  std::vector<LeaderboardRow> board;
  for (const Value& record : records.AsList()) {
    const std::string title = GetText(record, "title");
    const std::size_t slash = title.find('/');
    const bool locked = Get(record, "locked").is_bool() && Get(record, "locked").AsBool();
    board.push_back({{"model_family", title.substr(0, slash)},
                     {"print_name", title.substr(slash + 1)},
                     {"eval_type", locked ? "Closed" : "Open"},
                     {"model_params", GetText(record, "size")},
                     {"type", GetText(record, "modeltype")},
                     {"domain", GetText(record, "modeldomain")},
                     {"ctx_length", GetText(record, "ctx_length")},
                     {"Overall Score_score", GetText(record, "score")},
                     {"Overall Score_std", GetText(record, "score_std")}});
  }
  // Like scores keep their order: those that end in an odd digit go first.
  std::stable_partition(board.begin(), board.end(), [](const LeaderboardRow& row) {
    const std::string& score = row[7].second;
    return score.size() > 1 && (score[score.size() - 2] - '0') % 2 == 1;
  });
  const List ranked = infibench::LeaderboardRecords(board);
  for (std::size_t at = 0; at < ranked.size(); ++at) {
    Value want = records.AsList()[at];
    Value got = ranked[at];
    got.AsMap().Set("rank", got.Find("rank")->AsNumber());
    outcome.Same("record", want, got);
  }
}

Outcome RunExpectedTables(const std::string& path) {
  constexpr std::string_view kExample = "example_table_";
  constexpr std::string_view kScores = "v21_scores_";
  Outcome outcome;
  std::vector<fs::path> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    const std::string name = entry.stem().string();
    if (name.starts_with(kExample)) RunPublishedTables(path, name.substr(kExample.size()), outcome);
    if (name.starts_with(kScores)) {
      // The stem of "v21_scores_M-0.2-0.9-30.json".
      RunHarnessScores(entry, fs::path(path) / ("v21_table_" + name.substr(kScores.size()) + ".txt"),
                       outcome);
    }
  }
  RunLeaderboard(path, outcome);
  RunRanking(path, outcome);
  return outcome;
}

constexpr GoldenRow kInfibenchTableRows[] = {
    {"infibench/grades_*.jsonl", RunGrades},
    {"infibench/expected_tables", RunExpectedTables},
    {"infibench/suite_small/tables", RunSmallTables},
};

}  // namespace

std::span<const GoldenRow> InfiBenchTableRows() { return kInfibenchTableRows; }

}  // namespace assay::conformance
