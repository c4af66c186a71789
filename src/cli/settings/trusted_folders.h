// Remembers which powers of which folders the user has trusted: a file of the state folder, by the folder's
// real path and the digests of the powers, so that after a change only what was added is asked for.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "engine/grants/powers.h"

namespace assay {

// Digests of single powers of this folder; none where nothing is remembered or it cannot be read.
std::set<std::string, std::less<>> RememberedPowers(const std::string& folder);
// These besides those that are remembered of the folder already.
Status RememberPowers(const std::string& folder, const std::vector<Power>& powers);

}  // namespace assay
