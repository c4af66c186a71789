// Reads one file of prompts, by its ending.
#pragma once

#include <string>
#include <vector>

#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/read/context.h"

namespace assay::promptfoo {

// The prompts of the file at `path`, counted from `folder`. `like`: what the entry says beside, with its
// label or "" as label. An error if there is none.
void ReadPromptFile(const ReadContext& context, const std::string& folder, const std::string& path,
                    const Prompt& like, std::vector<Prompt>& out);

}  // namespace assay::promptfoo
