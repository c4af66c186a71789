// The words of a command as it was said, for those who say it again: jobs, and people.
#pragma once

#include <string>
#include <vector>

#include "cli/settings/options.h"

namespace assay {

// The words after `assay`, without what says which part of a run's work this process does. Options from the
// environment are among them, settings of files are not; the store's address has no password.
std::vector<std::string> SaidWords(const Options& options);

// As a shell reads them.
std::string LineOf(const std::vector<std::string>& words);

}  // namespace assay
