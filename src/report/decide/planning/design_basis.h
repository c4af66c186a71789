// What a run tells of the variance of its scores: between cases, attempts, judges and votes, for the search
// of cheaper designs.
#pragma once

#include <optional>

#include "base/errors/result.h"
#include "spec/report/report.h"
#include "statistics/decisions/design_parts.h"

namespace assay {

struct DesignBasis {
  VariantIndex variant = 0;  // whose mean is known least closely
  KnownParts known;          // of a suite that does not take the mean of attempts: cases alone
};
// Nothing where no variant has two cases, or all scores of each are equal.
Result<std::optional<DesignBasis>> DesignBasisOf(const Report& report);

}  // namespace assay
