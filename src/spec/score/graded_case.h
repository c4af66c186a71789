// The case that an attempt was graded by: where the case has no checks, the extracted key points are its
// checks.
#pragma once

#include <span>
#include <string>

namespace assay {

struct Case;

// The case with one judged check of weight 1 for each key point, all required. `the_case` has no checks.
Case WithKeyPoints(const Case& the_case, std::span<const std::string> key_points);

}  // namespace assay
