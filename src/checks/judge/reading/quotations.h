// Quotations in a text, by their marks alone, which every language has: no list of words says when somebody
// quotes. Pure.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Removes quotations: everything between quotation marks or backticks. An unclosed mark stays.
std::string WithoutQuotations(std::string_view text);

// Whether a text begins with a mark that opens a quotation.
bool BeginsWithQuotationMark(std::string_view text);

// Whether a text without quotations leaves a quotation mark, a bracket, a comment or a fence open.
bool HoldsOpenMarks(std::string_view own);

// Whether a text closes the quotation marks, brackets and comments that it opens.
bool ClosesMarks(std::string_view text);

// Counts the occurrences of one text in another.
std::size_t TimesIn(std::string_view text, std::string_view wanted);

}  // namespace assay
