// ASSAY_ASSERT: a programmer's mistake, checked in every build type; never reachable from input, replies or
// the network.
#pragma once

#include <string_view>

namespace assay {
[[noreturn]] void AssertFailed(std::string_view condition, std::string_view file, int line);
}

#define ASSAY_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::assay::AssertFailed(#condition, __FILE__, __LINE__))
