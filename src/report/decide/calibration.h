// Calibration: estimates the scores that humans would give from a run's judge scores and a few human labels
// (spec: statistics 10).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "spec/report/report.h"
#include "statistics/agreement/labels.h"

namespace assay {

// What a human gave an answer, or one point of it.
struct LabelRow {
  std::size_t line = 0;  // of the file, from 1
  std::string case_id;
  std::string variant_id;
  AttemptIndex attempt = 0;
  std::optional<std::size_t> check;  // index; absent: the whole answer
  double label = 0;
};

// A table with a header line: columns `case`, `variant` and `label`; `attempt` (1 if absent) and `check` (a
// number from 1) may stand beside them. Lines without a label are skipped, other columns are not looked at:
// the lines of `assay export --to check-csv` or `csv`, with a column more. kInvalidInput names the line.
Result<std::vector<LabelRow>> ReadLabels(std::string_view csv);

struct Calibration {
  std::string variant;  // "": all together
  LabelEstimate estimate;
  std::string sentence;
};
// All variants together, then each that has labels. Points and whole answers are not mixed: kInvalidInput,
// like labels of cases, variants and checks that the run does not have.
Result<std::vector<Calibration>> Calibrate(const Report& report, const std::vector<LabelRow>& labels);

}  // namespace assay
