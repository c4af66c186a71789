// ItemsOf: the parts of a text that lists things: JSON, bullets, numbered lines, commas, "and".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// A text that is a JSON list: its items, texts bare and anything else as it is written. Else the text is
// split at `separator`, or, where that is "", at commas, semicolons, line ends and " and ". Each part loses
// blanks, one bullet or number ("- ", "2) "), a leading "and ", full stops at its end and quotation marks;
// what is empty then is no item.
std::vector<std::string> ItemsOf(std::string_view text, std::string_view separator = {});

}  // namespace assay
