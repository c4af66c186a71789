// A gate that ends early: `none` as soon as the gate over the whole suite would pass, `regression` as soon as
// the mean fell by more than the margin, here and on cases of this kind. What is open in the end is for
// TestRegression to say.
#pragma once

#include "statistics/sequential/pair.h"

namespace assay {

// Of new runs against their bases, which have to be whole runs; `gates` of them share the 5 %. Its bounds,
// like those of every pair, are of new - base + margin.
PairQuestion GateQuestion(double margin, std::size_t gates);

}  // namespace assay
