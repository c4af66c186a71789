// assay show: a run again, from the store.
#include <fmt/core.h>

#include "base/shell_words.h"
#include "cli/commands/command.h"
#include "cli/commands/stored_run.h"
#include "cli/passes/run_record.h"
#include "cli/terminal/case_view.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/results_view.h"
#include "cli/terminal/text_table.h"
#include "report/fold.h"
#include "spec/pair.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::size_t kReasonColumnsMax = 60;

std::string RecordText(const RunRecord& record) {
  return fmt::format("{}\nrun {} · started {} · {} · {}\nmade by: assay run {}\n", Printable(record.title),
                     Printable(record.context.run_id), StartText(record.context),
                     record.state == RunState::kFinished ? "finished" : "unfinished",
                     Counted(record.cells, "cell"), Printable(record.source));
}

// The commands that ask for everything of the cases again.
std::string AgainCommand(const RunRecord& record, const std::string& case_id) {
  return fmt::format("assay run {} --filter {} --fresh", Printable(record.source),
                     QuoteWord(Printable(case_id)));
}

std::string FailedText(const Report& report, const RunRecord& record, const std::vector<FailedPair>& failed) {
  const Suite& suite = *report.suite;
  TextTable table({{"case"}, {"variant"}, {"score", Align::kRight}, {"first reason"}});
  std::string commands;
  const FailedPair* last = nullptr;
  for (const FailedPair& pair : failed) {
    const std::string& id = suite.cases[pair.case_index].id;
    std::string score(pair.state == CellState::kError ? "error" : "");
    if (pair.missing > 0) score = PartialText(pair.missing);
    if (pair.score) score += fmt::format("{}{:.2f}", score.empty() ? "" : " ", *pair.score);
    table.Add({Printable(id), Printable(suite.variants[pair.variant].id), score,
               CutToWidth(Printable(pair.reason), kReasonColumnsMax)});
    if (last == nullptr || last->case_index != pair.case_index)
      commands += fmt::format("  {}\n", AgainCommand(record, id));
    last = &pair;
  }
  if (failed.empty()) return "nothing failed\n";
  return fmt::format(
      "{}\nrequests that failed are asked again by the same command:\n  assay run {}\n"
      "to ask everything of a case again:\n{}",
      table.Text(), Printable(record.source), commands);
}

Value FailedValue(const Report& report, const RunRecord& record, const std::vector<FailedPair>& failed) {
  List list;
  for (const FailedPair& pair : failed) {
    const std::string& id = report.suite->cases[pair.case_index].id;
    Map map;
    map.Append("case", id);
    map.Append("variant", report.suite->variants[pair.variant].id);
    map.Append("state", CellStateName(pair.state));
    map.Append("score", pair.score ? Value(*pair.score) : Value(Null{}));
    map.Append("missing", static_cast<double>(pair.missing));
    map.Append("reason", pair.reason);
    map.Append("command", AgainCommand(record, id));
    list.emplace_back(std::move(map));
  }
  return list;
}

Result<std::string> Show(const Options& options, Store& store, const RunRecord& record) {
  std::shared_ptr<const Suite> suite;
  if (!record.suite) {
    ASSAY_TRY(suite, SuiteOfFiles(record, options));
  }
  ASSAY_TRY(const Report report, Fold(store, record, std::move(suite)));
  std::optional<CaseIndex> only;
  if (!options.case_id.empty()) {
    ASSAY_TRY(only, FindCase(report, options.case_id));
  }
  const ShownCells shown{.pass_at = options.pass_at, .only_failed = options.failed};
  std::vector<FailedPair> failed;
  if (options.failed) {
    ASSAY_TRY(failed, FailedPairs(report, only, options.pass_at));
  }
  if (options.json) {
    Value run = RunValue(report, {.record = record, .files = {}});
    if (options.failed) run.AsMap().Append("failed", FailedValue(report, record, failed));
    if (only) {
      ASSAY_TRY(Value cells, CellsValue(report, *only, shown));
      run.AsMap().Append("attempts", std::move(cells));
    }
    return WriteJson(run, JsonStyle::kJavaScript2) + "\n";
  }
  if (only) return CaseText(report, *only, shown);
  if (options.failed) return FailedText(report, record, failed);
  return RunTables(report, {.pass_at = options.pass_at, .every_case = options.verbose});
}

}  // namespace

ExitCode ShowCommand(const Options& options, Ui& ui) {
  Result<std::unique_ptr<Store>> store = OpenSqliteStore({.path = options.store, .read_only = true});
  if (!store) {
    ui.Problem(fmt::format("assay: {}", store.error().message));
    return store.error().code == ErrorCode::kNotFound ? ExitCode::kUsage : ExitCode::kUnfinished;
  }
  const Result<RunRecord> record = FindRun(**store, options.arguments.front());
  if (!record) {
    ui.Problem(fmt::format("assay: {}", record.error().message));
    return ExitCode::kUsage;
  }
  const Result<std::string> text = Show(options, **store, *record);
  if (text) {
    if (!record->suite)
      ui.Note("made by an assay that did not keep the suite: shown with its file as it is now");
    ui.Out(*text);
    return ExitCode::kDone;
  }
  // What the store knows without the file is still worth showing.
  if (!options.json) ui.Out(RecordText(*record));
  ui.Problem(fmt::format("assay: {}", text.error().message));
  return text.error().code == ErrorCode::kCorrupt ? ExitCode::kUnfinished : ExitCode::kUsage;
}

}  // namespace assay
