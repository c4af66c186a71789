// Walks a tree and compares each text's first and last letter with the marks of word processors.
#include "dialects/slips/quotes.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "text/yaml/slips/marks.h"

namespace assay {

namespace {

void WarnOfText(const Value& value, std::string_view code, Diagnostics& diagnostics) {
  const std::string& text = value.AsString();
  const std::string_view first = TypographicMarkAt(text);
  if (first.empty() || value.span.length != text.size()) return;  // straight quotes stand around it
  std::string_view last;
  for (std::size_t size = 2; size <= 3 && size <= text.size(); ++size) {
    const std::string_view end = std::string_view(text).substr(text.size() - size);
    if (TypographicMarkAt(end) == end) last = end;
  }
  if (last.empty() || text.size() < first.size() + last.size()) return;
  const std::string inner = text.substr(first.size(), text.size() - first.size() - last.size());
  const char straight =
      inner.find('\\') != std::string::npos || inner.find('"') != std::string::npos ? '\'' : '"';
  diagnostics.Warning(
      std::string(code),
      fmt::format("the typographic quotes {} {} are part of this text: they are no quotes of YAML", first,
                  last),
      value.span, fmt::format("write straight ones: {}{}{}", straight, inner, straight));
}

}  // namespace

void WarnOfTypographicQuotes(const Value& tree, std::string_view code, Diagnostics& diagnostics) {
  if (tree.is_string()) {
    WarnOfText(tree, code, diagnostics);
  } else if (tree.is_list()) {
    for (const Value& item : tree.AsList()) WarnOfTypographicQuotes(item, code, diagnostics);
  } else if (tree.is_map()) {
    for (const Member& member : tree.AsMap()) WarnOfTypographicQuotes(member.value, code, diagnostics);
  }
}

}  // namespace assay
