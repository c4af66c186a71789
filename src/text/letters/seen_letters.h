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

// The same letters with everything between them: marks, and signs and digits as they are written. A control
// character stands beside each letter of a sign that may as well part two letters ("™", "Ⓔ"). It does not
// resolve escapes.
std::string SeenText(std::string_view utf8);
// A seen text in which no more than four signs stand in a row.
std::string WithShortRuns(std::string_view seen);
// Whether a text ends with a mark that ends a sentence or a part of one in any script ("។", "၊", "⁇").
bool EndsClause(std::string_view utf8);
// The letter that a sign or a digit may be ('E' of '3'); 0 if there is none.
char LetterOfSign(char sign);
// The letters of a seen text, with a line end for each mark that opens, closes, quotes or labels a word ("<",
// "'", ":") and for each line end.
std::string LettersByMarks(std::string_view seen);

}  // namespace assay
