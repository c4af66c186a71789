// The keys of InfiBench suites and cases, one row for each place where they stand. Readers, warnings, the
// JSON Schema and docs/reference/keys.md follow these rows.
#pragma once

#include "dialects/keys/key.h"

namespace assay::infibench {

extern const KeyPlace kSuite;
extern const KeyPlace kEntry;  // of `cases`
extern const KeyPlace kCase;
extern const KeyPlace kGrading;
extern const KeyPlace kRule;
extern const KeyPlace kNested;
extern const KeyPlace kBlankFilling;
extern const KeyPlace kTarget;
extern const KeyPlace kAnswer;
extern const KeyPlace kUnitTest;
extern const KeyPlace kTest;
extern const KeyPlace kMetric;
extern const KeyPlace kReference;
extern const KeyPlace kCustomized;
extern const KeyPlace kHandler;

}  // namespace assay::infibench
