// The quotation marks of word processors, which YAML takes for letters.
#pragma once

#include <string_view>

namespace assay {

// The mark that the text begins with; "" if it begins with none.
std::string_view TypographicMarkAt(std::string_view text);
// The first mark of a line that nobody writes but as a quote; an apostrophe is none. "" if there is none.
std::string_view TypographicMarkIn(std::string_view line);

}  // namespace assay
