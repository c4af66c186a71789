// The characters with which a formula may begin.
#include "report/formula_text.h"

#include <algorithm>
#include <span>

namespace assay {

namespace {

constexpr char kMark = '\'';

// How many bytes of the text are one of the starts; 0: it begins with none.
std::size_t LengthOfStart(std::string_view text, std::span<const std::string_view> starts) {
  for (const std::string_view start : starts) {
    if (text.starts_with(start)) return start.size();
  }
  return 0;
}

bool HasMarkedFormula(std::string_view text) {
  const std::size_t marks = text.find_first_not_of(kMark);
  return marks != 0 && marks != std::string_view::npos && StartsFormula(text.substr(marks));
}

}  // namespace

bool StartsFormula(std::string_view text) {
  constexpr std::string_view kSigns[] = {"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"};
  // Spaces of one kind or another, and marks that take no room.
  constexpr std::string_view kBlanks[] = {" ",      "\u00A0", "\u2002", "\u2003", "\u2009",
                                          "\u202F", "\u3000", "\u200B", "\uFEFF"};
  while (const std::size_t blank = LengthOfStart(text, kBlanks)) text.remove_prefix(blank);
  return LengthOfStart(text, kSigns) > 0;
}

std::string WithApostrophes(std::string_view text) {
  std::string marked;
  while (true) {
    const std::size_t end = std::min(text.find(';'), text.size());
    if (StartsFormula(text) || HasMarkedFormula(text)) marked += kMark;
    marked += text.substr(0, end);
    if (end == text.size()) return marked;
    marked += ';';
    text.remove_prefix(end + 1);
  }
}

std::string WithoutApostrophes(std::string_view text) {
  std::string plain;
  while (true) {
    if (HasMarkedFormula(text)) text.remove_prefix(1);
    const std::size_t end = std::min(text.find(';'), text.size());
    plain += text.substr(0, end);
    if (end == text.size()) return plain;
    plain += ';';
    text.remove_prefix(end + 1);
  }
}

}  // namespace assay
