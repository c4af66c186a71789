// Which replies of a run the next run of the same command asks for again: those behind points without a
// verdict.
#pragma once

#include "base/errors/result.h"
#include "plan/plan.h"
#include "store/store.h"
#include "text/value.h"

namespace assay {

// Whether a judge is asked `later` because of its reply to `earlier`: the same question with more room, with
// a request for a repair, or with both. Both are canonical requests.
bool FollowsQuestion(const Value& later, const Value& earlier);

// Sets aside the replies that told nothing of a point without a verdict, so that they answer no request any
// more. Failed requests are no answers in any case. Where a vote may be lost to a quotation, only the last
// reply of each judge is set aside: what it said before is why the other votes need the code, in the next
// run as well (decision 0114). Nor is it set aside where it alone may quote. How many cells have such points.
Result<CellIndex> SetAsideUnvoted(Store& store, const Plan& plan, const RunRecord& run);

}  // namespace assay
