// Recognises texts that a spreadsheet would run as a formula, and marks them.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Whether a cell that holds this text would be a formula. The full-width signs (＝＋－＠) count as the plain
// ones; what breaks a line counts as a sign, and blanks before a sign are skipped.
bool StartsFormula(std::string_view text);

// The text with an apostrophe where a formula starts: at its beginning, and after each ";", where
// spreadsheets of many countries start a new cell.
std::string WithApostrophes(std::string_view text);
// What WithApostrophes was given.
std::string WithoutApostrophes(std::string_view text);

}  // namespace assay
