// The names of promptfoo's assertions.
#pragma once

#include <span>
#include <string_view>

namespace assay::promptfoo {

// Without "not-", "assert-set", "select-best", "human" and "max-score": those that a text may name.
std::span<const std::string_view> AssertionTypes();
// Whether `type` names an assertion, with or without "not-".
bool IsAssertionType(std::string_view type);

}  // namespace assay::promptfoo
