// Writes the files of a finished run in the layout of InfiBench's tools.
#include <fmt/core.h>

#include <map>
#include <set>

#include "base/files/path_names.h"
#include "base/hash.h"
#include "dialects/infibench/case_file.h"
#include "dialects/infibench/infibench.h"
#include "dialects/infibench/leaderboard.h"
#include "dialects/infibench/results.h"
#include "spec/suite/suite.h"
#include "text/object.h"
#include "text/python/text.h"
#include "text/yaml/python_yaml.h"

namespace assay::infibench {

namespace {

constexpr std::size_t kNameBytesMax = 160;  // with what stands before and behind, one part of a path
constexpr std::size_t kHashDigits = 12;

// A name that is one part of a path on every system.
std::string AsFileName(std::string_view text) {
  std::string name(text);
  if (name.size() > kNameBytesMax) {
    std::size_t cut = kNameBytesMax;
    while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xc0) == 0x80)
      --cut;  // not inside a character
    name = fmt::format("{}_{}", text.substr(0, cut), HexPrefix(Sha256Of(text), kHashDigits));
  }
  for (char& c : name) {
    if (c == '/' || c == ':' || c == '\\') c = '_';
  }
  return name;
}

std::string NumberOrNone(const std::optional<double>& number) {
  return number ? PythonFloatText(*number) : std::string("none");
}

bool IsRecorded(const Variant& variant) { return variant.provider == "replay"; }

// MODEL_TEMP_TOPP_N_SUITE of a model that was asked; recorded answers keep the name of their folder.
std::string AnswersName(const Suite& suite, const Variant& variant) {
  if (IsRecorded(variant)) return AsFileName(variant.id);
  return fmt::format("{}_{}_{}_{}_{}", AsFileName(variant.id), NumberOrNone(variant.params.temperature),
                     NumberOrNone(variant.params.top_p), suite.attempts, suite.id);
}

// What the files of a case's answers are named after: its own name as the original's tools have it. Cases of
// one name in several folders get their folders' names before it; graders follow params.yaml and guess no
// name.
std::vector<std::string> AnswerStems(const Suite& suite) {
  std::map<std::string, int> counts;
  for (const Case& the_case : suite.cases) ++counts[std::string(StemOf(the_case.id))];
  std::set<std::string> taken;
  for (const auto& [stem, count] : counts) {
    if (count == 1) taken.insert(stem);
  }
  std::vector<std::string> stems;
  for (const Case& the_case : suite.cases) {
    std::string stem(StemOf(the_case.id));
    if (counts[stem] > 1) {
      stem = AsFileName(the_case.id.substr(0, the_case.id.rfind('/') + 1)) + stem;
      while (!taken.insert(stem).second) stem += fmt::format("-{}", stems.size());
    }
    stems.push_back(std::move(stem));
  }
  return stems;
}

// What stands in a model's row of the leaderboard beside its scores.
Map ModelOf(const Suite& suite, const Variant& variant) {
  Map model = variant.details.is_map() ? variant.details.AsMap() : Map();
  if (!IsRecorded(variant)) {
    if (variant.params.temperature) model.Set("temp", Value(*variant.params.temperature));
    if (variant.params.top_p) model.Set("top_p", Value(*variant.params.top_p));
    model.Set("sample_n", Value(std::int64_t{suite.attempts}));
  }
  const std::string stem = fmt::format("{}_{}", suite.id, AnswersName(suite, variant));
  model.Set("tablefile", Value(stem + "_table.txt"));
  model.Set("yamlfile", Value(stem + ".yaml"));
  return model;
}

ReportTable PageTable(const ScoreTable& table) {
  ReportTable of_page{.title = fmt::format("Scores of {}", table.model),
                      .head = {"", "score", "share", "full score"},
                      .rows = {}};
  for (const ScoreRow& row : table.rows) {
    of_page.rows.push_back({row.label,
                            row.has_score
                                ? fmt::format("{} ± {}", ScoreCell(row.score), ScoreCell(row.deviation))
                                : std::string("–"),
                            PercentCell(row.score, row.full_score), ScoreCell(row.full_score)});
  }
  return of_page;
}

class Writer {
 public:
  Writer(const Report& report, Sink& sink) : report_(report), suite_(*report.suite), sink_(sink) {}

  Status WriteVariant(VariantIndex variant) {
    const Variant& of = suite_.variants[variant];
    const std::string answers = AnswersName(suite_, of);
    const std::string stem = fmt::format("{}_{}", suite_.id, answers);
    ASSAY_CHECK_OK(WriteResults(variant, stem));
    return IsRecorded(of) ? Ok() : WriteAnswers(variant, answers);
  }

 private:
  Status WriteFile(const std::string& path, std::string_view text) {
    ASSAY_CHECK_OK(sink_.Open(path));
    ASSAY_CHECK_OK(sink_.Write(text));
    return sink_.Close();
  }

  // Keys stand in the order of their paths; totals are summed in the order of the suite.
  Status WriteResults(VariantIndex variant, const std::string& stem) {
    const std::vector<CaseIndex> by_path = CasesByPath(suite_);
    std::vector<CaseResult> results;  // by path
    std::vector<const CaseResult*> in_suite(suite_.cases.size());
    results.reserve(by_path.size());
    ASSAY_CHECK_OK(sink_.Open(stem + ".yaml"));
    if (!report_.stopped.empty()) ASSAY_CHECK_OK(sink_.Write(fmt::format("# {}\n", report_.stopped)));
    std::string text;
    for (const CaseIndex index : by_path) {
      ASSAY_TRY(CaseResult result, ResultOf(report_, index, variant));
      if (IsLeft(report_, result)) continue;
      text.clear();
      AppendPythonYamlMember(result.path, ToValue(result, FormOf(suite_)), text);
      ASSAY_CHECK_OK(sink_.Write(text));
      in_suite[index] = &results.emplace_back(WithoutTexts(std::move(result)));
    }
    if (results.empty()) ASSAY_CHECK_OK(sink_.Write("{}\n"));
    ASSAY_CHECK_OK(sink_.Close());
    Totals totals;
    for (CaseIndex i = 0; i < in_suite.size(); ++i) {
      const Case& the_case = suite_.cases[i];
      if (in_suite[i] == nullptr) continue;
      totals.Add(*in_suite[i], the_case.Asks(variant) && the_case.attempts.value_or(suite_.attempts) > 0);
    }
    ASSAY_CHECK_OK(WriteFile(stem + ".txt", SummaryText(totals)));
    const ScoreTable table = TableOf(suite_, variant, results);
    ASSAY_CHECK_OK(WriteFile(stem + "_table.txt", WriteTableText(std::span(&table, 1))));
    return WriteFile(stem + "_table.csv", WriteTableCsv(std::span(&table, 1)));
  }

  // What the original's grader reads: one file for each answer, and params.yaml that names them.
  Status WriteAnswers(VariantIndex variant, const std::string& folder) {
    const std::vector<std::string> stems = AnswerStems(suite_);
    Map answer_paths;
    for (CaseIndex i = 0; i < suite_.cases.size(); ++i) {
      List names;
      const CellRange pair = CellRange::OfPair(i, variant);
      ASSAY_CHECK_OK(report_.for_each_cell(pair, CellParts::kAll, [&](const Cell& cell) -> Status {
        if (cell.state == CellState::kSkipped || !cell.record.transcript.error.empty()) return Ok();
        std::string name = fmt::format("{}_{}.txt", stems[i], cell.attempt);
        ASSAY_CHECK_OK(WriteFile(fmt::format("{}/{}", folder, name), cell.record.transcript.SubjectText()));
        names.emplace_back(std::move(name));
        return Ok();
      }));
      if (!names.empty()) answer_paths.Set(suite_.cases[i].id, Value(std::move(names)));
    }
    const Variant& of = suite_.variants[variant];
    const auto number = [](const auto& value) { return OrNull(value); };
    return WriteFile(folder + "/params.yaml",
                     WritePythonYaml(Object{{"answer_paths", std::move(answer_paths)},
                                            {"model_name", of.model_id},
                                            {"temp", number(of.params.temperature)},
                                            {"top_p", number(of.params.top_p)},
                                            {"max_tokens", number(of.params.max_tokens)},
                                            {"sample_n", std::int64_t{suite_.attempts}},
                                            {"system_prompt", OrNull(of.system)}}));
  }

  const Report& report_;
  const Suite& suite_;
  Sink& sink_;
};

}  // namespace

}  // namespace assay::infibench

namespace assay {

Status WriteInfibench(const Report& report, Sink& sink) {
  infibench::Writer writer(report, sink);
  for (VariantIndex i = 0; i < report.suite->variants.size(); ++i) ASSAY_CHECK_OK(writer.WriteVariant(i));
  return Ok();
}

std::string InfibenchBoardPath(const Suite& suite) { return suite.id + "_leaderboard.csv"; }

Result<std::string> AddToInfibenchBoard(const Report& report, std::string_view existing,
                                        std::vector<std::string>& notes) {
  ASSAY_TRY(std::vector<infibench::LeaderboardRow> rows, infibench::ReadLeaderboardCsv(existing));
  for (VariantIndex i = 0; i < report.suite->variants.size(); ++i) {
    ASSAY_TRY(const std::vector<infibench::CaseResult> results, infibench::ResultsOf(report, i));
    const infibench::ScoreTable table = infibench::TableOf(*report.suite, i, results);
    const Map model = infibench::ModelOf(*report.suite, report.suite->variants[i]);
    infibench::LeaderboardRow row = infibench::MakeLeaderboardRow(table, results, model);
    const VariantSummary& counts = report.variants[i];
    // A row that was measured by more stays, unless it is the suite itself that has become smaller.
    const bool lacks_scores = counts.scored < counts.cells;
    if (lacks_scores && infibench::HasFullerRow(row, rows)) {
      notes.push_back(
          fmt::format("the leaderboard keeps the earlier row of {}: only {} of its {} answers "
                      "have a score now",
                      report.suite->variants[i].id, counts.scored, counts.cells));
      continue;
    }
    infibench::PutLeaderboardRow(std::move(row), rows);
  }
  return infibench::WriteLeaderboardCsv(rows);
}

std::string InfibenchRecordsPath(const Suite& suite) { return suite.id + "_leaderboard.yaml"; }

Result<std::string> InfibenchRecords(std::string_view board) {
  ASSAY_TRY(const std::vector<infibench::LeaderboardRow> rows, infibench::ReadLeaderboardCsv(board));
  return WritePythonYaml(infibench::LeaderboardDocument(rows));
}

Status AddInfibenchTables(Report& report, const CostOfAnswer&) {
  for (VariantIndex i = 0; i < report.suite->variants.size(); ++i) {
    ASSAY_TRY(const std::vector<infibench::CaseResult> results, infibench::ResultsOf(report, i));
    report.tables.push_back(infibench::PageTable(infibench::TableOf(*report.suite, i, results)));
  }
  return Ok();
}

Result<std::string> InfibenchTables(std::span<const Report> reports) {
  std::vector<infibench::ScoreTable> tables;
  for (const Report& report : reports) {
    for (VariantIndex i = 0; i < report.suite->variants.size(); ++i) {
      ASSAY_TRY(const std::vector<infibench::CaseResult> results, infibench::ResultsOf(report, i));
      tables.push_back(infibench::TableOf(*report.suite, i, results));
    }
  }
  return infibench::WriteTableText(tables) + "\n";
}

}  // namespace assay
