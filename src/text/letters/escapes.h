// Resolves what a text writes in place of a character: entities of HTML, escapes of JSON, programs, addresses
// and mails.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// The text with the characters that "&#69;", "&Eacute;", "\u0045", "\x45", "%45", "=45" and "U+0045" mean;
// escapes of escapes are resolved eight deep. Controls become blanks, except line ends and ESC. Where letters
// may belong to an escape or not ("&Cscr;", "\vC"), each is followed by a blank, so that a reader can take it
// or leave it. Linear in the length of the text.
std::string WithoutEscapes(std::string_view text);

// The text with "<span>" in place of a long `<span title="...">`, and "<!>" in place of a long comment.
std::string WithShortTags(std::string_view text);

// The code point of an entity's name without & and ;, or 0.
char32_t EntityCodePoint(std::string_view name);

}  // namespace assay
