// The characters with which a formula may begin.
#include "report/formula_text.h"

#include <algorithm>
#include <iterator>

namespace assay {

bool StartsFormula(std::string_view text) {
  constexpr std::string_view kStarts[] = {"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"};
  return std::any_of(std::begin(kStarts), std::end(kStarts),
                     [text](std::string_view start) { return text.starts_with(start); });
}

}  // namespace assay
