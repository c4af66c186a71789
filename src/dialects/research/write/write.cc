// Writes the files of a finished research session as the original leaves them.
//   source  asky-cli 14f1a9e, evals/research_pipeline/{evaluator,report}.py (spec: research, 6 and 7)
#include <fmt/core.h>

#include <ctime>

#include "dialects/names.h"
#include "dialects/research/research.h"
#include "dialects/research/write/results.h"
#include "dialects/research/write/summaries.h"
#include "spec/suite/suite.h"
#include "text/object.h"
#include "text/python/json.h"

namespace assay {

namespace research {

namespace {

constexpr PythonJsonStyle kIndented{.indent = 2, .sorts_keys = true};

Status WriteFile(std::string_view path, std::string_view text, Sink& sink) {
  ASSAY_CHECK_OK(sink.Open(path));
  ASSAY_CHECK_OK(sink.Write(text));
  return sink.Close();
}

// What a program of the user's own keeps of its turns is its own affair.
bool KeepsHistory(const Variant& variant) {
  return variant.profile->save_history && !NamesProgram(variant.provider);
}

// Of the agent's turns that came to an answer: the query as it was put together, and the answer. No case sees
// another's.
Status WriteHistory(const Report& report, const SessionCells& cells, VariantIndex variant, Sink& sink) {
  const Variant& run = report.suite->variants[variant];
  if (!KeepsHistory(run)) return Ok();
  ASSAY_CHECK_OK(sink.Open(run.id + "/runtime/history.jsonl"));
  ASSAY_CHECK_OK(cells.ForEachRow(report, variant, [&sink](const SessionRow& each) -> Status {
    if (!each.has_answer) return Ok();
    Map entry;
    for (const std::string_view name : {"timestamp", "test_id", "attempt", "query", "answer"}) {
      if (const Value* value = each.row.members.Find(name)) entry.Append(std::string(name), *value);
    }
    ASSAY_TRY(const std::string line, WritePythonJson(Value(std::move(entry))));
    return sink.Write(line + "\n");
  }));
  return sink.Close();
}

// results.jsonl, summary.json and results.md of one run; what the session's own files need of it.
Result<RunResults> WriteRunFiles(const Report& report, const SessionCells& cells, VariantIndex variant,
                                 const std::string& folder, SessionTimes& times, Sink& sink) {
  RunResults run;
  run.run_id = report.suite->variants[variant].id;
  const std::string artifacts = run.run_id + "/artifacts";
  ASSAY_CHECK_OK(sink.Open(artifacts + "/results.jsonl"));
  ASSAY_TRY(const RunSummary made, SummaryOf(report, cells, variant, times, [&](const Value& row) -> Status {
              ASSAY_TRY(const std::string line, WritePythonJson(row));
              ASSAY_CHECK_OK(sink.Write(line + "\n"));
              run.rows.push_back(ThinRow(row));
              return Ok();
            }));
  run.summary = made.ToValue();
  ASSAY_CHECK_OK(sink.Close());
  ASSAY_TRY(std::string summary, WritePythonJson(run.summary, kIndented));
  ASSAY_CHECK_OK(WriteFile(artifacts + "/summary.json", summary + "\n", sink));
  ASSAY_CHECK_OK(WriteFile(
      artifacts + "/results.md",
      ResultsMarkdown(run.run_id, fmt::format("{}/{}", folder, artifacts), run.summary, run.rows), sink));
  ASSAY_CHECK_OK(WriteHistory(report, cells, variant, sink));
  run.other_models = OtherModelsOf(run.rows);
  // The session's report shows no case that passed.
  std::erase_if(run.rows, [](const Value& row) { return StatusOf(row) == CaseStatus::kPass; });
  return run;
}

std::string FolderOf(const Report& report) {
  return fmt::format("{}/{}", ResearchRoot(*report.suite), report.run.run_label);
}

}  // namespace

}  // namespace research

std::string SessionName(std::int64_t started_ms, unsigned count) {
  constexpr std::int64_t kMsPerSecond = 1000;
  const std::time_t seconds = static_cast<std::time_t>(started_ms / kMsPerSecond);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  const std::string name = fmt::format("{:04}{:02}{:02}_{:02}{:02}{:02}", utc.tm_year + 1900, utc.tm_mon + 1,
                                       utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
  return count == 0 ? name : fmt::format("{}_{:03}", name, count);
}

Status WriteResearch(const Report& report, Sink& sink) {
  const std::string folder = research::FolderOf(report);
  ASSAY_TRY(const std::shared_ptr<const research::SessionCells> cells, research::SessionCells::Of(report));
  std::vector<research::RunResults> runs;
  List summaries;
  research::SessionTimes times(report.run.started_ms);
  for (VariantIndex v = 0; v < report.suite->variants.size(); ++v) {
    ASSAY_TRY(research::RunResults run, research::WriteRunFiles(report, *cells, v, folder, times, sink));
    summaries.push_back(run.summary);
    runs.push_back(std::move(run));
  }
  Map session = Object{{"dataset_id", report.suite->id},
                       {"created_at", research::PythonTimestamp(report.run.started_ms * 1000)},
                       {"run_count", static_cast<std::int64_t>(runs.size())},
                       {"runs", std::move(summaries)},
                       {"timing_totals_ms", times.Totals()}};
  if (!report.stopped.empty()) session.Append("stopped", report.stopped);
  ASSAY_TRY(const std::string text, WritePythonJson(Value(std::move(session)), research::kIndented));
  ASSAY_CHECK_OK(research::WriteFile("summary.json", text + "\n", sink));
  ASSAY_TRY(const std::string markdown, research::SessionReport(report.suite->id, folder, runs));
  return research::WriteFile("report.md", markdown, sink);
}

}  // namespace assay
