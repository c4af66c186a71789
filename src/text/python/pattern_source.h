// Reads the tokens of a Python pattern as CPython's own parser does, with its error texts and positions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"

namespace assay {

// A character, or a backslash with the character behind it.
struct PythonPatternToken {
  static constexpr char32_t kEnd = 0x110000;  // no code point

  char32_t c = kEnd;
  bool is_escaped = false;   // a backslash stood before it
  std::size_t position = 0;  // in code points

  bool Is(char32_t plain) const { return !is_escaped && c == plain; }
  std::size_t size() const { return is_escaped ? 2 : 1; }
};

// `pattern` must outlive it.
class PythonPatternSource {
 public:
  using Token = PythonPatternToken;

  explicit PythonPatternSource(std::string_view pattern);

  bool AtEnd() const { return at_ >= tokens_.size(); }
  // The pattern's last character is a backslash that escapes nothing, and everything before it is read.
  bool EndsInBackslash() const { return ends_in_backslash_ && AtEnd(); }
  Token Peek() const { return AtEnd() ? Token{} : tokens_[at_]; }
  Token Take() { return AtEnd() ? Token{} : tokens_[at_++]; }
  bool Accept(char32_t plain);
  // Everything up to `terminator`, which is taken; `what` names it in errors.
  Result<std::u32string> Until(char32_t terminator, std::string_view what);

  std::size_t index() const { return at_; }  // of the next token
  void GoBack(std::size_t index) { at_ = index; }
  const Token& TokenAt(std::size_t index) const { return tokens_[index]; }
  std::size_t token_count() const { return tokens_.size(); }
  // Where the next token begins, or the one of this index, in code points.
  std::size_t Position() const { return StartOf(at_); }
  std::size_t StartOf(std::size_t index) const;
  // The pattern's own text from this token up to the next one.
  std::string Written(std::size_t index) const;
  // The token with the backslash of the escape whose first token was taken last, or one or two before.
  std::size_t EscapeStart() const;

  // Errors in Python's words. The place is `back` code points before the next token, as str(re.error) has
  // it: of a pattern of several lines with line and column.
  Error Refuse(std::string_view words, std::size_t back = 0) const;
  Error RefuseAt(std::string_view words, std::size_t position) const;
  static Error NotAPattern(std::string_view words);
  // What stands behind the question mark of a group: `before`, and the token that was just taken.
  Error UnknownExtension(std::string_view before, Token token) const;
  // A range is named by the tokens that it begins and ends with.
  Error BadRange(Token first, Token last) const;
  // A name that was just read up to its terminator.
  Status CheckGroupName(std::u32string_view name) const;

 private:
  std::string_view pattern_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t size_ = 0;            // of the tokens, in code points
  bool ends_in_backslash_ = false;  // behind the last token
};

bool IsPythonIdentifier(std::u32string_view name);
std::string PythonReprOf(std::u32string_view text);
std::string Utf8Of(std::u32string_view text);

}  // namespace assay
