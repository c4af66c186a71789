// Resolves what a text writes in place of a character: entities of HTML, escapes of JSON, programs, addresses
// and mails.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// kUsual: as most readers take an escape. kEvery: in each way that its letters and digits allow, one behind
// the other between blanks ("&#x200Bassi" may be U+200B and "assi", or U+200BA and "ssi").
enum class EscapeReading { kUsual, kEvery };

// The text with the characters that "&#69;", "&Eacute;", "\u0045", "\x45", "%45", "=45" and "U+0045" mean,
// and escapes of CSS, RTF and TeX. Escapes of escapes are resolved to their end, and in kEvery and in long
// texts at least eight deep. Controls become blanks, except line ends and ESC. Where letters may belong to an
// escape or not ("&Cscr;", "&zwnjx", "\vC"), each is followed by a blank, so that a reader can take it or
// leave it. Linear in the length of the text; kEvery: at most about eight times as long.
std::string WithoutEscapes(std::string_view text, EscapeReading reading = EscapeReading::kUsual);

// The text with "<>" in place of each tag and comment, and without what stands between brackets that hold no
// others.
std::string WithShortMarkup(std::string_view text);

// The code point of an entity's name without & and ;, or 0.
char32_t EntityCodePoint(std::string_view name);

}  // namespace assay
