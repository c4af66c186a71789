// Splits a command line into words like a POSIX shell (quotes, backslashes), and quotes a word for one.
// Nothing is expanded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"

namespace assay {

// The word as a shell takes it back: itself, or in single quotes.
std::string QuoteWord(std::string_view word);

// Words between blanks, tabs and line breaks. 'single quotes' keep everything, "double quotes" everything but
// a backslash before `"` or `\`; elsewhere a backslash keeps the next character. kInvalidInput: a quote
// without its partner, a backslash at the end, a NUL.
Result<std::vector<std::string>> SplitWords(std::string_view text);

}  // namespace assay
