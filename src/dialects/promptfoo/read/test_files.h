// Reads a file of tests, by its ending.
#pragma once

#include <string>
#include <vector>

#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/read/context.h"

namespace assay::promptfoo {

// A path of tests, as the config has it. `is_whole`: it is all that `tests` says, and then each test of JSON
// has a description.
void ReadTestPath(const ReadContext& context, const std::string& named, const std::string& folder,
                  bool is_whole, Span where, std::vector<Test>& out);

}  // namespace assay::promptfoo
