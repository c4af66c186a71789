// What is asked before a run that reads documents: for each the text that a program has to give, and
// vectors of its chunks where an endpoint embeds them. A suite of its own, whose cases the generator `ingest`
// answers (docs/decisions/0046).
#pragma once

#include <vector>

namespace assay {

struct CaseDocument;
struct Suite;

// A case for each of `documents`, which cases of `suite` are about; its only variant is the suite's embedder.
Suite OpeningSuite(const Suite& suite, std::vector<CaseDocument> documents);

}  // namespace assay
