// assay explain: what the code of an error means and what to do, as docs/errors.md and docs/cli.md have it.
#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "cli/commands/command.h"
#include "cli/documents/markdown_text.h"
#include "cli/documents/topics.h"

namespace assay {

namespace {

// "[run.no-key]" as it was copied, "exit 2", "run.no-key".
std::string_view CodeOf(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  for (const std::string_view word : {"exit code ", "exit "})
    if (text.starts_with(word)) return text.substr(word.size());
  return text;
}

std::string MeaningText(const ErrorMeaning& meaning, const Screen& screen) {
  const std::string line =
      fmt::format("{}: {}", InColor(meaning.code, Hue::kHeading, screen), PlainMarkdown(meaning.means));
  std::string text = FoldLines(line, screen.columns, 0) + "\n";
  if (!meaning.remedy.empty())
    text += FoldLines("What to do: " + PlainMarkdown(meaning.remedy), screen.columns, 0) + "\n";
  return text + fmt::format("More: assay help {}\n", meaning.topic);
}

}  // namespace

ExitCode ExplainCommand(const Options& options, Ui& ui) {
  const std::string_view code = CodeOf(options.arguments.front());
  const std::vector<ErrorMeaning> meanings = ErrorMeanings();
  std::vector<std::string_view> codes;
  for (const ErrorMeaning& meaning : meanings) {
    if (meaning.code == code) {
      ui.Out(MeaningText(meaning, options.shown.screen));
      return ExitCode::kDone;
    }
    codes.push_back(meaning.code);
  }
  const std::string_view near = DidYouMean(code, codes);
  ui.Problem(fmt::format("error: nothing is known of {}; {}", Quoted(code),
                         near.empty() ? "`assay help errors` lists every code"
                                      : fmt::format("did you mean {}?", near)));
  return ExitCode::kUsage;
}

}  // namespace assay
