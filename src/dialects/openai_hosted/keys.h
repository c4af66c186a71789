// The keys of exports of hosted evals that assay reads, one row for each. The JSON Schema follows them.
#pragma once

#include "dialects/keys/key.h"

namespace assay::hosted {

extern const KeyPlace kExport;

}  // namespace assay::hosted
