// The table of typographic quotation marks.
#include "text/yaml/marks.h"

#include <algorithm>
#include <iterator>

namespace assay {

namespace {

constexpr std::string_view kMarks[] = {"\u201c", "\u201d", "\u201e", "\u00ab", "\u00bb",
                                       "\u2018", "\u201a", "\u2039", "\u203a", "\u2019"};
constexpr std::string_view kApostrophe = "\u2019";

}  // namespace

std::string_view TypographicMarkAt(std::string_view text) {
  const auto found = std::find_if(std::begin(kMarks), std::end(kMarks),
                                  [text](std::string_view mark) { return text.starts_with(mark); });
  return found == std::end(kMarks) ? std::string_view() : *found;
}

std::string_view TypographicMarkIn(std::string_view line) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::string_view mark = TypographicMarkAt(line.substr(at));
    if (!mark.empty() && mark != kApostrophe) return mark;
  }
  return {};
}

}  // namespace assay
