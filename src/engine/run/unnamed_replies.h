// Counts the replies of a run that name no model: --strict-models cannot compare those.
#pragma once

#include <cstdint>
#include <string>

#include "base/errors/result.h"
#include "store/store.h"

namespace assay {

// Of services and of programs under test, each request once; recordings and echo: name nobody.
Result<std::uint64_t> CountUnnamed(Store& store, const std::string& run_id);

}  // namespace assay
