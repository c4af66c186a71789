// Attempt means: of each variant the mean of its first attempts over the cases, of its second ones, and so
// on, and how much these means vary: what a run of one attempt more might have come to.
#pragma once

#include <optional>
#include <vector>

#include "base/errors/result.h"
#include "report/decide/standings.h"
#include "spec/report/report.h"

namespace assay {

struct AttemptMeans {
  std::vector<MeanEstimate> means;  // by attempt
  std::optional<double> deviation =
      {};  // sample standard deviation of those over the most cases; two at least
};

// By variant of the suite; from a walk over the cells.
Result<std::vector<AttemptMeans>> AttemptMeansOf(const Report& report);

}  // namespace assay
