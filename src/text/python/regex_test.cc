// Python's regular expressions: what golden rows do not say - limits, whole-text matches, places of problems.
#include "text/python/regex.h"

#include <doctest/doctest.h>

#include "base/limits.h"
#include "text/python/pattern.h"

namespace assay {
namespace {

enum class PythonOutcome { kMatch, kNoMatch, kInvalid, kLimit };

PythonOutcome Of(const Result<bool>& found) {
  if (!found) return PythonOutcome::kLimit;
  return *found ? PythonOutcome::kMatch : PythonOutcome::kNoMatch;
}

PythonOutcome Search(std::string_view pattern, std::string_view text) {
  const auto regex = PythonRegex::Compile(pattern);
  if (!regex)
    return regex.error().code == ErrorCode::kLimit ? PythonOutcome::kLimit : PythonOutcome::kInvalid;
  return Of((*regex)->Search(text));
}

PythonOutcome FullMatch(std::string_view pattern, std::string_view text) {
  const auto regex = PythonRegex::Compile(pattern);
  if (!regex) return PythonOutcome::kInvalid;
  return Of((*regex)->FullMatch(text));
}

TEST_CASE("fullmatch takes the whole text, whatever a search would be content with") {
  CHECK(FullMatch("a|ab", "ab") == PythonOutcome::kMatch);
  CHECK(FullMatch("a+?", "aaa") == PythonOutcome::kMatch);
  CHECK(FullMatch("ab", "abc") == PythonOutcome::kNoMatch);
  CHECK(FullMatch("b", "ab") == PythonOutcome::kNoMatch);
  CHECK(FullMatch("a$", "a\n") == PythonOutcome::kNoMatch);
  CHECK(FullMatch("", "") == PythonOutcome::kMatch);
  CHECK(FullMatch(".", "\xf0\x9f\x98\x80") == PythonOutcome::kMatch);
}

TEST_CASE("a text that is no UTF-8 is searched with U+FFFD for what is ill-formed") {
  CHECK(Search("a.b",
               "a\xff"
               "b") == PythonOutcome::kMatch);
  CHECK(Search("\\ufffd", "\xed\xa0\x80") == PythonOutcome::kMatch);
  CHECK(Search("^.$", "\xc3\xa9") == PythonOutcome::kMatch);
}

TEST_CASE("steps are counted over all positions of the text, and scanned text counts as well") {
  const std::string many(40, 'a');
  CHECK(Search("(a+)+$", many + "b") == PythonOutcome::kLimit);
  CHECK(Search("(a|a)*[cd]", many) == PythonOutcome::kLimit);
  // Each start takes few steps, all together take too many: PCRE2's own limit starts anew at each.
  CHECK(Search("a[\\s\\S]*a[\\s\\S]*a[\\s\\S]*[bc]", std::string(3000, 'a')) == PythonOutcome::kLimit);
  // What is never tried twice is still walked over from every start.
  CHECK(Search("a*+[bc]", std::string(200'000, 'a')) == PythonOutcome::kLimit);
  std::string text;
  for (int i = 0; i < 200; ++i) text += "a line of an answer\n";
  CHECK(Search("l[\\s\\S]*answer[\\s\\S]*z", text) == PythonOutcome::kNoMatch);
  CHECK(Search("(?:line|of|an|\\s)+x", text) == PythonOutcome::kNoMatch);
  const auto regex = PythonRegex::Compile("(a+)+$");
  REQUIRE(regex.has_value());
  CHECK((*regex)->Search(many + "b").error().message.starts_with("regex limit"));
}

TEST_CASE("patterns beyond a limit are refused, not cut") {
  CHECK(Search(std::string(limits::kRegexBytesMax + 1, 'a'), "a") == PythonOutcome::kLimit);
  CHECK(Search(std::string(201, '(') + std::string(201, ')'), "a") == PythonOutcome::kLimit);
  CHECK(Search(std::string(200, '(') + std::string(200, ')'), "a") == PythonOutcome::kMatch);
  CHECK(Search("(a){70000}", "a") == PythonOutcome::kLimit);
  CHECK(Search("a{65537}", std::string(65'537, 'a')) == PythonOutcome::kMatch);
  CHECK(Search("a{65537}", std::string(65'536, 'a')) == PythonOutcome::kNoMatch);
  CHECK(Search("^a{0,70000}$", std::string(65'537, 'a')) == PythonOutcome::kMatch);
}

TEST_CASE("a refusal says what is wrong and where, in the words of Python's compiler") {
  const struct {
    std::string_view pattern, message;
  } rows[] = {
      {"\xc3\xa9\\h", "bad escape \\h at position 1"},
      {"ab)", "unbalanced parenthesis at position 2"},
      {"(?<n>a)", "unknown extension ?<n at position 1"},
      {"(?P>n)", "unknown extension ?P> at position 1"},
      {"a{3,2}", "min repeat greater than max repeat at position 2"},
      {"(?=a)**", "multiple repeat at position 6"},
      {"(?i*)", "missing -, : or ) at position 3"},
      {"(?iy)", "unknown flag at position 3"},
      {"(?-)", "missing flag at position 3"},
      {"(?-i)", "missing : at position 4"},
      {"(?i-i:a)", "bad inline flags: flag turned on and off at position 5"},
      {"(?P<n", "missing >, unterminated name at position 4"},
      {"(?P<>a)", "missing group name at position 4"},
      {"(?(1)a|b|c)", "conditional backref with more than two branches at position 8"},
      {"(?(2)a)(b)", "invalid group reference 2 at position 3"},
      {"(?(0)a)", "bad group number at position 3"},
      {"\\N{NO SUCH}", "undefined character name 'NO SUCH' at position 0"},
      {"[\\777]", "octal escape value \\777 outside of range 0-0o377 at position 1"},
      {"[a-", "unterminated character set at position 0"},
      {"(?<=(a)\\1)", "cannot refer to group defined in the same lookbehind subpattern at position 9"},
      {"(?<=a*)b(", "missing ), unterminated subpattern at position 8"},
      {"(?<=a*)b", "look-behind requires fixed-width pattern"},
      {"*\\", "bad escape (end of pattern) at position 1"},
      {"*a\\", "nothing to repeat at position 0"},
      {"a\nb)", "unbalanced parenthesis at position 3 (line 2, column 2)"},
      {"a{4294967295}", "the repetition number is too large"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.pattern);
    const auto regex = PythonRegex::Compile(row.pattern);
    REQUIRE_FALSE(regex.has_value());
    CHECK(regex.error().message == std::string(kNotAPythonPattern) + std::string(row.message));
  }
}

}  // namespace
}  // namespace assay
