// Splits document text into words in two ways: tokens as the chunker counts them, and plain words as searches
// use them. Each goes through the text once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

// A piece of text as the chunker counts it: a run of ASCII letters, digits and underscores, or any other
// single character that is no white space.
struct TokenSpan {
  std::size_t begin = 0;
  std::size_t end = 0;  // begin == end: there is none left
};
TokenSpan NextToken(std::string_view text, std::size_t from);

// Python's str.isspace() for one code point, and the white space at `at` (0 bytes: none).
bool IsBlankCodePoint(char32_t code_point);
std::size_t BlankSizeAt(std::string_view text, std::size_t at);

// Words of a query and of the hashed bag of words: runs of [A-Za-z0-9_] of the text in lower case. Characters
// outside ASCII end a word, but for the two whose lower-case form is ASCII (U+0130, U+212A).
class PlainWords {
 public:
  explicit PlainWords(std::string_view text) : text_(text) {}
  // The next word, valid until the next call; "" at the end.
  std::string_view Next();

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
};

// Words as SQLite's FTS5 has them by default (unicode61): runs of letters and digits, folded to lower case
// and without accents. Underscores part words.
class IndexWords {
 public:
  explicit IndexWords(std::string_view text) : text_(text) {}
  std::string_view Next();  // as above

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
};

// The text with every run of white space made one blank, none at its ends.
std::string CollapseBlanks(std::string_view text);
std::string_view TrimBlanks(std::string_view text);
// The first so many code points of the text; all of it if it has no more.
std::string_view FirstCodePoints(std::string_view text, std::size_t count);

}  // namespace assay
