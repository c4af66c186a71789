// Finds an executable of the user's by its name along a search path.
#pragma once

#include <string>

namespace assay {

// The first file of this name that may be executed in the folders of `search_path`, which have colons between
// them; "" if there is none. Only absolute folders count: what stands in the current one is somebody else's.
std::string FindProgram(const std::string& name, const std::string& search_path);

}  // namespace assay
