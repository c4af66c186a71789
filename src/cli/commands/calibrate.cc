// The command `assay calibrate`: draws what humans should label, and estimates the scores that they would
// give from a run's judges and the file of their labels.
#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>

#include "base/files/file_reader.h"
#include "base/text/shell_words.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/contenders.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/stored_run.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/remarks.h"
#include "cli/terminal/views/calibration_view.h"
#include "engine/open/loaded.h"
#include "engine/state/known_stores.h"
#include "engine/words.h"
#include "engine/write/written_files.h"
#include "report/decide/calibration.h"
#include "report/decide/labels/label_draw.h"
#include "report/fold/fold.h"
#include "report/import/imported_run.h"
#include "report/values/json.h"
#include "store/store.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

Value AgreementValue(const JudgeCalibration& judge) {
  const LabelAgreement& agreement = judge.agreement;
  return Object{
      {"judge", TextOrNull(judge.judge)},
      {"labels", CountValue(agreement.labels)},
      {"same_band", NumberOrNull(agreement.same)},
      {"distance", NumberOrNull(agreement.distance)},
      {"bias", NumberOrNull(agreement.bias)},
      {"bias_interval", IntervalValue(agreement.bias_interval)},
      {"alpha", NumberOrNull(agreement.alpha.alpha)},
      {"alpha_interval", IntervalValue(agreement.alpha.interval)},
      {"confusion", ArrayOf(agreement.confusion, [&](const auto& row) { return ArrayOf(row, CountValue); })}};
}

Value NearestValue(const Calibrations& calibrations) {
  if (!calibrations.nearest) return Value(Null{});
  const NearestJudge& nearest = *calibrations.nearest;
  return Object{{"judge", calibrations.judges[nearest.judge + 1].judge},
                {"distance", nearest.distance},
                {"next", calibrations.judges[nearest.next + 1].judge},
                {"next_distance", nearest.next_distance},
                {"labels", CountValue(nearest.labels)},
                {"is_shown", nearest.is_shown}};
}

Map CalibrationMap(const Calibration& calibration) {
  const LabelEstimate& estimate = calibration.estimate;
  const DrawnEstimate& drawn = calibration.drawn;
  return Object{{"variant", TextOrNull(calibration.variant)},
                {"sentence", calibration.sentence},
                {"mode", LabelModeName(drawn.mode)},
                {"labels", CountValue(estimate.labelled)},
                {"others", CountValue(estimate.unlabelled)},
                {"drawn", CountValue(drawn.drawn)},
                {"not_drawn", CountValue(drawn.not_drawn)},
                {"skipped", CountValue(drawn.skipped)},
                {"strata", drawn.strata ? CountValue(*drawn.strata) : Value(Null{})},
                {"estimate", NumberOrNull(estimate.estimate)},
                {"interval", IntervalValue(estimate.interval)},
                {"interval_here", IntervalValue(drawn.interval_here)},
                {"low_if", NumberOrNull(drawn.low_if)},
                {"high_if", NumberOrNull(drawn.high_if)},
                {"why", TextOrNull(WhyCode(estimate.why))},
                {"p_like", NumberOrNull(drawn.p_like)},
                {"judge_mean", NumberOrNull(estimate.judge_mean)},
                {"labelled_judge_mean", NumberOrNull(drawn.labelled_judge_mean)},
                {"lambda", NumberOrNull(estimate.lambda)},
                {"bias", NumberOrNull(estimate.bias)},
                {"bias_interval", IntervalValue(estimate.bias_interval)},
                {"alpha", NumberOrNull(estimate.alpha)}};
}

// A list of all together, with what concerns the judges, and then of each variant.
Value CalibrationsValue(const Calibrations& calibrations) {
  List values;
  for (const Calibration& each : calibrations.variants) {
    Map map = CalibrationMap(each);
    if (values.empty()) {
      Extend(map, {{"changed", CountValue(calibrations.changed)},
                   {"judges", ArrayOf(calibrations.judges,
                                      [&](const JudgeCalibration& judge) { return AgreementValue(judge); })},
                   {"nearest", NearestValue(calibrations)}});
    }
    values.emplace_back(std::move(map));
  }
  return Value(std::move(values));
}

// Opens the run, or the file of another tool's results, and works on its report.
template <class Work>
Status WithReport(const Options& options, Ui& ui, const Work& work) {
  const std::string& run = options.arguments.front();
  std::shared_ptr<const ImportedRun> file;
  if (!MeansRun(options, run)) {
    ASSAY_TRY(file, RunOfFilePart(run, AllowedPaths(options.granted)));
  }
  if (file != nullptr) {
    TellRemarks(run, file->remarks, ui);
    return work(file->report);
  }
  ASSAY_TRY(const std::unique_ptr<Store> store, OpenForReading({.path = options.granted.store}));
  ASSAY_TRY(const RunRecord record, store->FindRun(run));
  ASSAY_TRY(const Report report, FoldStored(*store, record, options));
  if (record.state != RunState::kFinished)
    ui.Note(fmt::format("run {} is not finished: the estimate does not include the missing answers",
                        record.context.run_id));
  TellOfForeign(record.context.run_id, report.totals.foreign_replies, ui);
  return work(report);
}

Result<Calibrations> CalibrateRun(const Options& options, Ui& ui) {
  ASSAY_TRY(const std::string csv, DiskFileReader().Read(options.command.labels));
  const auto named = [&options](const Error& error) {
    return Error{error.code, fmt::format("{}: {}", Printable(options.command.labels), error.message)};
  };
  const Result<std::vector<LabelRow>> labels = ReadLabels(csv);
  if (!labels) return named(labels.error());
  Result<Calibrations> calibrations = Calibrations();
  ASSAY_CHECK_OK(WithReport(options, ui, [&](const Report& report) {
    calibrations = Calibrate(report, *labels, options.command.seed);
    return Ok();
  }));
  if (!calibrations) return named(calibrations.error());
  return calibrations;
}

std::string NounOf(const LabelList& list) {
  return list.unit == LabelUnit::kCriterion ? "verdict" : "answer";
}

Status WriteList(const LabelList& list, const Options& options, Ui& ui) {
  const std::string& path = options.command.output;
  if (path.empty()) {
    ui.Out(isatty(STDOUT_FILENO) == 1 ? PrintableLines(list.csv) : list.csv);
  } else {
    // A list that is there already may have labels, which nobody wants to give again.
    const std::filesystem::path target(path);
    WrittenFiles files(target.parent_path().empty() ? "." : target.parent_path().string(), Existing::kRefuse);
    ASSAY_CHECK_OK(files.Open(target.filename().string()));
    ASSAY_CHECK_OK(files.Write(list.csv));
    ASSAY_CHECK_OK(files.Close());
    ui.Note(fmt::format("wrote {}", Printable(path)));
  }
  ui.Note(fmt::format(
      "{} of {}, drawn from {}: fill in the column label from the top (0 to 1, or skip where "
      "you cannot tell), then: assay calibrate {} --labels {}",
      Counted(list.drawn, NounOf(list)), CountText(list.units),
      list.strata == 1 ? "all" : fmt::format("{} strata", list.strata),
      Printable(QuoteWord(options.arguments.front())), path.empty() ? "FILE" : Printable(QuoteWord(path))));
  return Ok();
}

Status DrawFromRun(const Options& options, Ui& ui) {
  return WithReport(options, ui, [&](const Report& report) -> Status {
    ASSAY_TRY(const LabelList list, DrawLabels(report, *options.command.draw, options.command.seed));
    return WriteList(list, options, ui);
  });
}

}  // namespace

ExitCode CalibrateCommand(const Options& options, Ui& ui) {
  const bool has_labels = !options.command.labels.empty();
  if (has_labels == options.command.draw.has_value()) {
    return FailWith(
        ui, Error{ErrorCode::kInvalidInput,
                  has_labels ? "--draw makes a list to fill in, and --labels reads one; use one of them"
                             : "--draw 60 -o labels.csv draws what to label, and --labels names the "
                               "file when it is filled in: a table with case, variant and label"});
  }
  if (has_labels && !options.command.output.empty())
    return FailWith(ui,
                    Error{ErrorCode::kInvalidInput, "-o names the list that --draw writes; leave it out"});
  if (!has_labels && options.shown.json)
    return FailWith(ui, Error{ErrorCode::kInvalidInput, "--draw writes a table (CSV); leave out --json"});
  if (!has_labels) {
    const Status drawn = DrawFromRun(options, ui);
    return drawn ? ExitCode::kDone : FailWith(ui, drawn.error());
  }
  const Result<Calibrations> calibrations = CalibrateRun(options, ui);
  if (!calibrations) return FailWith(ui, calibrations.error());
  ui.Out(options.shown.json
             ? ShownJson(WriteJson(CalibrationsValue(*calibrations), JsonStyle::kJavaScript2)) + "\n"
             : CalibrationText(*calibrations, options.shown.screen));
  return ExitCode::kDone;
}

}  // namespace assay
