// Classifies letters as a full-text index needs it: which code points are parts of words, in lower case and
// without accents. Like the default of SQLite's FTS5 (unicode61, remove_diacritics 1), with Unicode's own
// data.
#pragma once

namespace assay {

// kMark: a combining mark, which stands in a word and is not written down.
enum class WordPart { kNone, kLetter, kMark };

struct SearchLetter {
  WordPart part = WordPart::kNone;
  char32_t folded = 0;
};
SearchLetter SearchLetterOf(char32_t code_point);

}  // namespace assay
