// Merges several reports on the same cases into one, whose variants are those of all.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/errors/result.h"
#include "spec/report/report.h"
#include "spec/suite/suite.h"

namespace assay {

// `report` walks over `parts`, whose stores must outlive it, and over its own suite.
struct MergedReport {
  Suite suite;
  std::vector<Report> parts;
  Report report;
};

// Variant stands behind variant in the order of the parts; the run is that of the first. kInvalidInput if the
// parts are not of the same cases. At least one part.
Result<std::unique_ptr<MergedReport>> MergeReports(std::vector<Report> parts);

}  // namespace assay
