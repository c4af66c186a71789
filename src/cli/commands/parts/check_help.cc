// Words the help of a check and its aliases.
#include "cli/commands/parts/check_help.h"

#include <fmt/core.h>

namespace assay {

std::string HelpOf(const CheckRow& check) {
  std::string help(check.help);
  std::string_view separator = "; also ";
  for (const std::string_view alias : check.aliases) {
    help += fmt::format("{}{}", separator, alias);
    separator = ", ";
  }
  return help;
}

}  // namespace assay
