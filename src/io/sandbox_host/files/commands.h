// Finds commands that the program's user may start and not read: nobody but root can measure such a process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Whether a command line names one, as the first of its name in the folders of `path` (as in $PATH). Every
// word counts, those of a shell's script too; words with a slash are no commands of the machine. Asks as whom
// we act.
bool NamesUnreadableCommand(const std::vector<std::string>& argv, std::string_view path);

}  // namespace assay
