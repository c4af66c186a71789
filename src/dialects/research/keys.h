// The keys of datasets and matrices, one row for each place where they stand. Readers, warnings, the JSON
// Schemas and docs/reference/keys.md follow these rows.
#pragma once

#include "dialects/keys/key.h"

namespace assay::research {

// A dataset: documents and tests.
extern const KeyPlace kDataset;
extern const KeyPlace kDocument;
extern const KeyPlace kTest;
// What a test expects, by its type.
extern const KeyPlace kContains;
extern const KeyPlace kRegex;
extern const KeyPlace kAllOf;
extern const KeyPlace kAnyOf;
extern const KeyPlace kNot;
extern const KeyPlace kJudge;
extern const KeyPlace kNumeric;
extern const KeyPlace kCitation;

// A matrix: profiles that run over a dataset.
extern const KeyPlace kMatrix;
extern const KeyPlace kRun;
extern const KeyPlace kLimits;

}  // namespace assay::research
