// What this program was built of (cmake/commit.cmake).
#pragma once

#include <string_view>

namespace assay {

extern const std::string_view kBuiltCommit;     // "unknown" outside of a checkout
extern const std::string_view kBuiltLibraries;  // "ICU 72.1, SQLite 3.40.1"

}  // namespace assay
