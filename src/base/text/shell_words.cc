// A one-pass splitter of command lines, and the quoting of words.
#include "base/text/shell_words.h"

namespace assay {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

class WordSplitter {
 public:
  explicit WordSplitter(std::string_view text) : text_(text) {}

  Result<std::vector<std::string>> Split() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '\0') return Problem("expected words, found a NUL character");
      if (kBlanks.find(c) != std::string_view::npos) {
        in_word_ = false;
        continue;
      }
      if (!in_word_) words_.emplace_back();
      in_word_ = true;
      if (c == '\'' || c == '"') {
        if (!TakeQuoted(c)) return Problem("expected a closing quote, found the end");
      } else if (c != '\\') {
        words_.back() += c;
      } else if (at_ == text_.size()) {
        return Problem("expected a character after the last backslash, found the end");
      } else {
        words_.back() += text_[at_++];
      }
    }
    return std::move(words_);
  }

 private:
  static Error Problem(std::string message) { return {ErrorCode::kInvalidInput, std::move(message)}; }

  // Up to the quote's partner; false if there is none.
  bool TakeQuoted(char quote) {
    while (at_ < text_.size()) {
      char c = text_[at_++];
      if (c == quote) return true;
      const bool is_escape =
          quote == '"' && c == '\\' && at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\\');
      if (is_escape) c = text_[at_++];
      words_.back() += c;
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool in_word_ = false;
  std::vector<std::string> words_;
};

}  // namespace

std::string QuoteWord(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

Result<std::vector<std::string>> SplitWords(std::string_view text) { return WordSplitter(text).Split(); }

}  // namespace assay
