// Chooses the folder below which programs get their work folders. Runtimes look above these for settings and
// packages (go.mod, package.json, node_modules), so no folder above may be writable by everybody.
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
