// Calibration: estimates the scores that humans would give from a run's judge scores and a few human labels
// (spec: statistics 10), and says how well each judge agrees with them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "report/decide/labels/label_rows.h"
#include "spec/report/report.h"
#include "statistics/agreement/drawn_labels.h"
#include "statistics/agreement/label_agreement.h"

namespace assay {

struct Calibration {
  std::string variant;  // "": all together
  // Estimate and interval end at 0 and 1, since labels do.
  DrawnEstimate drawn;
  // The same, as pages and tables have it; `alpha` is that of the scores and the labels.
  LabelEstimate estimate;
  std::string sentence;
};

struct JudgeCalibration {
  std::string judge;  // "": the scores of the run
  LabelAgreement agreement;
};

struct Calibrations {
  std::vector<Calibration> variants;     // all together, then each that has labels
  std::vector<JudgeCalibration> judges;  // the scores of the run, then each judge that voted
  std::optional<NearestJudge> nearest;   // among the judges; 0 is the first behind the scores
  std::uint64_t changed = 0;             // labels of answers that the run no longer has
  bool are_of_points = false;
};

// `seed`: of the draw that is looked for where the file does not say how it was drawn. Points and whole
// answers are not mixed: kInvalidInput, like labels of two draws, and labels of cases, variants and checks
// that the run does not have.
Result<Calibrations> Calibrate(const Report& report, const std::vector<LabelRow>& labels,
                               std::uint64_t seed = 0);

}  // namespace assay
