// The command line of promptfoo's `eval`, in the words of `assay run`: a table of its options, and what each
// means here.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "cli/line/command_row.h"

namespace assay {

// What of this machine the words depend on.
struct EvalPlace {
  std::function<bool(const std::string& path)> is_file;
  std::function<std::optional<std::string>(std::string_view name)> variable;  // of the environment
};

// The words behind `eval`. kInvalidInput: an option that nobody knows or that is not here, or no config.
Result<RewrittenWords> WordsOfEval(const std::vector<std::string>& words, const EvalPlace& place);
// In the current folder.
Result<RewrittenWords> WordsOfEvalHere(const std::vector<std::string>& words);

// For the help.
std::span<const ForeignOption> EvalOptionTable();

}  // namespace assay
