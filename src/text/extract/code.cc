// The step `code`: fenced blocks of Markdown, of one language or of any. A block that is never closed goes to
// the end.
#include <algorithm>

#include "base/text/ascii.h"
#include "text/extract/steps.h"
#include "text/prose/fence.h"

namespace assay {

namespace {

// Other names that authors and models give to languages.
constexpr std::pair<std::string_view, std::string_view> kCodeAliases[] = {
    {"py", "python"}, {"python3", "python"}, {"js", "javascript"}, {"ts", "typescript"},
    {"c++", "cpp"},   {"sh", "bash"},        {"shell", "bash"},    {"cs", "csharp"},
    {"c#", "csharp"}, {"golang", "go"},      {"rs", "rust"},       {"rb", "ruby"},
};

std::string CodeLanguage(std::string_view name) {
  const std::string lower = AsciiLower(name);
  for (const auto& [alias, language] : kCodeAliases) {
    if (lower == alias) return std::string(language);
  }
  return lower;
}

// The first word behind a fence.
std::string_view WordBehind(std::string_view line, char mark) {
  const std::size_t start = line.find_first_not_of(" ");
  const std::size_t behind = std::min(line.find_first_not_of(mark, start), line.size());
  const std::size_t word = std::min(line.find_first_not_of(" \t", behind), line.size());
  return line.substr(word, std::min(line.find_first_of(" \t\r{,", word), line.size()) - word);
}

}  // namespace

Result<ExtractArgument> ReadCodeStep(const Value& argument) {
  if (argument.is_bool() && argument.AsBool())
    return ExtractArgument{.value = std::make_shared<const std::string>()};
  if (!argument.is_string() || argument.AsString().empty())
    return BadStep("true, or the name of a language", argument);
  return ExtractArgument{.value = std::make_shared<const std::string>(CodeLanguage(argument.AsString()))};
}

Result<std::vector<FoundPart>> FindCode(std::string_view text, const void* argument) {
  const std::string& wanted = *static_cast<const std::string*>(argument);
  std::vector<FoundPart> parts;
  CodeFence open;
  std::size_t content = 0;
  bool is_wanted = false;
  const auto close = [&](std::size_t end) {
    if (is_wanted) parts.push_back({.where = {content, std::max(content, end)}});
    open = {};
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const CodeFence fence = CodeFenceOf(line);
    if (open.mark != 0) {
      if (fence.Closes(open)) close(at);
    } else if (fence.mark != 0) {
      const std::size_t marks = line.find(fence.mark);
      // Backticks behind backticks are code within a line.
      const bool is_inline =
          fence.mark == '`' && line.find('`', line.find_first_not_of('`', marks)) != std::string_view::npos;
      if (!is_inline || fence.is_bare) {
        open = fence;
        content = std::min(end + 1, text.size());
        is_wanted = wanted.empty() || CodeLanguage(WordBehind(line, fence.mark)) == wanted;
      }
    }
    at = end + 1;
  }
  if (open.mark != 0) close(text.size());
  return parts;
}

}  // namespace assay
