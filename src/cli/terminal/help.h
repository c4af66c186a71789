// The help texts, made from the tables of commands and options.
#pragma once

#include <string>

#include "cli/commands/command.h"

namespace assay {

std::string ProgramHelp();                           // assay --help
std::string CommandHelp(const CommandRow& command);  // assay COMMAND --help
std::string VersionText();                           // assay --version

}  // namespace assay
