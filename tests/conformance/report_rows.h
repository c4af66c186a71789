// Comparison of result files, for rows that run whole programs.
#pragma once

#include <string>

namespace assay::conformance {

// Whether two JSON files say the same, apart from time stamps and the order of members in maps.
bool CompareJsonFiles(const std::string& a, const std::string& b);

}  // namespace assay::conformance
