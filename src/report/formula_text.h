// Recognises texts that a spreadsheet would run as a formula.
#pragma once

#include <string_view>

namespace assay {

// Whether a cell that holds this text would be a formula. The full-width signs (＝＋－＠) count as the plain
// ones, and what breaks a line is skipped.
bool StartsFormula(std::string_view text);

}  // namespace assay
