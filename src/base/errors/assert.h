// ASSAY_ASSERT: checks for a programmer's mistake, in every build type. Input, replies and the network can
// never make it fail.
#pragma once

#include <string_view>

namespace assay {
[[noreturn]] void AssertFailed(std::string_view condition, std::string_view file, int line);
}

#define ASSAY_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::assay::AssertFailed(#condition, __FILE__, __LINE__))
