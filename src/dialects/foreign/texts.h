// What rows filled into the arguments of a check: numbers become the texts that they are written as.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "dialects/blueprint/rows/datasets.h"

namespace assay::foreign {

// Below members with these keys, in the arguments of functions that begin with `$`, at any depth.
void WriteOutNumbers(std::vector<blueprint::PromptEntry>& entries,
                     std::initializer_list<std::string_view> keys, const SourceFiles& sources);

}  // namespace assay::foreign
