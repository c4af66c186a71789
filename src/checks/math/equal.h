// SameMathematics: whether two pieces of mathematics, in LaTeX or plain notation, mean the same.
#pragma once

#include <string_view>

namespace assay {

// Each side is the content of its last \boxed{}, if it has one, without dollar signs, units, degrees, percent
// signs and commas of thousands. Equal are:
//   the same texts; words in any letter case; matrices cell by cell
//   unions, sets and bare lists in any order; tuples and intervals in order, with the same brackets
//   x = e and e; equations whose sides agree or whose differences are proportional
//   expressions with the same values
// What cannot be read is equal to nothing but itself. Beyond the bounds of expression.h nothing is equal.
bool SameMathematics(std::string_view answer, std::string_view wanted);

}  // namespace assay
