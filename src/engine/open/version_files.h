// Finds files by which version managers would choose a runtime in the current folder. A folder may be
// anybody's, so these files are never obeyed, and the user is told.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Those that name a version of `language` in `folder` or above it, short of `home` and of /, as paths.
std::vector<std::string> IgnoredVersionFiles(std::string_view language, const std::string& folder,
                                             const std::string& home);
// The same, of the folder in which assay was called.
std::vector<std::string> IgnoredVersionFiles(std::string_view language);

}  // namespace assay
