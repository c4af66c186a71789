// Reduces a text to the Latin letters that a reader would see in it, so that lookalikes and escapes cannot
// disguise a word.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Capitals, one behind the other, without anything between them: of "Very-nearly", "ＶＥＲＹ ＮＥＡＲＬＹ",
// "&#86;ery&shy;nearly", "V3RY N3ARLY", of Cyrillic letters that look like these, and of small capitals,
// letters in boxes, flags and tag characters the same text. Letters that look like each other (I, l and 1)
// become one of them: compare only with what this function makes of another text.
std::string SeenLetters(std::string_view utf8);

// The same with a line end for each mark that opens, closes, quotes or labels a word ("<", "”", "：") and for
// each line end.
std::string SeenLettersByMarks(std::string_view utf8);

}  // namespace assay
