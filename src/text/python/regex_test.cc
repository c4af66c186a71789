// Tests of Python's regular expressions beyond the golden rows: limits, whole-text matches, places of
// problems.
#include "text/python/regex.h"

#include <doctest/doctest.h>

#include "text/limits.h"
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

PythonOutcome Within(std::chrono::milliseconds time, std::string_view pattern, std::string_view text) {
  const auto regex = PythonRegex::Compile(pattern);
  if (!regex) return PythonOutcome::kInvalid;
  CpuBudget budget(time);
  return Of((*regex)->Search(text, budget));
}

std::string Repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST_CASE("what takes the library many steps has Python's verdict all the same") {
  // Ten million steps were too few for both.
  CHECK(Search("(a+)+$", std::string(22, 'a') + "b") == PythonOutcome::kNoMatch);
  const std::string answer = Repeated("the quick brown fox. ", 300);
  CHECK(Search("(?is)(?=.*FOX)(?=.*dog)", answer) == PythonOutcome::kNoMatch);
  CHECK(Search("(?is)(?=.*FOX)(?=.*dog)", answer + "Dog") == PythonOutcome::kMatch);
  // However long the answer is: one look from its start is enough, unless there are branches.
  const std::string book = Repeated("the quick brown fox. ", 100'000);
  CHECK(Search("(?is)(?=.*FOX)(?=.*dog)(?=.*cat)", book) == PythonOutcome::kNoMatch);
  CHECK(Search("(?s)(?=.*fox)(?=.*quick)", book) == PythonOutcome::kMatch);
  CHECK(Search("(?s)(?=.*x)b", "abx") == PythonOutcome::kMatch);
  CHECK(Search("(?s)(?=.*z|b)", "ab") == PythonOutcome::kMatch);
  CHECK(Search("(?s)((?=.*b)b)", "ab") == PythonOutcome::kMatch);
  CHECK(Search("(?s)(?=.*+b)|b", "ab") == PythonOutcome::kMatch);
  CHECK(Search("(?=.*b)", "a\nb") == PythonOutcome::kMatch);
  CHECK(Search("(?s)(?=.*b)(?!a)", "ab") == PythonOutcome::kMatch);
  CHECK(Search("(?:line|of|an|\\s)+x", Repeated("a line of an answer\n", 200)) == PythonOutcome::kNoMatch);
  CHECK(Search("l[\\s\\S]*answer[\\s\\S]*z", Repeated("a line of an answer\n", 200)) ==
        PythonOutcome::kNoMatch);
  // Found far behind the first slice of the text, and at its very end.
  CHECK(Search("foo$", std::string(300'000, 'f') + "foo") == PythonOutcome::kMatch);
  CHECK(Search("(?<=\\xe9)$", Repeated("\xc3\xa9", 5'000)) == PythonOutcome::kMatch);
}

TEST_CASE("a search ends with its time, wherever it is spent") {
  constexpr std::chrono::milliseconds kTime{60};
  const std::string many(40, 'a');
  CHECK(Within(kTime, "(a+)+$", many + "b") == PythonOutcome::kLimit);
  CHECK(Within(kTime, "(a|a)*[cd]", many) == PythonOutcome::kLimit);
  CHECK(Within(kTime, "(?:a|a){40}[bc]", many + "d") == PythonOutcome::kLimit);
  // Each start takes few steps, all together take too many.
  CHECK(Within(kTime, "a[\\s\\S]*a[\\s\\S]*a[\\s\\S]*[bc]", std::string(9000, 'a')) == PythonOutcome::kLimit);
  const auto regex = PythonRegex::Compile("(a+)+$");
  REQUIRE(regex.has_value());
  CpuBudget budget(kTime);
  const Result<bool> late = (*regex)->Search(many + "b", budget);
  CHECK(late.error().message.starts_with("regex limit: no result after 0.06 s"));
  // The budget is shared by all searches that are given it.
  CHECK_FALSE((*regex)->Search(many + "b", budget));
}

TEST_CASE("groups inside groups, and counts beyond the library's own") {
  CHECK(Search(std::string(limits::kRegexBytesMax + 1, 'a'), "a") == PythonOutcome::kLimit);
  CHECK(Search(std::string(201, '(') + std::string(201, ')'), "a") == PythonOutcome::kMatch);
  CHECK(Search(std::string(300, '(') + std::string(300, ')'), "a") == PythonOutcome::kMatch);
  CHECK(Search(std::string(301, '(') + std::string(301, ')'), "a") == PythonOutcome::kLimit);
  struct Row {
    std::string_view pattern, piece;
    std::size_t least, most;  // pieces that match
  };
  constexpr std::size_t kAny = 0;
  const Row rows[] = {{"^(?:ab){70000}$", "ab", 70'000, 70'000},
                      {"^(ab){70000}$", "ab", 70'000, 70'000},
                      {"^a{70000}$", "a", 70'000, 70'000},
                      {"^a{0,70000}$", "a", 0, 70'000},
                      {"^(?:a|b){70000,}$", "b", 70'000, kAny},
                      {"^(?:ab){69000,70000}?$", "ab", 69'000, 70'000},
                      {"^[ab]{65536}$", "b", 65'536, 65'536},
                      {"^(?:ab){20000}+$", "ab", 20'000, 20'000},
                      {"^(?:(?:ab){300}){300}$", "ab", 90'000, 90'000}};
  for (const Row& row : rows) {
    CAPTURE(row.pattern);
    CHECK(Search(row.pattern, Repeated(row.piece, row.least)) == PythonOutcome::kMatch);
    if (row.least > 0)
      CHECK(Search(row.pattern, Repeated(row.piece, row.least - 1)) == PythonOutcome::kNoMatch);
    if (row.most != kAny) {
      CHECK(Search(row.pattern, Repeated(row.piece, row.most)) == PythonOutcome::kMatch);
      CHECK(Search(row.pattern, Repeated(row.piece, row.most + 1)) == PythonOutcome::kNoMatch);
    }
  }
  // A group keeps what it matched last, and numbers of groups stay.
  CHECK(Search("^(a|b){70000}\\1(c)\\2$", std::string(69'999, 'a') + "bbcc") == PythonOutcome::kMatch);
  CHECK(Search("^(a|b){70000}\\1(c)\\2$", std::string(69'999, 'a') + "bacc") == PythonOutcome::kNoMatch);
  CHECK(Search("(?:(a)\\1){70000}", "a") == PythonOutcome::kLimit);
  CHECK(Search("x{,3}y", "xxy") == PythonOutcome::kMatch);
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

TEST_CASE("matches are counted as re.findall finds them") {
  const auto count = [](std::string_view pattern, std::string_view text) {
    const auto regex = PythonRegex::Compile(pattern);
    REQUIRE(regex.has_value());
    return (*regex)->Count(text).value_or(99);
  };
  CHECK(count("a+", "aa b a") == 2);
  CHECK(count("a*", "ab") == 3);
  CHECK(count("(?i)\\bx\\b", "X xx x") == 2);
  CHECK(count("\xC3\xA9", "\xC3\xA9\xFF\xC3\xA9") == 2);
  CHECK(count("", "\xC3\xA9") == 2);
}

}  // namespace
}  // namespace assay
