// Tests of leaderboard rows and records made from score tables.
#include "dialects/infibench/leaderboard.h"

#include <doctest/doctest.h>

namespace assay::infibench {
namespace {

std::string Cell(const LeaderboardRow& row, std::string_view column) {
  for (const auto& [name, cell] : row) {
    if (name == column) return cell;
  }
  return "(no such column)";
}

CaseResult CaseOf(std::int64_t level, double now_score, std::vector<std::optional<double>> scores) {
  CaseResult result{
      .path = "a.yaml", .full_score = 1, .now_score = now_score, .all_scores = std::move(scores)};
  if (level != 0) result.fields.Append("level", level);
  return result;
}

ScoreTable TableOf(std::string model, double score) {
  return {.model = std::move(model),
          .bucket_totals = {score},
          .rows = {{"Overall Score", score, 0.01, 2}, {"Lang: c", score, 0, 1.5}, {"Type: t", 0, 0, 0.5}}};
}

TEST_CASE("a row that was measured by more of the suite is the fuller one of a model") {
  Map model;
  model.Append("raw_name", "lathe-2");
  const CaseResult results[] = {CaseOf(1, 1, {1.0})};
  ScoreTable whole = TableOf("this", 1);
  ScoreTable part = TableOf("this", 1);
  part.rows.front().full_score = 1;
  const std::vector<LeaderboardRow> rows = {MakeLeaderboardRow(whole, results, model)};
  CHECK(HasFullerRow(MakeLeaderboardRow(part, results, model), rows));
  CHECK_FALSE(HasFullerRow(rows.front(), rows));
  model.Set("raw_name", "lathe-3");
  CHECK_FALSE(HasFullerRow(MakeLeaderboardRow(part, results, model), rows));
}

TEST_CASE("a row says what is known of the model and what its table holds") {
  Map model;
  model.Append("model_family", "Inventions");
  model.Append("raw_name", "lathe-2");
  model.Append("temp", 0.2);
  model.Append("top_p", 0.9);
  model.Append("sample_n", std::int64_t{30});
  const CaseResult results[] = {CaseOf(1, 1, {0.5, 1.0}), CaseOf(2, 0.5, {0.0, std::nullopt, 1.0}),
                                CaseOf(0, 0.25, {})};
  const LeaderboardRow row = MakeLeaderboardRow(TableOf("this", 1), results, model);
  struct Want {
    std::string_view column;
    std::string_view cell;
  };
  const Want wanted[] = {
      {"raw_name", "lathe-2"},
      {"print_name", "lathe-2"},
      {"model_family", "Inventions"},
      {"eval_type", ""},
      {"gen_params", "(0.2,0.9)"},
      {"num_responses", "30"},
      {"Overall Score_score", "50.00%"},
      {"Overall Score_std", "0.50%"},
      {"Overall Score_num_pblms", "2"},
      {"mean_score_score", "50.00%"},
      {"overall_maxscore_score", "75.00%"},
      {"Group: level-1_score", "100.00%"},
      {"Group: level-1_mean_score", "75.00%"},
      {"Group: level-2_maxscore", "100.00%"},
      {"Group: level-2_num_pblms", "1"},
      {"Group: level-3_score", ""},
      {"Group: level-3_num_pblms", ""},
      {"Lang: c_num_pblms", "1.50"},
      {"Type: t_score", "0.00%"},
  };
  for (const Want& want : wanted) {
    CAPTURE(want.column);
    CHECK(Cell(row, want.column) == want.cell);
  }
  // Types stand before languages.
  CHECK(WriteLeaderboardCsv({&row, 1}).find("Type: t_score") <
        WriteLeaderboardCsv({&row, 1}).find("Lang: c_score"));
}

TEST_CASE("records are ranked, ablations and people left out") {
  std::vector<LeaderboardRow> rows;
  struct Model {
    std::string_view name;
    std::string_view eval_type;
    double score;
  };
  for (const Model& one :
       {Model{"low", "Open", 0.18}, Model{"person", "Human", 2}, Model{"high", "Closed", 1.1},
        Model{"cut", "Ablation", 1}, Model{"low too", "Open", 0.18}}) {
    Map model;
    model.Append("eval_type", one.eval_type);
    rows.push_back(MakeLeaderboardRow(TableOf(std::string(one.name), one.score), {}, model));
  }
  const List records = LeaderboardRecords(rows);
  REQUIRE(records.size() == 3);
  const std::string_view titles[] = {"/high", "/low", "/low too"};
  for (std::size_t at = 0; at < records.size(); ++at) {
    CHECK(records[at].Find("title")->AsString() == titles[at]);
    CHECK(records[at].Find("rank")->AsInt() == static_cast<std::int64_t>(at + 1));
  }
  CHECK(records[0].Find("locked")->AsBool());
  CHECK(records[0].Find("score_std")->AsString() == "0.50%");
  CHECK(LeaderboardDocument(rows).Find("settings")->AsString() == "main");
}

TEST_CASE("a model's row takes the place of its earlier one") {
  const auto row = [](std::string name, std::string parameters, std::string family, std::string score) {
    return LeaderboardRow{{"raw_name", std::move(name)},
                          {"gen_params", std::move(parameters)},
                          {"model_family", std::move(family)},
                          {"Overall Score_score", std::move(score)}};
  };
  std::vector<LeaderboardRow> rows = {row("a", "(0.2,0.9)", "A, by hand", "1.00%"),
                                      row("b", "", "", "2.00%")};
  PutLeaderboardRow(row("a", "(0.2,0.9)", "", "3.00%"), rows);
  PutLeaderboardRow(row("a", "(1,1)", "", "4.00%"), rows);
  const Result<std::vector<LeaderboardRow>> read = ReadLeaderboardCsv(WriteLeaderboardCsv(rows));
  REQUIRE(read.has_value());
  CHECK(*read == rows);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == row("a", "(0.2,0.9)", "A, by hand", "3.00%"));
  CHECK(rows[2] == row("a", "(1,1)", "", "4.00%"));
  CHECK(ReadLeaderboardCsv("")->empty());
  CHECK(!ReadLeaderboardCsv("a,b\n1,2\n").has_value());
}

TEST_CASE("main.csv has the columns of all rows") {
  const LeaderboardRow rows[] = {{{"a", "1"}, {"b", "x,y"}}, {{"a", "2"}, {"c", "3"}}};
  CHECK(WriteLeaderboardCsv(rows) ==
        "\xEF\xBB\xBF"
        "a,b,c\n1,\"x,y\",\n2,,3\n");
}

}  // namespace
}  // namespace assay::infibench
