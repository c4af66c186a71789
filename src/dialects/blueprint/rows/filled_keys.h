// The keys of a prompt that rows fill in.
#pragma once

#include <string_view>

namespace assay::blueprint {

// Whether texts below the key of a prompt may be templates.
bool IsFilledKey(std::string_view key);
// Whether it is a name of the key `name` of prompts.
bool IsNamed(std::string_view key, std::string_view name);

}  // namespace assay::blueprint
