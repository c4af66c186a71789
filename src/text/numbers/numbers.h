// FindNumbers: the numbers that a text of prose, Markdown or LaTeX names, as a reader takes them. Read are
// signs and currency signs, groups of three, decimal points and commas, fractions (1/2, 3 1/2, 2½,
// \frac{1}{2}), powers of ten, scale words (million) and percent signs. A part of a number, of a version or
// of a name ("1.2.3", "H2O") is none.
#pragma once

#include <string_view>
#include <vector>

#include "base/text/text_range.h"

namespace assay {

struct FoundNumber {
  double value = 0;         // finite; a percent sign does not change it
  bool is_percent = false;  // % or "percent" stands behind it
  TextRange where = {};     // from its sign to its percent sign
};

enum class DecimalMark {
  kPoint,  // and a comma that cannot part groups of three: "3,5"
  kComma,  // points part groups
};

// In the order of the text. Linear in its length.
std::vector<FoundNumber> FindNumbers(std::string_view text, DecimalMark mark = DecimalMark::kPoint);

}  // namespace assay
