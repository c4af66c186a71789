// Tests of model names and of globs over ids.
#include "dialects/names.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("globs") {
  struct Row {
    std::string glob;
    std::string text;
    bool matches;
  };
  const Row rows[] = {{"*", "", true},      {"a*c", "abbc", true},     {"a*c", "abbd", false},
                      {"a?c", "abc", true}, {"a?c", "ac", false},      {"", "", true},
                      {"", "a", false},     {"*a*b*", "xxaxxb", true}, {"abc", "abc", true}};
  for (const Row& row : rows) {
    CAPTURE(row.glob);
    CAPTURE(row.text);
    CHECK(MatchesGlob(row.glob, row.text) == row.matches);
  }
}

TEST_CASE("a model's provider stands before the first colon") {
  CHECK(ModelAddressOf("OpenAI:gpt-4o").provider == "openai");
  CHECK(ModelAddressOf("ollama:llama3:8b").model == "llama3:8b");
  CHECK(ModelAddressOf("gpt-4o").provider.empty());
}

}  // namespace
}  // namespace assay
