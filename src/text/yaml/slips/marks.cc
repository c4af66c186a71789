// The tables of typographic quotation marks and of dashes that are none.
#include "text/yaml/slips/marks.h"

#include <algorithm>
#include <iterator>

namespace assay {

namespace {

constexpr std::string_view kMarks[] = {"\u201c", "\u201d", "\u201e", "\u00ab", "\u00bb",
                                       "\u2018", "\u201a", "\u2039", "\u203a", "\u2019"};
constexpr std::string_view kApostrophe = "\u2019";
constexpr std::string_view kDashes[] = {"\u2013", "\u2014", "\u2212", "\u2010", "\u2022", "\u00b7"};

}  // namespace

std::string_view TypographicMarkAt(std::string_view text) {
  constexpr unsigned char kLastAscii = 0x7f;
  if (text.empty() || static_cast<unsigned char>(text.front()) <= kLastAscii) return {};  // none of them
  const auto found = std::find_if(std::begin(kMarks), std::end(kMarks),
                                  [text](std::string_view mark) { return text.starts_with(mark); });
  return found == std::end(kMarks) ? std::string_view() : *found;
}

std::string_view ForeignDashAt(std::string_view text) {
  const auto found = std::find_if(std::begin(kDashes), std::end(kDashes),
                                  [text](std::string_view dash) { return text.starts_with(dash); });
  return found == std::end(kDashes) ? std::string_view() : *found;
}

std::string_view TypographicMarkIn(std::string_view line) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::string_view mark = TypographicMarkAt(line.substr(at));
    if (!mark.empty() && mark != kApostrophe) return mark;
  }
  return {};
}

}  // namespace assay
