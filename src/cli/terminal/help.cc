// Laying out the help.
#include "cli/terminal/help.h"

#include <fmt/core.h>

#include <algorithm>

namespace assay {

namespace {

std::string UsageOf(const CommandRow& command) {
  return command.arguments.empty() ? std::string(command.name)
                                   : fmt::format("{} {}", command.name, command.arguments);
}

// "-m, --model ID"
std::string Names(const OptionRow& row) {
  std::string names;
  const std::size_t comma = row.names.find(',');
  names = comma == std::string_view::npos ? fmt::format("    {}", row.names)
                                          : fmt::format("{}, {}", row.names.substr(0, comma), row.LongName());
  if (!row.value.empty()) names += fmt::format("{}{}", row.value.starts_with('[') ? "" : " ", row.value);
  return names;
}

}  // namespace

std::string VersionText() { return "assay " ASSAY_VERSION "\n"; }

std::string ProgramHelp() {
  std::string help =
      "assay runs evaluations of language models: it asks what has not been answered yet,\n"
      "grades the answers and writes reports.\n\n";
  for (const CommandRow& row : CommandTable()) {
    help += fmt::format("  assay {:<14}  {}\n", UsageOf(row), row.help);
  }
  help +=
      "\nassay COMMAND --help lists the options of a command, assay --version says which one this is.\n"
      "Every option has a twin in the environment: --max-retries is ASSAY_MAX_RETRIES.\n";
  return help;
}

std::string CommandHelp(const CommandRow& command) {
  std::string help = fmt::format("assay {} [OPTION...]\n{}\n", UsageOf(command), command.help);
  std::size_t width = 0;
  for (const OptionRow& row : OptionTable()) {
    if (row.TakenBy(command.name)) width = std::max(width, Names(row).size());
  }
  std::string_view group;
  for (const OptionRow& row : OptionTable()) {
    if (!row.TakenBy(command.name)) continue;
    if (row.group != group) help += fmt::format("\n{}\n", row.group);
    group = row.group;
    help += fmt::format("  {:<{}}  {}\n", Names(row), width, row.help);
  }
  help += fmt::format("\nExample: {}\n", command.example);
  return help;
}

}  // namespace assay
