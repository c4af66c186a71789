// The step `tag`: what stands between <NAME …> and </NAME>. A part that is never closed goes to the end.
#include <algorithm>

#include "base/text/ascii.h"
#include "text/extract/steps.h"
#include "text/extract/tags.h"

namespace assay {

std::vector<NamedTag> TagsOf(std::string_view name, std::string_view text) {
  std::vector<NamedTag> tags;
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const bool is_closing = at + 1 < text.size() && text[at + 1] == '/';
    const std::size_t begin = at + (is_closing ? 2 : 1);
    const std::size_t end = begin + name.size();
    if (end >= text.size() || AsciiLower(text.substr(begin, name.size())) != AsciiLower(name)) continue;
    if (text[end] != '>' && text[end] != '/' && !is_blank(text[end])) continue;
    const std::size_t close = text.find('>', end);
    // None of the later ones ends, either.
    if (close == std::string_view::npos) break;
    tags.push_back({{at, close + 1}, is_closing});
    at = close;
  }
  return tags;
}

Result<ExtractArgument> ReadTagName(const Value& argument) {
  const bool is_name = argument.is_string() && !argument.AsString().empty() &&
                       argument.AsString().find_first_of("<>/ \t\r\n") == std::string::npos;
  if (!is_name) return BadStep("the name of a tag, such as answer", argument);
  return ExtractArgument{.value = std::make_shared<const std::string>(argument.AsString())};
}

Result<std::vector<FoundPart>> FindTags(std::string_view text, const void* argument) {
  std::vector<FoundPart> parts;
  std::optional<std::size_t> open;
  for (const NamedTag& tag : TagsOf(*static_cast<const std::string*>(argument), text)) {
    if (!tag.is_closing && !open) open = tag.where.to;
    if (!tag.is_closing || !open) continue;
    parts.push_back({.where = {*open, tag.where.from}});
    open.reset();
  }
  if (open) parts.push_back({.where = {*open, text.size()}});
  return parts;
}

}  // namespace assay
