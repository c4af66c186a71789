// The keys of tasks of lm-eval that assay reads, one row for each. Warnings and the JSON Schema follow them.
#pragma once

#include "dialects/keys/key.h"

namespace assay::lm_eval {

extern const KeyPlace kTask;

}  // namespace assay::lm_eval
