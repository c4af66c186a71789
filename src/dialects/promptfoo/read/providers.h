// Reads the providers of a config: ids, mappings and files of them.
#pragma once

#include <string>
#include <vector>

#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/read/context.h"
#include "dialects/promptfoo/read/prompts.h"

namespace assay::promptfoo {

// `providers` of a config in `folder`, behind those that `out` has.
void ReadProviders(const ReadContext& context, const Value& providers, const std::string& folder,
                   SeenEntries& seen, std::vector<Provider>& out);

// The names of a filter: a text, or a list of texts.
NameFilter ReadNames(const ReadContext& context, const Value* names, std::string_view of);

}  // namespace assay::promptfoo
