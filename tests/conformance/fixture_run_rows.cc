// Whole runs of the original, as result files: the recorded answers and judgements of a run, read back from
// its comparison file, are written again through our reader, aggregation and writer, and every file is
// compared.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "dialects/blueprint/blueprint.h"
#include "dialects/blueprint/write/points.h"
#include "report/aggregate.h"
#include "spec/score/graded_case.h"
#include "spec/suite/suite.h"
#include "tests/conformance/conformance.h"
#include "tests/support/sample_report.h"
#include "text/json/json.h"

namespace assay::conformance {
namespace {

namespace fs = std::filesystem;

// "2026-11-21T20-40-51-442Z" to milliseconds since 1970.
std::int64_t MsOf(const std::string& stamp) {
  const auto part = [&](std::size_t at, std::size_t size) { return std::stoi(stamp.substr(at, size)); };
  const std::chrono::year_month_day date{std::chrono::year(part(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(part(8, 2)))};
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t seconds = days * 86'400LL + part(11, 2) * 3'600 + part(14, 2) * 60 + part(17, 2);
  return seconds * 1'000 + part(20, 3);
}

bool Holds(const Value& list, std::string_view text) {
  return list.is_list() && std::any_of(list.AsList().begin(), list.AsList().end(),
                                       [&](const Value& v) { return v.is_string() && v.AsString() == text; });
}

struct RecordedRun {
  SourceFiles sources;
  Diagnostics diagnostics;
  DiskFileReader files;
  std::optional<Suite> suite;
  std::vector<Cell> cells;
  Report report;
};

void ReadSuite(const fs::path& folder, const Value& comparison, RecordedRun& run) {
  ReadOptions options;
  options.compat = Compat::kWeval;
  const std::string label = GetText(comparison, "runLabel");
  options.run_label = label.substr(0, label.find('_') == std::string::npos ? 0 : label.find('_'));
  if (!Holds(Get(comparison, "evalMethodsUsed"), "embedding"))
    options.own.values["eval-method"] = {"llm-coverage"};
  std::string name = folder.filename().string();
  std::replace(name.begin(), name.end(), '_', '-');
  const std::string path = "bp/" + name.substr(0, name.find("judged-") == 0 ? 6 : name.size()) + ".yml";
  const std::string text = ReadAll(folder / "blueprint.yml");
  const FileId file = run.sources.Add(path, text);
  run.suite = ReadBlueprint({path, options, run.files, run.sources, run.diagnostics}, file, text);
}

Score ScoreFrom(const Value& assessment) {
  const Value& extent = Get(assessment, "coverageExtent");
  Score score = extent.is_number() ? Score::Of(extent.AsNumber()) : Score();
  score.error = GetText(assessment, "error");
  if (!extent.is_number()) score.state = ScoreState::kError;
  const std::string reflection = GetText(assessment, "reflection");
  const Value& votes = Get(assessment, "individualJudgements");
  const bool is_default = reflection.starts_with("Function '") || reflection.starts_with("Error: ");
  if (!is_default && !votes.is_list()) score.explanation = reflection;
  score.grader = GetText(assessment, "judgeModelId");
  if (!votes.is_list()) return score;
  for (const Value& vote : votes.AsList()) {
    score.evidence.push_back(
        {GetText(vote, "judgeModelId"), Get(vote, "coverageExtent").AsNumber(), GetText(vote, "reflection")});
  }
  return score;
}

Role FixtureRunRoleOf(const std::string& name) {
  return name == "system" ? Role::kSystem : name == "user" ? Role::kUser : Role::kAssistant;
}

Cell CellFrom(const Value& comparison, const Suite& suite, CaseIndex c, VariantIndex v) {
  const Case& the_case = suite.cases[c];
  const std::string& id = suite.variants[v].id;
  Cell cell;
  cell.case_index = c;
  cell.variant = v;
  Transcript& transcript = cell.record.transcript;
  transcript.answer = GetText(Get(Get(comparison, "allFinalAssistantResponses"), the_case.id), id);
  transcript.error = GetText(Get(Get(comparison, "errors"), the_case.id), id);
  const Value& history = Get(Get(Get(comparison, "fullConversationHistories"), the_case.id), id);
  if (history.is_list()) {
    for (const Value& message : history.AsList()) {
      transcript.history.push_back({FixtureRunRoleOf(GetText(message, "role")), GetText(message, "content")});
    }
  }
  cell.state = CellState::kError;
  if (!transcript.error.empty()) return cell;
  const Value& entry =
      Get(Get(Get(Get(comparison, "evaluationResults"), "llmCoverageScores"), the_case.id), id);
  const Value& key_points = Get(Get(comparison, "extractedKeyPoints"), the_case.id);
  if (key_points.is_list()) {
    for (const Value& point : key_points.AsList()) cell.record.key_points.push_back(point.AsString());
  }
  const Case graded = key_points.is_list() ? WithKeyPoints(the_case, cell.record.key_points) : the_case;
  cell.record.scores.resize(graded.checks.size());
  const std::vector<blueprint::PointPlace> order = blueprint::PointOrder(graded);
  const List& assessments = Get(entry, "pointAssessments").AsList();
  for (std::size_t i = 0; i < order.size() && i < assessments.size(); ++i) {
    cell.record.scores[order[i].check] = ScoreFrom(assessments[i]);
  }
  const CellOutcome score = Aggregate(suite, the_case, cell.record).value();
  cell.state = score.state;
  cell.score = score.value;
  if (const Value* agreement = entry.Find("judgeAgreement")) {
    Map details;
    details.Append("judgeAgreement", *agreement);
    cell.record.details = std::move(details);
  }
  return cell;
}

void FillReport(const Value& comparison, RecordedRun& run) {
  Suite& suite = *run.suite;
  for (CaseIndex c = 0; c < suite.cases.size(); ++c) {
    for (VariantIndex v = 0; v < suite.variants.size(); ++v)
      run.cells.push_back(CellFrom(comparison, suite, c, v));
  }
  run.report.suite = &suite;
  run.report.run.run_label = suite.run_label;
  run.report.run.started_ms = MsOf(GetText(comparison, "timestamp"));
  run.report.variants = testing::Summarize(suite, run.cells);
  for (CaseIndex c = 0; c < suite.cases.size(); ++c) {
    const Value& points = Get(Get(comparison, "extractedKeyPoints"), suite.cases[c].id);
    if (!points.is_list()) continue;
    for (const Value& point : points.AsList()) run.report.key_points[c].push_back(point.AsString());
  }
  run.report.for_each_cell = [&run](const CellRange& range, CellParts,
                                    const Report::Visitor& visit) -> Status {
    for (const Cell& cell : run.cells) {
      if (range.Has(cell.case_index, cell.variant)) ASSAY_CHECK_OK(visit(cell));
    }
    return Ok();
  };
}

// The vectors that the original was given, by text.
std::map<std::string, std::vector<double>> VectorsByText(const fs::path& folder) {
  std::map<std::string, std::vector<double>> vectors;
  std::istringstream lines(ReadAll(folder / "http_requests.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const Value request = ParseJson(line).value();
    if (!GetText(request, "path").ends_with("/embeddings")) continue;
    std::vector<double>& vector = vectors[GetText(Get(request, "body"), "input")];
    vector.clear();
    for (const Value& number : Get(Get(Get(request, "response"), "data").AsList()[0], "embedding").AsList()) {
      vector.push_back(number.AsNumber());
    }
  }
  return vectors;
}

// As the fold would read them from the store.
void AddEmbeddings(const fs::path& folder, RecordedRun& run) {
  if (!run.suite->embedder) return;
  run.report.embeddings_of = [&run,
                              vectors = VectorsByText(folder)](CaseIndex index) -> Result<CaseEmbeddings> {
    const auto vector_of = [&](const std::string& text) {
      const auto found = vectors.find(text);
      return found == vectors.end() ? std::vector<double>() : found->second;
    };
    CaseEmbeddings embeddings;
    embeddings.ideal = vector_of(run.suite->cases[index].ideal.value_or(""));
    embeddings.answers.resize(run.suite->variants.size());
    for (const Cell& cell : run.cells) {
      if (cell.case_index != index || !cell.record.transcript.error.empty()) continue;
      embeddings.answers[cell.variant] = vector_of(cell.record.transcript.answer);
    }
    return embeddings;
  };
}

void CompareFiles(const fs::path& folder, const std::map<std::string, std::string>& files, bool one_variant,
                  Outcome& outcome) {
  const std::string golden = ReadAll(folder / "comparison.json");
  const auto artefacts = ParseJson(ReadAll(folder / "artefacts.json"));
  for (const Member& member : artefacts.value().AsMap()) {
    outcome.place = member.key;
    const auto found = files.find(member.key);
    if (found == files.end()) {
      outcome.Fail(member.key + " was not written");
    } else if (member.key.ends_with("_comparison.json")) {
      outcome.Same("content", ParseJson(golden).value(), ParseJson(found->second).value());
      // With one variant nothing was filled concurrently, so the bytes agree too.
      if (one_variant) outcome.Same("bytes", Value(golden), Value(found->second));
    } else {
      outcome.Same("content", member.value, ParseJson(found->second).value());
    }
  }
  outcome.place = "files";
  outcome.Same("number", Value(static_cast<double>(artefacts.value().AsMap().size())),
               Value(static_cast<double>(files.size())));
}

void CompareResults(const fs::path& folder, Outcome& outcome) {
  // A run with --demo-stdout wrote no files: what it printed holds the same.
  const bool printed_only = !fs::exists(folder / "comparison.json");
  const std::string recorded = ReadAll(folder / (printed_only ? "stdout_payload.json" : "comparison.json"));
  const auto comparison = ParseJson(recorded);
  RecordedRun run;
  ReadSuite(folder, *comparison, run);
  if (!run.suite) {
    outcome.Fail("the blueprint was not read");
    return;
  }
  FillReport(*comparison, run);
  AddEmbeddings(folder, run);
  if (printed_only) {
    const Result<std::string> payload = BlueprintPayload(run.report);
    // One line, whose line break is not the payload's.
    const std::string line = recorded.substr(0, recorded.find('\n'));
    outcome.Same("payload", Value(line), payload ? Value(*payload) : Value());
    return;
  }
  testing::MemorySink sink;
  for (const auto write : {WriteBlueprint, WriteBlueprintArtefacts}) {
    if (const Status written = write(run.report, sink); written) continue;
    outcome.Fail("the files of the run cannot be written");
    return;
  }
  CompareFiles(folder, sink.files, run.suite->variants.size() == 1, outcome);
}

Outcome RunRecorded(const std::string& path) {
  Outcome outcome;
  CompareResults(path, outcome);
  if (fs::exists(fs::path(path) / "http_requests.jsonl")) CompareRequests(path, outcome);
  return outcome;
}

}  // namespace

std::span<const GoldenRow> ReportRows() {
  static constexpr GoldenRow kRows[] = {{"fixture_runs/*", RunRecorded}};
  return kRows;
}

}  // namespace assay::conformance
