// The step `boxed`: what stands in \boxed{…} or \fbox{…}, with its braces balanced, or behind "\boxed ".
#include <algorithm>

#include "text/extract/steps.h"

namespace assay {

namespace {

constexpr std::string_view kBoxes[] = {"\\boxed", "\\fbox"};

// Behind the word of a box that stands there; `at` if none does.
std::size_t BehindBoxWord(std::string_view text, std::size_t at) {
  for (const std::string_view box : kBoxes) {
    const bool stands = text.substr(at).starts_with(box);
    const std::size_t end = at + box.size();
    if (stands && end < text.size() && (text[end] == '{' || text[end] == ' ')) return end;
  }
  return at;
}

// Of "\boxed 5": up to a blank or a dollar sign, without the marks of a sentence.
TextRange BareBox(std::string_view text, std::size_t at) {
  const std::size_t from = std::min(text.find_first_not_of(' ', at), text.size());
  std::size_t to = std::min(text.find_first_of(" \t\r\n$", from), text.size());
  while (to > from && (text[to - 1] == '.' || text[to - 1] == ',' || text[to - 1] == ';')) --to;
  return {from, to};
}

}  // namespace

Result<std::vector<FoundPart>> FindBoxes(std::string_view text, const void*) {
  struct Open {
    std::size_t content = 0;
    bool is_box = false;
  };
  std::vector<Open> open;
  std::vector<FoundPart> parts;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\\') {
      const std::size_t end = BehindBoxWord(text, at);
      if (end == at) {
        at += 2;
      } else if (text[end] == '{') {
        open.push_back({end + 1, true});
        at = end + 1;
      } else {
        // "\boxed {5}" has braces, too.
        const std::size_t next = text.find_first_not_of(' ', end);
        const bool has_braces = next != std::string_view::npos && text[next] == '{';
        if (has_braces) open.push_back({next + 1, true});
        if (!has_braces) parts.push_back({.where = BareBox(text, end)});
        at = has_braces ? next + 1 : end;
      }
      continue;
    }
    if (text[at] == '{') open.push_back({at + 1, false});
    if (text[at] == '}' && !open.empty()) {
      if (open.back().is_box) parts.push_back({.where = {open.back().content, at}});
      open.pop_back();
    }
    ++at;
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const FoundPart& a, const FoundPart& b) { return a.where.from < b.where.from; });
  return parts;
}

}  // namespace assay
