// Reads the prompts of a config: texts, files of texts, tables and the names of code.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/read/context.h"

namespace assay::promptfoo {

// Entries of several configs: what stands there twice counts once.
using SeenEntries = std::set<std::string>;

// `prompts` of a config in `folder`, behind those that `out` has.
void ReadPrompts(const ReadContext& context, const Value& prompts, const std::string& folder,
                 SeenEntries& seen, std::vector<Prompt>& out);

}  // namespace assay::promptfoo
