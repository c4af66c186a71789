// The command `assay calibrate`: estimates the scores that humans would give, from a run's judges and a file
// of human labels.
#include <fmt/core.h>

#include "base/files/file_reader.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/contenders.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/stored_run.h"
#include "cli/passes/open/loaded.h"
#include "cli/passes/run/run_record.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/remarks.h"
#include "report/decide/calibration.h"
#include "report/fold/fold.h"
#include "report/values/json.h"
#include "text/json/json.h"

namespace assay {

namespace {

Value CalibrationValue(const Calibration& calibration) {
  const LabelEstimate& estimate = calibration.estimate;
  Map map;
  map.Append("variant", TextOrNull(calibration.variant));
  map.Append("sentence", calibration.sentence);
  map.Append("labels", CountValue(estimate.labelled));
  map.Append("others", CountValue(estimate.unlabelled));
  map.Append("estimate", NumberOrNull(estimate.estimate));
  map.Append("interval", IntervalValue(estimate.interval));
  map.Append("why", TextOrNull(WhyCode(estimate.why)));
  map.Append("judge_mean", NumberOrNull(estimate.judge_mean));
  map.Append("lambda", NumberOrNull(estimate.lambda));
  map.Append("bias", NumberOrNull(estimate.bias));
  map.Append("bias_interval", IntervalValue(estimate.bias_interval));
  map.Append("alpha", NumberOrNull(estimate.alpha));
  return Value(std::move(map));
}

Result<std::vector<Calibration>> CalibrateRun(const Options& options, Ui& ui) {
  if (options.command.labels.empty())
    return Error{ErrorCode::kInvalidInput,
                 "--labels names the file: a table with case, variant and label; `assay export RUN --to "
                 "check-csv` is one to add labels to"};
  ASSAY_TRY(const std::string csv, DiskFileReader().Read(options.command.labels));
  const auto named = [&options](const Error& error) {
    return Error{error.code, fmt::format("{}: {}", Printable(options.command.labels), error.message)};
  };
  const Result<std::vector<LabelRow>> labels = ReadLabels(csv);
  if (!labels) return named(labels.error());
  const std::string& run = options.arguments.front();
  ASSAY_TRY(const std::shared_ptr<const ImportedRun> file, RunOfFilePart(run, AllowedPaths(options.granted)));
  Result<std::vector<Calibration>> calibrations = std::vector<Calibration>();
  if (file != nullptr) {
    TellRemarks(run, file->remarks, ui);
    calibrations = Calibrate(file->report, *labels);
  } else {
    ASSAY_TRY(const std::unique_ptr<Store> store,
              OpenStore({.path = options.granted.store, .read_only = true}));
    ASSAY_TRY(const RunRecord record, store->FindRun(run));
    ASSAY_TRY(const Report report, FoldStored(*store, record, options));
    calibrations = Calibrate(report, *labels);
  }
  if (!calibrations) return named(calibrations.error());
  return calibrations;
}

}  // namespace

ExitCode CalibrateCommand(const Options& options, Ui& ui) {
  const Result<std::vector<Calibration>> calibrations = CalibrateRun(options, ui);
  if (!calibrations) return FailWith(ui, calibrations.error());
  List values;
  for (const Calibration& each : *calibrations) {
    if (options.shown.json) {
      values.push_back(CalibrationValue(each));
    } else {
      ui.Out(Printable(each.sentence) + "\n");
    }
  }
  if (options.shown.json)
    ui.Out(ShownJson(WriteJson(Value(std::move(values)), JsonStyle::kJavaScript2)) + "\n");
  return ExitCode::kDone;
}

}  // namespace assay
