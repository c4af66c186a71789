// Lays out the help texts in aligned columns.
#include "cli/line/help.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/built.h"

namespace assay {

namespace {

constexpr std::size_t kMargin = 2;
constexpr std::size_t kUsageColumnsMax = 26;  // a longer one has its help on the next line

std::string UsageOf(const CommandRow& command) {
  return command.arguments.empty() ? std::string(command.name)
                                   : fmt::format("{} {}", command.name, command.arguments);
}

// "-m, --model ID"
std::string NamesOf(std::string_view names, std::string_view value) {
  const std::size_t comma = names.find(',');
  std::string text = names.starts_with("--") ? "    " : "";
  text += names.substr(0, comma);
  if (comma != std::string_view::npos) text += fmt::format(", {}", names.substr(comma + 1));
  if (!value.empty()) text += fmt::format("{}{}", value.starts_with('[') ? "" : " ", value);
  return text;
}

std::string Names(const OptionRow& row) { return NamesOf(row.names, row.value); }

// A name and what it is, folded behind the name.
std::string Entry(std::string_view name, std::size_t width, std::string_view help, const Screen& screen) {
  const std::size_t indent = width + 2 * kMargin;
  std::string line = fmt::format("  {:<{}}  ", name, width);
  if (name.size() > width)
    line = fmt::format("  {}\n{}", FoldLines(name, screen.columns, 2 * kMargin), std::string(indent, ' '));
  return line + FoldLines(help, screen.columns, indent) + "\n";
}

// The options of another tool.
std::string ForeignHelp(std::span<const ForeignOption> options, const Screen& screen) {
  std::size_t width = 0;
  for (const ForeignOption& option : options)
    width = std::max(width, NamesOf(option.names, option.value).size());
  std::string help = "\n";
  for (const ForeignOption& option : options)
    help += Entry(NamesOf(option.names, option.value), width, option.help, screen);
  return help;
}

bool IsUsual(const CommandRow& command, const OptionRow& row) {
  return command.usual.empty() ||
         command.usual.find(fmt::format(" {} ", row.LongName())) != std::string_view::npos;
}

}  // namespace

std::string VersionText() {
  return fmt::format("assay {}\ncommit {}\nwith {}\n", ASSAY_VERSION, kBuiltCommit, kBuiltLibraries);
}

std::string ProgramHelp(const Screen& screen) {
  std::string help = FoldLines(
      "assay evaluates language models: it asks them your questions, grades their answers and writes "
      "reports.",
      screen.columns, 0);
  help += '\n';
  std::string_view group;
  for (const CommandRow& row : CommandTable()) {
    if (row.group != group) help += fmt::format("\n{}\n", InColor(row.group, Hue::kHeading, screen));
    group = row.group;
    help += Entry("assay " + UsageOf(row), kUsageColumnsMax, row.help, screen);
  }
  help += '\n';
  help += FoldLines(
      "assay COMMAND --help lists the options of a command. assay help TOPIC shows a page of the documents; "
      "assay help topics lists them.",
      screen.columns, 0);
  help += '\n';
  help += FoldLines("Every option is also an environment variable: --max-retries is ASSAY_MAX_RETRIES.",
                    screen.columns, 0);
  return help + '\n';
}

std::string CommandHelp(const CommandRow& command, HelpExtent extent, const Screen& screen) {
  std::string help =
      FoldLines(fmt::format("assay {} [OPTION...]", UsageOf(command)), screen.columns, kMargin) + "\n" +
      FoldLines(command.help, screen.columns, 0) + "\n";
  const auto is_shown = [&](const OptionRow& row) {
    return row.TakenBy(command.name) && (extent == HelpExtent::kAll || IsUsual(command, row));
  };
  std::size_t width = 0;
  std::size_t left_out = 0;
  for (const OptionRow& row : OptionTable()) {
    if (is_shown(row)) width = std::max(width, Names(row).size());
    if (row.TakenBy(command.name) && !is_shown(row)) ++left_out;
  }
  std::string_view group;
  for (const OptionRow& row : OptionTable()) {
    if (!is_shown(row)) continue;
    if (row.group != group) help += fmt::format("\n{}\n", InColor(row.group, Hue::kHeading, screen));
    group = row.group;
    help += Entry(Names(row), width, row.help, screen);
  }
  if (left_out > 0) {
    help += fmt::format("\n{} more {}: assay {} --help all\n", left_out, left_out == 1 ? "option" : "options",
                        command.name);
  }
  if (command.foreign != nullptr) help += ForeignHelp(command.foreign(), screen);
  return help + fmt::format("\nExample: {}\n", command.example);
}

}  // namespace assay
