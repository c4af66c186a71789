// assay show: a run again, from the store and the file that it was made of.
#include <fmt/core.h>

#include "base/shell_words.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/results_view.h"
#include "cli/run_record.h"
#include "cli/suite_loader.h"
#include "cli/text_table.h"
#include "report/fold.h"
#include "spec/pair.h"
#include "text/json.h"

namespace assay {

namespace {

constexpr std::size_t kReasonColumnsMax = 60;

// The plan of a stored run, made again from its own words.
Result<LoadedSuite> PlanAgain(const RunRecord& record, const Options& asked) {
  const CommandRow* run = FindCommand("run");
  ASSAY_TRY(std::vector<std::string> words, SplitWords(record.source));
  ASSAY_TRY(Options options, ParseWords(*run, std::move(words), Environment::kIgnore));
  options.settings = asked.settings;
  DiskFileReader files;
  SourceFiles sources;
  LoadedSuite suite = LoadSuite(options.arguments.front(), options, files, sources);
  BuildPlan(options, suite);
  const std::string name = Printable(suite.path);
  if (suite.plan == nullptr) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the cells of this run need its file, and {} cannot be read as it was:\n{}",
                             name, ProblemsOf(suite, sources))};
  }
  if (suite.plan->digest() != record.plan_digest) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("{} has changed since this run, so that its cells cannot be told apart; restore the file "
                    "to see them",
                    name)};
  }
  return suite;
}

std::string RecordText(const RunRecord& record) {
  return fmt::format("{}\nrun {} · started {} · {} · {} cells\nmade by: assay run {}\n",
                     Printable(record.title), record.context.run_id, StartText(record.context),
                     record.state == RunState::kFinished ? "finished" : "unfinished", record.cells,
                     Printable(record.source));
}

std::string ScoreText(const Score& score) {
  switch (score.state) {
    case ScoreState::kScored:
      return fmt::format("{:.2f}", score.value);
    case ScoreState::kUnscored:
      return "unscored";
    case ScoreState::kError:
      return "error";
  }
  return {};
}

// Why a pair is where it is, in a line.
std::string ReasonOf(const Pair& pair, const Suite& suite) {
  if (!pair.answered()) return Printable(pair.shown.transcript.error);
  if (!pair.shown.grading_error.empty()) return Printable(pair.shown.grading_error);
  const Case& the_case = pair.GradedCase(suite);
  for (std::size_t i = 0; i < pair.shown.scores.size(); ++i) {
    const Score& score = pair.shown.scores[i];
    if (score.state == ScoreState::kError) return Printable(score.error);
    if (score.state == ScoreState::kScored && score.value < score.max) {
      return fmt::format("{} {}", ScoreText(score), Printable(the_case.checks[i].text));
    }
  }
  return "";
}

Result<std::string> FailedText(const Report& report, const RunRecord& record, double pass_at) {
  const Suite& suite = *report.suite;
  TextTable table({{"case"}, {"variant"}, {"score", Align::kRight}, {"first reason"}});
  std::string commands;
  CaseIndex last_named = static_cast<CaseIndex>(suite.cases.size());
  ASSAY_CHECK_OK(ForEachPair(report, CellParts::kScores, [&](const Pair& pair) {
    const std::optional<double> mean = pair.mean();
    const bool passed = pair.state == CellState::kUnscored ||
                        (pair.state == CellState::kScored && mean.value_or(0) >= pass_at);
    if (passed) return Ok();
    const std::string& id = suite.cases[pair.case_index].id;
    table.Add({Printable(id), Printable(suite.variants[pair.variant].id),
               pair.state == CellState::kError ? "error" : fmt::format("{:.2f}", mean.value_or(0)),
               CutToWidth(ReasonOf(pair, suite), kReasonColumnsMax)});
    if (pair.case_index != last_named) {
      commands += fmt::format("  assay run {} --filter {} --fresh\n", Printable(record.source),
                              QuoteWord(Printable(id)));
    }
    last_named = pair.case_index;
    return Ok();
  }));
  if (table.empty()) return std::string("nothing failed\n");
  return fmt::format(
      "{}\nrequests that failed are asked again by the same command:\n  assay run {}\n"
      "to ask everything of a case again:\n{}",
      table.Text(), Printable(record.source), commands);
}

std::string PairDetails(const Pair& pair, const Suite& suite) {
  const Case& the_case = pair.GradedCase(suite);
  std::string text = fmt::format("\n{}\n", Printable(suite.variants[pair.variant].id));
  if (!pair.answered()) return text + fmt::format("no answer: {}\n", Printable(pair.shown.transcript.error));
  text += PrintableLines(pair.shown.transcript.SubjectText()) + "\n";
  TextTable table({{"score", Align::kRight}, {"point"}, {"reason"}});
  for (std::size_t i = 0; i < pair.shown.scores.size(); ++i) {
    const Score& score = pair.shown.scores[i];
    const std::string& reason = score.state == ScoreState::kError ? score.error : score.explanation;
    table.Add(
        {ScoreText(score),
         fmt::format("{}{}", the_case.checks[i].invert ? "not: " : "", Printable(the_case.checks[i].text)),
         Printable(reason)});
  }
  if (!pair.shown.grading_error.empty()) {
    text += fmt::format("not graded: {}\n", Printable(pair.shown.grading_error));
  }
  return table.empty() ? text : text + table.Text();
}

Result<std::string> CaseText(const Report& report, const std::string& id) {
  const Suite& suite = *report.suite;
  std::vector<std::string_view> ids;
  for (CaseIndex index = 0; index < suite.cases.size(); ++index) {
    const Case& the_case = suite.cases[index];
    ids.push_back(the_case.id);
    if (the_case.id != id) continue;
    std::string text = fmt::format("case {}\n", Printable(id));
    for (const Turn& turn : the_case.turns) {
      if (turn.kind == TurnKind::kText) {
        text += fmt::format("{}: {}\n", RoleName(turn.role), PrintableLines(turn.text));
      }
    }
    ASSAY_CHECK_OK(ForEachPairOf(report, index, CellParts::kShown, [&](const Pair& pair) {
      text += PairDetails(pair, suite);
      return Ok();
    }));
    return text;
  }
  const std::string_view near = DidYouMean(id, ids);
  return Error{ErrorCode::kNotFound, fmt::format("the run has no case {}{}", Quoted(id),
                                                 near.empty() ? "; `assay show RUN` lists them"
                                                              : fmt::format(", did you mean {}?", near))};
}

Result<std::string> Show(const Options& options, Store& store, const RunRecord& record) {
  ASSAY_TRY(const LoadedSuite suite, PlanAgain(record, options));
  ASSAY_TRY(const Report report, Fold(store, *suite.plan, record));
  if (options.json) {
    return WriteJson(RunValue(report, {.record = record, .files = {}}), JsonStyle::kJavaScript2) + "\n";
  }
  if (!options.case_id.empty()) return CaseText(report, options.case_id);
  if (options.failed) return FailedText(report, record, options.pass_at);
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
    ui.Out(*text);
    return ExitCode::kDone;
  }
  // What the store knows without the file is still worth showing.
  if (!options.json) ui.Out(RecordText(*record));
  ui.Problem(fmt::format("assay: {}", text.error().message));
  return text.error().code == ErrorCode::kCorrupt ? ExitCode::kUnfinished : ExitCode::kUsage;
}

}  // namespace assay
