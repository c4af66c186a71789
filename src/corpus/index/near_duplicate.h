// How alike two texts are, by the runs of characters that they share: 2 × shared / (both lengths).
//
// source: the documented behaviour of Python 3.11's difflib.SequenceMatcher(None, a, b).ratio(), which asky
// uses to drop chunks that repeat others (spec: research, 9.3): the longest shared run first, then left and
// right of it; characters that make up more than 1 % of a `b` of at least 200 begin no run. Not symmetric.
// Tests compare with values that Python printed.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace assay {

// In [0, 1]; 1 for two empty texts. Nothing if it would take more than limits::kComparedStepsMax steps.
std::optional<double> SequenceRatio(std::string_view a, std::string_view b);

// Whether the ratio is at least `least`: bounds that are cheap are asked first. `steps_left` goes down by the
// work; what it does not suffice for is alike only if it is equal.
bool IsNearDuplicate(std::string_view a, std::string_view b, double least, std::size_t& steps_left);

}  // namespace assay
