// Approved outputs: tests/golden/NAME.approved holds what a writer wrote when a person last looked at it.
#pragma once

#include <string>
#include <string_view>

namespace assay::testing {

// Empty if `text` is what was approved, else what differs, with the first differing line. What was written is
// then kept in build/received/NAME, from where tools/approve takes it.
std::string CompareApproved(std::string_view name, std::string_view text);

}  // namespace assay::testing
