// Parses the command line into a command and its Options, and runs the whole program (RunProgram).
// command_line.cc is the only file that includes CLI11.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "cli/line/command_row.h"
#include "cli/settings/options.h"

namespace assay {

enum class Environment {
  kRead,    // ASSAY_… counts where the words are silent
  kIgnore,  // for words that were remembered with a run
};

// The words after the command's name. kInvalidInput names the word and, for an unknown option, the nearest
// one.
Result<Options> ParseWords(const CommandRow& command, std::vector<std::string> words,
                           Environment environment);

// The whole program: the words after its name. Returns the exit code.
int RunProgram(std::vector<std::string> words);

}  // namespace assay
