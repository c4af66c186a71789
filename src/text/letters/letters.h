// Classifies letters as a full-text index needs it: which code points are parts of words, in lower case and
// without accents. Like the default of SQLite's FTS5 (unicode61, remove_diacritics 1), with Unicode's own
// data. And makes the form of a text that a reader sees.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// kMark: a combining mark, which stands in a word and is not written down.
enum class WordPart { kNone, kLetter, kMark };

struct SearchLetter {
  WordPart part = WordPart::kNone;
  char32_t folded = 0;
};
SearchLetter SearchLetterOf(char32_t code_point);

// What a code point does in a line of prose, in any script. kLetter: also a mark on a letter. kPause: ends a
// sentence or a part of one.
enum class SignKind { kLetter, kDigit, kBlank, kPause, kOther };
SignKind SignKindOf(char32_t code_point);

// Whether a bracket of any script, or a mark that opens a quotation, is not closed. A mark behind a letter is
// an apostrophe.
bool HoldsOpenBracket(std::string_view text);

// For telling people that two texts differ only by characters which look alike:
// compatibility forms composed (NFKC: a ligature is its letters, an accent of its own a part of its letter),
// every kind of blank, hyphen, apostrophe and quotation mark the one of ASCII, invisible characters gone.
// Lines stay.
std::string NearForm(std::string_view text);

// The code points of the text that NearForm changes, each once, at most `most`: "U+2019, U+00A0".
std::string NearPoints(std::string_view text, std::size_t most);

}  // namespace assay
