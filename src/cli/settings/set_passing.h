// Sets and gets the options that say what passes (option_table.cc).
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

}  // namespace assay
