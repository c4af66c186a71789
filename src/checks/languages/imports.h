// Shared helpers of language rows that find the package names that a program imports by scanning its text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Adds the name if it looks like one (letters, digits, _ - . / @) and is not there yet.
void AddPackage(std::string_view name, std::vector<std::string>& names);
enum class Quotes { kNeeded, kOptional };
// The names that follow each `call(`: require("jsdom"), library(dplyr).
std::vector<std::string> ArgumentsOf(std::string_view call, Quotes quotes, std::string_view program);
// "a", "b": the names as a list of texts, for languages that quote with ".
std::string QuotedNames(std::span<const std::string> names);

}  // namespace assay
