// Asks the user, before anything is started or sent, whether the powers of the folder's assay.toml may be
// used (docs/trust.md).
#pragma once

#include <string>
#include <vector>

#include "base/files/file_reader.h"
#include "cli/settings/options.h"
#include "cli/terminal/ui.h"
#include "dialects/research/read/dataset.h"

namespace assay {

// Asks on a terminal, once for all runs, with a line for each power that they would use; tells what to do
// elsewhere. False: nothing may be done. What was agreed on is remembered and counts in the options.
bool MayUsePowers(std::vector<Options>& runs, Ui& ui);
bool MayPrepare(Options& options, const research::Dataset& dataset, Ui& ui);

// The digest of the current folder's powers as they are now, read through `files`.
std::string PowersNow(FileReader& files);

}  // namespace assay
