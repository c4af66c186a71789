// Computes the exit code of a run, and words what missed --fail-under or --pass-rate, and which variants
// answered nothing.
#include "engine/run/run_outcome.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "dialects/dialect.h"
#include "dialects/habits.h"
#include "engine/run/ran.h"
#include "engine/words.h"
#include "providers/facts/names/served_name.h"
#include "report/decide/factors.h"
#include "report/decide/run_statistics.h"
#include "report/decide/until/until_run.h"
#include "report/fold/cell_counts.h"
#include "report/values/runs.h"
#include "report/values/words/served.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentence_parts.h"

namespace assay {

namespace {

constexpr std::size_t kMissesNamedMax = 8;

// "1 of 3 cells is", "2 of 3 cells are"
std::string OfCells(std::uint64_t count, std::uint64_t cells) {
  return fmt::format("{} of {} {}", CountText(count), Counted(cells, "cell"), count == 1 ? "is" : "are");
}

// What stopped the run. It is made of the run alone, so that whoever folds it says what one machine says.
std::string WhyStopped(const CellCounts& counts, RunEnding ending, std::span<const std::string> given_up) {
  std::string text;
  for (const std::string& model : given_up)
    text += fmt::format("warning: {} failed again and again, and was asked no more\n", Printable(model));
  const std::string_view why = ending == RunEnding::kBudget      ? "the budget is spent"
                               : ending == RunEnding::kOutOfTime ? "the time of the run is over (--max-time)"
                               : ending == RunEnding::kTooManyErrors ? "too many errors (--max-errors)"
                                                                     : "";
  if (why.empty()) return text;
  const std::string rest =
      counts.skipped == 0 ? "not all was asked"
                          : fmt::format("{} of {} {} never asked", CountText(counts.skipped),
                                        Counted(counts.cells, "cell"), counts.skipped == 1 ? "was" : "were");
  return text + fmt::format("warning: {}: {}\n", why, rest);
}

bool Misses(const VariantSummary& summary, double least) {
  return summary.scored == 0 || !(summary.mean >= least);
}

// "45.8 points", "100 points (best of 4)"
std::string GatedValue(double mean, const std::string& title) {
  return fmt::format("{} points{}", ScorePoints(mean), title == "mean" ? "" : fmt::format(" ({})", title));
}

// " (decided: 60 of 120 cases asked)", of a variant whose other cases cannot change what --fail-under says.
std::string DecidedText(const Report& report, VariantIndex variant) {
  if (report.until == nullptr || !report.until->is_stopped()) return {};
  for (const QuestionCourse& course : report.until->course.questions()) {
    const BoundQuestion& question = *course.question;
    if (question.kind != BoundQuestion::Kind::kLeast || question.a != variant || !course.is_closed) continue;
    return fmt::format(" (decided: {} of {} asked)", CountText(course.n()),
                       Counted(question.cases->order.size(), "case"));
  }
  return {};
}

// Who missed --fail-under, and by how much.
std::string MissesText(const Report& report, double least) {
  const std::string title = ValueTitleOf(*report.suite);
  const std::vector<std::string> names = SpokenNames(*report.suite);
  std::string text;
  std::size_t missed = 0;
  for (const VariantSummary& summary : report.variants) {
    if (!Misses(summary, least) || missed++ >= kMissesNamedMax) continue;
    text += fmt::format("missed --fail-under {}: {} ", least, Printable(names[summary.variant]));
    text += summary.scored == 0 ? std::string("has no score")
                                : fmt::format("has {}, {} less", GatedValue(summary.mean, title),
                                              ScorePoints(least - summary.mean));
    text += DecidedText(report, summary.variant) + "\n";
  }
  if (missed > kMissesNamedMax)
    text += fmt::format("  and {} more\n", Counted(missed - kMissesNamedMax, "variant"));
  return text;
}

// Who reaches --fail-under by the best of its attempts alone.
Result<std::string> PlainMissesText(const Report& report, const PassRule& pass, double least) {
  const std::string title = ValueTitleOf(*report.suite);
  if (title == "mean") return std::string();
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> statistics, StatisticsOf(report, pass));
  const CaseScores& scores = statistics->standings.scores;
  const std::vector<std::string> names = SpokenNames(*report.suite);
  std::string who;
  std::size_t count = 0;
  for (const VariantSummary& summary : report.variants) {
    const std::optional<double> mean = EstimateMean(scores.plain[summary.variant], scores.design()).mean;
    if (Misses(summary, least) || !mean || *mean >= least || count++ >= kMissesNamedMax) continue;
    who += fmt::format("{}{} (mean {})", who.empty() ? "" : ", ", Printable(names[summary.variant]),
                       MeanPoints(*mean));
  }
  if (count == 0) return std::string();
  if (count > kMissesNamedMax) who += fmt::format(" and {} more", CountText(count - kMissesNamedMax));
  return fmt::format(
      "--fail-under {} tests {}; by the mean of all attempts it is missed by {}: "
      "--reduce avg tests that\n",
      least, title, who);
}

// "missed --pass-rate 1: 9 of 12 cells passed": how many of those that were asked do; errors do not.
Result<std::string> PassRateText(const Report& report, const PassRule& pass, double least) {
  std::uint64_t asked = 0;
  std::uint64_t passed = 0;
  ASSAY_CHECK_OK(report.for_each_cell(CellRange::All(), CellParts::kOutcome, [&](const Cell& cell) {
    if (cell.state == CellState::kSkipped || cell.state == CellState::kUnscored) return Ok();
    ++asked;
    if (cell.state == CellState::kScored && pass.Passes(report.suite->cases[cell.case_index], cell.score))
      ++passed;
    return Ok();
  }));
  if (static_cast<double>(passed) >= least * static_cast<double>(asked)) return std::string();
  return fmt::format("missed --pass-rate {}: {} of {} passed; `assay show latest --failed` shows why\n",
                     least, CountText(passed), Counted(asked, "cell"));
}

// The share of cells that have to pass.
std::optional<double> PassRateFor(const Report& report, const GateOptions& gates) {
  if (gates.pass_rate) return gates.pass_rate;
  const DialectRow* dialect = FindDialect(report.suite->dialect);
  return dialect == nullptr ? std::nullopt : dialect->pass_rate;
}

std::string FailuresText(const CellCounts& counts) {
  std::string text;
  if (counts.errors > 0) {
    text += fmt::format("warning: {} {}\n", OfCells(counts.errors, counts.cells),
                        counts.errors == 1 ? "an error" : "errors");
  }
  if (counts.partial > 0) {
    text += fmt::format(
        "warning: {} graded in part and in no mean: the same command asks for the verdicts that are "
        "missing,\n"
        "  --accept-partial does without them\n",
        OfCells(counts.partial, counts.cells));
  }
  return text;
}

// Whether cells were left since the run's questions were decided: they are no fault.
bool IsStopped(const Report& report) { return report.until != nullptr && report.until->is_stopped(); }

// Some variant got no answer to any of its questions.
Result<bool> HasSilentVariant(const Report& report) {
  std::vector<bool> is_silent(report.variants.size());
  bool any = false;
  for (const VariantSummary& summary : report.variants) {
    const bool was_left = IsStopped(report) && summary.skipped == summary.cells;
    is_silent[summary.variant] =
        !was_left && summary.cells > 0 && summary.errors + summary.partial + summary.skipped == summary.cells;
    any = any || is_silent[summary.variant];
  }
  if (!any) return false;
  for (VariantIndex v = 0; v < is_silent.size(); ++v) {
    if (!is_silent[v]) continue;
    ASSAY_CHECK_OK(report.for_each_cell(CellRange::OfVariant(v), CellParts::kScores, [&](const Cell& cell) {
      const bool answered = cell.state != CellState::kSkipped && cell.record.transcript.error.empty();
      if (answered) is_silent[v] = false;
      return Ok();
    }));
  }
  return std::find(is_silent.begin(), is_silent.end(), true) != is_silent.end();
}

// Sets of recorded answers that answer no case of the suite.
std::string UngradedText(const Report& report, const RunSpec& spec) {
  if (spec.responses.empty()) return {};
  const std::vector<std::string> names = SpokenNames(*report.suite);
  std::string text;
  std::size_t ungraded = 0;
  for (const VariantSummary& summary : report.variants) {
    if (summary.cells > 0 || ungraded++ >= kMissesNamedMax) continue;
    const std::size_t cases = report.suite->cases.size();
    text += fmt::format("error: nothing was graded of {}: it has no answer to {}\n",
                        Printable(names[summary.variant]),
                        cases == 1 ? "the only case" : fmt::format("any of {} cases", CountText(cases)));
  }
  if (ungraded > kMissesNamedMax)
    text += fmt::format("  and {} more\n", Counted(ungraded - kMissesNamedMax, "variant"));
  return text;
}

// Whether the answers of each program that does not say what it has requested are those of one model.
bool AnswersAsOne(const Report& report, std::string_view program) {
  std::string_view first;
  for (const ServedCount& each : report.totals.served) {
    const bool is_of_program = report.suite->variants[each.variant].model == program;
    if (!is_of_program || !IsUnrequested(*report.suite, each)) continue;
    if (first.empty()) first = each.model;
    if (!IsSameModel("exec", first, each.model)) return false;
  }
  return true;
}

struct StrictModels {
  std::string errors;    // what --strict-models does not let pass
  std::string warnings;  // what it cannot test
};

StrictModels TestModels(const Report& report) {
  StrictModels tested;
  if (const std::string line = UnnamedLine(report.totals); !line.empty())
    tested.warnings += fmt::format("warning: {}\n", line);
  for (const std::string& line : OtherModelLines(report.totals))
    tested.errors += fmt::format("error: {} (--strict-models)\n", Printable(line));
  std::vector<std::string_view> programs;
  for (const ServedCount& each : report.totals.served) {
    const std::string_view program = report.suite->variants[each.variant].model;
    if (!IsUnrequested(*report.suite, each) ||
        std::find(programs.begin(), programs.end(), program) != programs.end())
      continue;
    programs.push_back(program);
    if (AnswersAsOne(report, program)) {
      tested.warnings += fmt::format(
          "warning: {} does not say which model it requests (requested_model), so --strict-models compares "
          "its answers with each other only\n",
          Printable(program));
    } else {
      tested.errors +=
          fmt::format("error: several models answered for {} (--strict-models)\n", Printable(program));
    }
  }
  return tested;
}

}  // namespace

bool GradesNothing(const Report& report, const RunSpec& spec) {
  const auto is_empty = [](const VariantSummary& summary) { return summary.cells == 0; };
  return !spec.responses.empty() && !report.variants.empty() &&
         std::all_of(report.variants.begin(), report.variants.end(), is_empty);
}

Result<RunOutcome> OutcomeOf(const Report& report, const RunSpec& spec, const GateOptions& gates,
                             const PassRule& pass, const std::optional<ErrorLimit>& max_errors,
                             RunEnding ending, std::span<const std::string> given_up) {
  const CellCounts counts = CountCells(report);
  RunOutcome outcome{.problems = WhyStopped(counts, ending, given_up) + FailuresText(counts)};
  std::string missed = gates.fail_under ? MissesText(report, *gates.fail_under) : std::string();
  if (const std::optional<double> least = PassRateFor(report, gates)) {
    ASSAY_TRY(const std::string failed, PassRateText(report, pass, *least));
    missed += failed;
  }
  outcome.problems += missed;
  if (gates.fail_under) {
    ASSAY_TRY(const std::string plain, PlainMissesText(report, pass, *gates.fail_under));
    outcome.problems += plain;
  }
  const std::string ungraded = UngradedText(report, spec);
  outcome.problems += ungraded;
  const std::uint64_t failed = counts.errors + counts.partial;
  const bool exceeded =
      ending == RunEnding::kTooManyErrors || (max_errors && max_errors->IsExceeded(failed, counts.cells));
  if (exceeded) {
    outcome.problems +=
        fmt::format("exceeded --max-errors: {} in error or graded in part\n", OfCells(failed, counts.cells));
  }
  const StrictModels strict = gates.strict_models ? TestModels(report) : StrictModels();
  outcome.problems += strict.warnings + strict.errors;
  if (HabitsOf(spec.compat).ignores_verdicts && IsComplete(ending)) {
    // The tool that is followed would have stopped where somebody cannot be asked at all.
    const auto unaskable = report.totals.unanswered.find(std::string(ErrorCodeName(ErrorCode::kUnsupported)));
    if (unaskable != report.totals.unanswered.end()) outcome.code = ExitCode::kUsage;
    return outcome;
  }
  if (ending == RunEnding::kBudget) {
    outcome.code = ExitCode::kBudget;
  } else if (exceeded || !missed.empty()) {
    outcome.code = ExitCode::kMissed;
  } else if (ending == RunEnding::kOutOfTime || !ungraded.empty() || !strict.errors.empty()) {
    outcome.code = ExitCode::kUnfinished;
  } else if (report.suite->completeness.needs_every_cell) {
    const bool is_allowed = max_errors.has_value();
    const bool lacks_cells = counts.skipped > 0 && !IsStopped(report);
    if (lacks_cells || (failed > 0 && !is_allowed)) outcome.code = ExitCode::kUnfinished;
  } else {
    ASSAY_TRY(const bool has_silent_variant, HasSilentVariant(report));
    if (has_silent_variant) outcome.code = ExitCode::kUnfinished;
  }
  return outcome;
}

std::string UnsentText(std::uint64_t requests) {
  return fmt::format("warning: {} {} not sent\n", Counted(requests, "request"),
                     requests == 1 ? "was" : "were");
}

std::string UnsentByOthers(const Report& report, const Ran& ran) {
  const bool was_stopped = !IsComplete(ran.ending) || !GivenUpModels(ran.record).empty();
  const std::uint64_t skipped = CountCells(report).skipped;
  return was_stopped && skipped > 0 ? UnsentText(skipped) : std::string();
}

Result<std::string> FirstErrorText(const Report& report) {
  std::string text;
  if (CountCells(report).errors == 0) return text;
  const Suite& suite = *report.suite;
  const Status walked =
      report.for_each_cell(CellRange::All(), CellParts::kScores, [&](const Cell& cell) -> Status {
        if (cell.state != CellState::kError) return Ok();
        const AttemptRecord& record = cell.record;
        const std::string& why =
            record.transcript.error.empty() ? record.grading_error : record.transcript.error;
        if (why.empty()) return Ok();
        text = fmt::format("the first error: {} · {}: {}\n", Printable(SpokenNames(suite)[cell.variant]),
                           Printable(suite.cases[cell.case_index].id), Printable(why));
        return Error{ErrorCode::kCancelled, "it is found"};
      });
  if (text.empty()) ASSAY_CHECK_OK(walked);
  return text;
}

ExitCode Worse(ExitCode a, ExitCode b) {
  for (const ExitCode code :
       {ExitCode::kInterrupted, ExitCode::kTryAgain, ExitCode::kBudget, ExitCode::kRegression,
        ExitCode::kMissed, ExitCode::kUnfinished, ExitCode::kUsage}) {
    if (a == code || b == code) return code;
  }
  return ExitCode::kDone;
}

}  // namespace assay
