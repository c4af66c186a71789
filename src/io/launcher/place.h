// Where work folders lie that a level cannot make in memory. Runtimes look above a program's folder for
// settings and packages (go.mod, package.json, node_modules); where everybody may write, somebody else's are
// found.
#pragma once

#include <string>

namespace assay {

// A folder that with all above it only this user and root may change, and from which programs may start:
// "programs" below `cache`, the user's own for assay, and for root below /var/cache/assay. Where none can be
// had, /tmp.
std::string PlaceOfPrograms(const std::string& cache);

// Whether only this user and root may change what lies in `folder` and in the folders above it.
bool IsPrivatePlace(const std::string& folder);

}  // namespace assay
