// The keys of entries of OpenAI Evals' registry that assay reads, one row for each. The JSON Schema follows
// them.
#pragma once

#include "dialects/keys/key.h"

namespace assay::evals {

// The entries of a registry, which is a mapping of them by their names.
extern const ValueShape kRegistryEntryShape;

}  // namespace assay::evals
