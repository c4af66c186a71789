// Where the evidence of an answer was lost: for each text that the case's checks look for, whether a search
// showed it, a tool's text held it, and the answer used it (docs/formats/view.md, evidence).
#pragma once

#include "spec/report/pair.h"
#include "text/value.h"

namespace assay {

// Null where nothing can be told: no check looks for a text, or no tool's reply is known.
Value EvidenceValue(const Case& graded, const AttemptRecord& record);

}  // namespace assay
