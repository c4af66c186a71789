// Tries the whole text, its fenced blocks, and the bracketed parts of it.
#include "text/json/find_json.h"

#include <algorithm>

#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/prose/fence.h"

namespace assay {

namespace {

constexpr std::size_t kPassesMax = 16;

// `part` stands in `text`.
std::optional<FoundJson> ParsedTrimmed(std::string_view part, std::string_view text) {
  const std::string_view trimmed = JsTrim(part);
  Result<Value> value = ParseJson(trimmed);
  if (!value) return std::nullopt;
  const auto from = static_cast<std::size_t>(trimmed.data() - text.data());
  return FoundJson{*std::move(value), {from, from + trimmed.size()}};
}

std::optional<FoundJson> OfBlocks(std::string_view text) {
  CodeFence open;
  std::size_t content = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const CodeFence fence = CodeFenceOf(text.substr(at, end - at));
    if (open.mark == 0 && fence.mark != 0) {
      open = fence;
      content = std::min(end + 1, text.size());
    } else if (open.mark != 0 && fence.Closes(open)) {
      if (std::optional<FoundJson> found = ParsedTrimmed(text.substr(content, at - content), text))
        return found;
      open = {};
    }
    at = end + 1;
  }
  return open.mark == 0 ? std::nullopt : ParsedTrimmed(text.substr(content), text);
}

// Behind the bracket that closes the one at the start, outside of JSON's strings; npos if none does.
std::size_t BehindClosing(std::string_view text) {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_text) {
      if (c == '\\') ++at;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth == 0) return at + 1;
    }
  }
  return std::string_view::npos;
}

std::optional<FoundJson> OfBrackets(std::string_view text) {
  std::size_t left = kPassesMax * text.size();
  for (std::size_t at = text.find_first_of("{["); at != std::string_view::npos;
       at = text.find_first_of("{[", at + 1)) {
    const std::string_view rest = text.substr(at);
    const std::size_t size = BehindClosing(rest);
    const std::size_t looked_at = size == std::string_view::npos ? rest.size() : size;
    if (looked_at > left) return {};
    left -= looked_at;
    if (size == std::string_view::npos) continue;
    if (std::optional<FoundJson> found = ParsedTrimmed(rest.substr(0, size), text)) return found;
  }
  return {};
}

}  // namespace

std::optional<FoundJson> FindJsonAt(std::string_view text) {
  if (std::optional<FoundJson> found = ParsedTrimmed(text, text)) return found;
  if (std::optional<FoundJson> found = OfBlocks(text)) return found;
  return OfBrackets(text);
}

std::optional<Value> FindJson(std::string_view text) {
  std::optional<FoundJson> found = FindJsonAt(text);
  return found ? std::optional(std::move(found->value)) : std::nullopt;
}

}  // namespace assay
