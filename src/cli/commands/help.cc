// assay help: the options of a command, or a page of docs/.
#include "cli/line/help.h"

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "cli/commands/command.h"
#include "cli/documents/markdown_text.h"
#include "cli/documents/topics.h"
#include "cli/terminal/text_table.h"

namespace assay {

namespace {

constexpr std::string_view kTopicsWord = "topics";

std::string TopicList(const Screen& screen) {
  TextTable table({{"topic"}, {"what it is about"}});
  for (const Topic& topic : TopicTable()) table.Add({std::string(topic.name), std::string(topic.help)});
  const std::string hint = "assay help TOPIC shows one; assay help COMMAND the options of a command.";
  return fmt::format("{}\n{}\n", table.Text(screen), FoldLines(hint, screen.columns, 0));
}

// Where a word may be explained that is neither a command nor a topic.
std::string InPlaceOf(std::string_view asked, std::string_view near) {
  constexpr std::size_t kHeadingsMax = 5;
  if (!near.empty()) return fmt::format("did you mean `assay help {}`?", near);
  std::string text;
  for (const FoundHeading& found : FindHeadings(asked, kHeadingsMax)) {
    text += fmt::format("{}{} is in `assay help {}`", text.empty() ? "" : ", ", Quoted(found.heading),
                        found.topic);
  }
  return text.empty() ? "`assay help topics` lists the topics, `assay --help` the commands" : text;
}

}  // namespace

ExitCode HelpCommand(const Options& options, Ui& ui) {
  const Screen& screen = options.shown.screen;
  if (options.arguments.empty()) {
    ui.Out(ProgramHelp(screen));
    return ExitCode::kDone;
  }
  const std::string& asked = options.arguments.front();
  if (asked == kTopicsWord) {
    ui.Out(TopicList(screen));
    return ExitCode::kDone;
  }
  const CommandRow* command = FindCommand(asked);
  const Topic* topic = FindTopic(asked);
  if (command == nullptr && topic == nullptr) {
    std::vector<std::string_view> names = {kTopicsWord};
    for (const CommandRow& row : CommandTable()) names.push_back(row.name);
    for (const Topic& row : TopicTable()) names.push_back(row.name);
    ui.Problem(fmt::format("error: there is no command and no topic {}; {}", Quoted(asked),
                           InPlaceOf(asked, DidYouMean(asked, names))));
    return ExitCode::kUsage;
  }
  const bool wants_all = options.arguments.size() > 1 && options.arguments[1] == "all";
  if (command != nullptr)
    ui.Out(CommandHelp(*command, wants_all ? HelpExtent::kAll : HelpExtent::kUsual, screen));
  // A page of the same name stands below the options.
  if (topic != nullptr) ui.Out((command != nullptr ? "\n" : "") + MarkdownAsText(TextOf(*topic), screen));
  return ExitCode::kDone;
}

}  // namespace assay
