// Generates the help and version texts from the tables of commands and options.
#pragma once

#include <string>

#include "cli/line/command_row.h"
#include "cli/terminal/screen.h"

namespace assay {

enum class HelpExtent {
  kUsual,  // the options that most people use
  kAll,
};

std::string ProgramHelp(const Screen& screen);  // assay --help
// assay COMMAND --help, and --help all
std::string CommandHelp(const CommandRow& command, HelpExtent extent, const Screen& screen);
std::string VersionText();  // assay --version

}  // namespace assay
