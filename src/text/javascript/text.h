// JavaScript's string functions: white space, trim, letter case, words. Unicode data of the engine
// (QuickJS-ng's tables).
#pragma once

#include <string>
#include <string_view>

namespace assay {

bool IsJsSpace(char32_t code_point);             // the set of \s: ASCII blanks, NBSP, BOM, Zs, U+2028, U+2029
std::string_view JsTrim(std::string_view text);  // String.prototype.trim()
// String.prototype.toLowerCase()/toUpperCase(): full default mapping, final sigma, locale-independent.
std::string JsToLower(std::string_view text);
std::string JsToUpper(std::string_view text);
// Words: maximal runs of code points that are not \s.
std::size_t CountJsWords(std::string_view text);

}  // namespace assay
