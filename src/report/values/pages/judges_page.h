// Whether the scores of a run may be believed, as a JSON value: each judge, how votes on one point differ,
// points on which they differ most, and reasons that speak against their votes (docs/formats/view.md).
#pragma once

#include "base/errors/result.h"
#include "report/values/pages/page_facts.h"
#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

// One walk over the votes of the first cases (Reliability::judged_cases).
Result<Value> JudgesPageValue(const Report& report, const PageFacts& facts);

}  // namespace assay
