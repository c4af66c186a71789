// Finds which powers of a folder's assay.toml a command would use; the user is asked about those only. A
// power missed here has no effect without trust (cli/settings/file/settings.h); options are always listed.
#pragma once

#include <vector>

#include "cli/settings/options.h"
#include "dialects/research/read/dataset.h"
#include "engine/grants/powers.h"

namespace assay {

// Of what does not count yet in `run`, which is of one file: reads and plans it as if all of it did. Nothing
// is told, started or sent.
std::vector<Power> PowersUsed(const Options& run);
// The same of assay prepare.
std::vector<Power> PowersUsed(const Options& options, const research::Dataset& dataset);

// Of what counts in `run` because the user trusts it, what `run` uses, as jobs do that are given its command.
std::vector<Power> TrustedPowersUsed(const Options& run);

// The options as they are if these powers count, too; all of them, if nobody is named.
void CountPowers(const std::vector<Power>* also, Options& options);

}  // namespace assay
