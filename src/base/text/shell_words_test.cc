// Tests of splitting command lines into words and of quoting them.
#include "base/text/shell_words.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("a command line is split as a shell would, and nothing is expanded") {
  struct Row {
    std::string_view text;
    std::vector<std::string> words;
  };
  const Row rows[] = {
      {"", {}},
      {"  \t ", {}},
      {"python3 agent.py --fast", {"python3", "agent.py", "--fast"}},
      {"'my agent.py' a", {"my agent.py", "a"}},
      {"\"my agent.py\"", {"my agent.py"}},
      {"my\\ agent.py", {"my agent.py"}},
      {"a'b c'd", {"ab cd"}},
      {"'' \"\"", {"", ""}},
      {R"("a\"b\\c\d")", {R"(a"b\c\d)"}},
      {R"('a\b"c')", {R"(a\b"c)"}},
      {"echo $HOME ~ *.py `id` $(id) ; a", {"echo", "$HOME", "~", "*.py", "`id`", "$(id)", ";", "a"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const Result<std::vector<std::string>> words = SplitWords(row.text);
    REQUIRE(words);
    CHECK(*words == row.words);
  }
}

TEST_CASE("a quote without its partner is an error") {
  for (const std::string_view text : {"'a", "a\"b", "a\\", "\"a\\\""}) {
    CAPTURE(text);
    CHECK_FALSE(SplitWords(text));
  }
  CHECK_FALSE(SplitWords(std::string_view("a\0b", 3)));
}

TEST_CASE("quoted words come back") {
  for (const std::string word : {"", "a", "a b", "it's", "\"", "\\", "$x", "a\nb"}) {
    CAPTURE(word);
    const Result<std::vector<std::string>> words = SplitWords(QuoteWord(word) + " " + QuoteWord(word));
    REQUIRE(words);
    CHECK(*words == std::vector<std::string>{word, word});
  }
}

}  // namespace assay
