// Sets and gets the options that say what passes, and how a run ends by it (option_table.cc).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/settings/options.h"

namespace assay {

Status SetPassAt(std::string_view text, Options& options);
std::vector<std::string> GetPassAt(const Options& options);
Status SetPassAttempts(std::string_view text, Options& options);
std::vector<std::string> GetPassAttempts(const Options& options);
Status SetPassAtK(std::string_view text, Options& options);
std::vector<std::string> GetPassAtK(const Options& options);
Status SetFailUnder(std::string_view text, Options& options);
Status SetPassRate(std::string_view text, Options& options);
Status SetFailedExitCode(std::string_view text, Options& options);
Status SetDelta(std::string_view text, Options& options);

}  // namespace assay
