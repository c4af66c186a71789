// The quotation marks and dashes of word processors, which YAML takes for letters.
#pragma once

#include <string_view>

namespace assay {

// The mark that the text begins with; "" if it begins with none.
std::string_view TypographicMarkAt(std::string_view text);
// The first mark of a line that nobody writes but as a quote; an apostrophe is none. "" if there is none.
std::string_view TypographicMarkIn(std::string_view line);

// The dash of word processors, or the bullet, that the text begins with: none of them begins an item of a
// list.
// "" if it begins with none.
std::string_view ForeignDashAt(std::string_view text);

}  // namespace assay
