// Builds the rows of main.csv and the records of leaderboard.yaml.
#include "dialects/infibench/leaderboard.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/text/byte_order_mark.h"
#include "text/csv.h"
#include "text/object.h"
#include "text/python/text.h"

namespace assay::infibench {
namespace {

constexpr int kLevels = 5;
constexpr std::string_view kPoints = "Overall Score_num_pblms";

// The columns that describe a model, in the file's order. The first has no name in the file but the one that
// pandas gives it.
constexpr std::array<std::string_view, 13> kModelColumns = {
    "Unnamed: 0", "no",         "eval_type",    "raw_name",   "model_family", "print_name",   "type",
    "domain",     "ctx_length", "model_params", "gen_params", "humaneval",    "num_responses"};

std::string TextOf(const Value* value) {
  if (value == nullptr) return {};
  if (value->is_string()) return value->AsString();
  if (value->kind() == ValueKind::kInt) return fmt::format("{}", value->AsInt());
  if (value->is_number()) return PythonFloatText(value->AsNumber());
  return {};
}

std::string ModelCell(std::string_view column, const ScoreTable& table, const Map& model) {
  if (const std::string text = TextOf(model.Find(column)); !text.empty()) return text;
  if (column == "raw_name") return table.model;
  if (column == "print_name") return ModelCell("raw_name", table, model);
  if (column == "num_responses") return TextOf(model.Find("sample_n"));
  if (column == "gen_params" && model.Find("temp") != nullptr && model.Find("top_p") != nullptr) {
    return fmt::format("({},{})", TextOf(model.Find("temp")), TextOf(model.Find("top_p")));
  }
  return {};
}

// "50", "168.93": points without needless decimals.
std::string PointsCell(double points) {
  std::string cell = ScoreCell(points);
  if (cell.ends_with(".00")) cell.resize(cell.size() - 3);
  return cell;
}

// What a set of cases gave: by the suite's own reduction, and by the mean and the best of all attempts.
struct LevelTotals {
  double full_score = 0;
  double now_score = 0;
  double mean = 0;
  double best = 0;

  void Add(const CaseResult& result) {
    full_score += result.full_score * result.weight;
    now_score += result.now_score * result.weight;
    std::vector<double> scores;
    for (const auto& score : result.all_scores) {
      if (score) scores.push_back(*score);
    }
    if (scores.empty()) scores.push_back(result.now_score);
    double sum = 0;
    for (const double score : scores) sum += score;
    mean += sum / static_cast<double>(scores.size()) * result.weight;
    best += *std::max_element(scores.begin(), scores.end()) * result.weight;
  }
};

// The case's level, or 0.
int LevelOf(const CaseResult& result) {
  const double number = result.fields.NumberAt("level").value_or(0);
  return number >= 1 && number <= kLevels && number == std::floor(number) ? static_cast<int>(number) : 0;
}

void AppendGroups(std::span<const CaseResult> results, LeaderboardRow& row) {
  LevelTotals all;
  std::array<LevelTotals, kLevels> levels;
  for (const CaseResult& result : results) {
    if (!result.error.empty()) continue;
    all.Add(result);
    if (const int level = LevelOf(result); level > 0) levels[static_cast<std::size_t>(level - 1)].Add(result);
  }
  row.emplace_back("mean_score_score", PercentCell(all.mean, all.full_score));
  row.emplace_back("overall_maxscore_score", PercentCell(all.best, all.full_score));
  for (std::size_t at = 0; at < levels.size(); ++at) {
    const LevelTotals& level = levels[at];
    const std::string name = fmt::format("Group: level-{}", at + 1);
    row.emplace_back(name + "_score", PercentCell(level.now_score, level.full_score));
    row.emplace_back(name + "_num_pblms", level.full_score == 0 ? "" : PointsCell(level.full_score));
    row.emplace_back(name + "_maxscore", PercentCell(level.best, level.full_score));
    row.emplace_back(name + "_mean_score", PercentCell(level.mean, level.full_score));
  }
}

void AppendScores(const ScoreRow& score, LeaderboardRow& row) {
  row.emplace_back(score.label + "_score", PercentCell(score.score, score.full_score));
  row.emplace_back(score.label + "_std", PercentCell(score.deviation, score.full_score));
  row.emplace_back(score.label + "_num_pblms", PointsCell(score.full_score));
}

std::string CellText(const LeaderboardRow& row, std::string_view column) {
  const auto cell =
      std::find_if(row.begin(), row.end(), [column](const auto& pair) { return pair.first == column; });
  return cell == row.end() ? std::string() : cell->second;
}

std::string* FindCell(LeaderboardRow& row, std::string_view column) {
  const auto cell =
      std::find_if(row.begin(), row.end(), [column](const auto& pair) { return pair.first == column; });
  return cell == row.end() ? nullptr : &cell->second;
}

// "86.46%" as 86.46.
double NumberOf(const std::string& cell) {
  double number = 0;
  std::from_chars(cell.data(), cell.data() + cell.size(), number);
  return number;
}

// Whether two rows are of one model with one set of parameters.
bool IsOfTheSame(const LeaderboardRow& row, const LeaderboardRow& other) {
  return CellText(other, "raw_name") == CellText(row, "raw_name") &&
         CellText(other, "gen_params") == CellText(row, "gen_params");
}

Map Record(const LeaderboardRow& row) {
  const std::string deviation = CellText(row, "Overall Score_std");
  return Object{{"title", CellText(row, "model_family") + "/" + CellText(row, "print_name")},
                {"locked", CellText(row, "eval_type") == "Closed"},
                {"size", CellText(row, "model_params")},
                {"score", CellText(row, "Overall Score_score")},
                {"score_std", deviation == "0.00%" ? "" : deviation},
                {"ctx_length", CellText(row, "ctx_length")},
                {"modeltype", CellText(row, "type")},
                {"modeldomain", CellText(row, "domain")},
                {"link", Null{}},
                {"comment", Null{}}};
}

}  // namespace

LeaderboardRow MakeLeaderboardRow(const ScoreTable& table, std::span<const CaseResult> results,
                                  const Map& model) {
  LeaderboardRow row;
  for (const std::string_view column : kModelColumns) {
    row.emplace_back(column, ModelCell(column, table, model));
  }
  AppendScores(table.rows.front(), row);
  AppendGroups(results, row);
  for (const std::string_view kind : {"Type: ", "Metric: ", "Lang: "}) {
    for (const ScoreRow& score : table.rows) {
      if (score.label.starts_with(kind)) AppendScores(score, row);
    }
  }
  for (const std::string_view column : {"tablefile", "yamlfile"}) {
    row.emplace_back(column, ModelCell(column, table, model));
  }
  return row;
}

bool HasFullerRow(const LeaderboardRow& row, std::span<const LeaderboardRow> rows) {
  return std::any_of(rows.begin(), rows.end(), [&row](const LeaderboardRow& other) {
    return IsOfTheSame(row, other) && NumberOf(CellText(other, kPoints)) > NumberOf(CellText(row, kPoints));
  });
}

void PutLeaderboardRow(LeaderboardRow row, std::vector<LeaderboardRow>& rows) {
  const auto same = std::find_if(rows.begin(), rows.end(),
                                 [&row](const LeaderboardRow& other) { return IsOfTheSame(row, other); });
  if (same == rows.end()) {
    rows.push_back(std::move(row));
    return;
  }
  for (const std::string_view column : kModelColumns) {
    std::string* const cell = FindCell(row, column);
    if (cell != nullptr && cell->empty()) *cell = CellText(*same, column);
  }
  *same = std::move(row);
}

Result<std::vector<LeaderboardRow>> ReadLeaderboardCsv(std::string_view text) {
  text = WithoutByteOrderMark(text);
  ASSAY_TRY(const std::vector<std::vector<std::string>> lines, ParseCsv(text));
  std::vector<LeaderboardRow> rows;
  if (lines.empty()) return rows;
  const std::vector<std::string>& columns = lines.front();
  if (std::find(columns.begin(), columns.end(), "raw_name") == columns.end()) {
    return Error{
        ErrorCode::kInvalidInput,
        "a leaderboard has a column raw_name, and this file has none; move it away to start a new one"};
  }
  for (std::size_t line = 1; line < lines.size(); ++line) {
    LeaderboardRow& row = rows.emplace_back();
    for (std::size_t at = 0; at < columns.size(); ++at) {
      row.emplace_back(columns[at], at < lines[line].size() ? lines[line][at] : std::string());
    }
  }
  return rows;
}

std::string WriteLeaderboardCsv(std::span<const LeaderboardRow> rows) {
  std::vector<std::string> columns;
  for (const LeaderboardRow& row : rows) {
    for (const auto& [column, cell] : row) {
      if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
    }
  }
  std::string csv(kByteOrderMark);
  AppendCsvRow(columns, csv);
  for (const LeaderboardRow& row : rows) {
    std::vector<std::string> cells;
    for (const std::string& column : columns) cells.push_back(CellText(row, column));
    AppendCsvRow(cells, csv);
  }
  return csv;
}

List LeaderboardRecords(std::span<const LeaderboardRow> rows) {
  std::vector<const LeaderboardRow*> shown;
  for (const LeaderboardRow& row : rows) {
    const std::string eval_type = CellText(row, "eval_type");
    if (eval_type != "Ablation" && eval_type != "Human") shown.push_back(&row);
  }
  std::stable_sort(shown.begin(), shown.end(), [](const LeaderboardRow* a, const LeaderboardRow* b) {
    return NumberOf(CellText(*a, "Overall Score_score")) > NumberOf(CellText(*b, "Overall Score_score"));
  });
  List records;
  for (std::size_t at = 0; at < shown.size(); ++at) {
    Map record = Record(*shown[at]);
    record.Append("rank", static_cast<std::int64_t>(at + 1));
    records.push_back(std::move(record));
  }
  return records;
}

Map LeaderboardDocument(std::span<const LeaderboardRow> rows) {
  return Object{{"settings", "main"}, {"records", LeaderboardRecords(rows)}};
}

}  // namespace assay::infibench
