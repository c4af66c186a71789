// JsRegex: JavaScript regular expressions, compiled once and searched from any thread with the caller's
// scratch memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/text/text_range.h"

namespace assay {

// A text to search, with the forms that engines need made at most once. Not thread-safe; borrowed text must
// outlive it.
class RegexSubject {
 public:
  explicit RegexSubject(std::string_view text) : text_(text) {}
  std::string_view text() const { return text_; }
  bool is_ascii();
  const std::u16string& utf16();

 private:
  std::string_view text_;
  int ascii_ = -1;  // -1: not looked at yet
  bool has_utf16_ = false;
  std::u16string utf16_;
};

enum class JsRegexFlags : unsigned { kNone = 0, kIgnoreCase = 1, kUnicode = 2, kIgnoreCaseUnicode = 3 };

// Whether (?i: and its kin are understood. JavaScript got them after the formats were made, so that patterns
// of files must not have them; our own may.
enum class InlineModifiers { kRefused, kUnderstood };

// ECMAScript RegExp (spec: blueprint 24.2). Immutable once compiled; any thread.
class JsRegex {
 public:
  // kInvalidInput with the engine's reason; kLimit over limits::kRegexBytesMax.
  static Result<std::shared_ptr<const JsRegex>> Compile(
      std::string_view pattern, JsRegexFlags flags, InlineModifiers modifiers = InlineModifiers::kRefused);
  ~JsRegex();
  JsRegex(const JsRegex&) = delete;
  JsRegex& operator=(const JsRegex&) = delete;

  // Whether the pattern matches somewhere. kLimit when limits::kRegexTime (CPU time of this thread) or memory
  // ran out.
  Result<bool> Search(RegexSubject& subject) const;
  // The same, and where: the first match. Empty: it matches nothing, in some place.
  Result<std::optional<TextRange>> Find(RegexSubject& subject) const;
  // All matches, one behind the other, as with the flag g; the limits are those of one search.
  Result<std::vector<TextRange>> FindAll(RegexSubject& subject) const;
  // Of each of them the first group that took part and is not empty, and without groups the match itself.
  // Matches without such a part are left out.
  Result<std::vector<TextRange>> FindAllGroups(RegexSubject& subject) const;

 private:
  JsRegex();
  struct Program;
  // The engine's outcome: 1 found, 0 not found, negative a limit. Of a match `captures` has the first and the
  // last place.
  static int Execute(const Program& program, RegexSubject& subject, void* guard, std::uint8_t** captures);
  // The same from a place on, counted in bytes of ASCII or in units of UTF-16.
  static int ExecuteFrom(const Program& program, RegexSubject& subject, std::size_t from, void* guard,
                         std::uint8_t** captures);
  // Of each match, or of a part of it.
  enum class Taken { kMatch, kGroup };
  Result<std::vector<TextRange>> FindEach(RegexSubject& subject, Taken taken) const;
  std::unique_ptr<Program> program_;
};

}  // namespace assay
