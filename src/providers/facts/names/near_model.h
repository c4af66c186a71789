// Finds the model of the table that a name is a slip of.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// "gpt-4o-minni" -> "gpt-4o-mini". "": the table has the name, or a name that differs by its date or version
// alone, or none that is near.
std::string NearModel(std::string_view provider, std::string_view model);

}  // namespace assay
