// Sets and gets the options of runs that may end early (option_table.cc).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/settings/options.h"

namespace assay {

Status AddUntil(std::string_view text, Options& options);
Status SetWithin(std::string_view text, Options& options);
std::vector<std::string> GetWithin(const Options& options);
Status SetHalfWidth(std::string_view text, Options& options);  // of plan --for
Status SetPromise(std::string_view text, Options& options);
Status SetOrderSeed(std::string_view text, Options& options);
Status SetLookEvery(std::string_view text, Options& options);
std::vector<std::string> GetLookEvery(const Options& options);

}  // namespace assay
