// RetellingOf: how report/ learns what was said in a run that stored no words: the generators that made the
// answers replay them from their exchanges, as long as this program still has them as they were.
#pragma once

#include <span>
#include <string_view>

#include "plan/answers/generator.h"
#include "spec/run/retelling.h"

namespace assay {

// For a run that these generators made (RunRecord::generators). `more`: rows beside the table's, or in the
// place of some.
Retelling RetellingOf(std::string_view generators, std::span<const GeneratorRow> more = {});

}  // namespace assay
