// Picks from a tool result what the trace of a turn shows as evidence: source, relevance and place of each
// passage, or the error text.
#pragma once

#include "text/value.h"

namespace assay {

// [{source, relevance, place?}] of a result of get_relevant_content, or of what the documents answered for
// evidence (corpus/ask/operations.h); empty for whatever else. The first limits::kTracedEvidenceMax.
List EvidenceOf(const Value& result);
// Of {error}: its text; "" for what is none.
std::string ProblemOfResult(const Value& result);

}  // namespace assay
