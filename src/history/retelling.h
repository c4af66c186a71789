// RetellingOf: how report/ learns what was said in a run that stored no words: the generators that made the
// answers replay them from their exchanges, as long as this program still has them as they were.
#pragma once

#include <span>

#include "plan/answers/generator.h"
#include "report/fold/retelling.h"
#include "store/store.h"

namespace assay {

// Of this run. `more`: generators beside the table's, or in the place of some of its rows.
Retelling RetellingOf(const RunRecord& run, std::span<const GeneratorRow> more = {});

}  // namespace assay
