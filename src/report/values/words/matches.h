// Where an answer has what a check looks for, for pages that mark it. Pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "spec/suite/suite.h"

namespace assay {

struct MatchedPart {
  std::size_t from = 0;  // bytes of the answer
  std::size_t to = 0;
};
// Of checks for texts, the first place of each of their texts; patterns and all other checks mark nothing.
std::vector<MatchedPart> MatchesOf(const Check& check, std::string_view answer);

}  // namespace assay
