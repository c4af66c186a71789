// Where the evidence of an answer was lost, as a JSON value: for each text that the case's checks look for,
// how far it came (docs/formats/view.md, evidence).
#pragma once

#include "spec/report/pair.h"
#include "text/value.h"

namespace assay {

// Null: nobody kept it; an empty list: no check looks for a text.
Value EvidenceValue(const Case& graded, const AttemptRecord& record);

}  // namespace assay
