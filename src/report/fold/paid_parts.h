// Takes apart what the calls of a run cost: what it paid, and what it did not have to pay.
#pragma once

#include "base/errors/result.h"
#include "spec/report/report.h"
#include "spec/run/retelling.h"
#include "store/store.h"

namespace assay {

// Recordings, services and programs cost nothing. What is saved counts in the order of the parts: a call of
// an earlier run is there at its list price, whatever was found in a cache then.
Result<PaidParts> PaidPartsOf(Store& store, const RunRecord& run, const Retelling::PriceTeller& price);

}  // namespace assay
