// Tests of thoughts: what stands before an answer, and what only looks like it.
#include "text/thoughts.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace assay {
namespace {

TEST_CASE(
    "every row of the table is taken off, in any letter case, open by the template, twice, or never closed") {
  for (const ThoughtTags& tags : ThoughtTagTable()) {
    CAPTURE(tags.open);
    const auto split = [](const std::string& text) { return SplitThoughts(text); };
    const SplitAnswer one = split(fmt::format(" {}Hm\n{}\n\nParis ", tags.open, tags.close));
    CHECK(one.answer == "Paris");
    CHECK(one.thoughts == "Hm");
    CHECK_FALSE(one.is_open);
    const SplitAnswer two = split(fmt::format("{0}a{1}{0}b{1}Paris", tags.open, tags.close));
    CHECK(two.answer == "Paris");
    CHECK(two.thoughts == "a\n\nb");
    const SplitAnswer open = split(fmt::format("{}Lyon?", tags.open));
    CHECK(open.answer.empty());
    CHECK(open.is_open);
    if (tags.close.starts_with("<|")) continue;
    std::string upper = fmt::format("{}Hm{}Paris", tags.open, tags.close);
    for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    CHECK(split(upper).answer == "PARIS");
    CHECK(split(fmt::format("Lyon? No.{}Paris", tags.close)).answer == "Paris");
  }
}

TEST_CASE("harmony's marks around the answer go, too") {
  const SplitAnswer split = SplitThoughts(
      "<|channel|>analysis<|message|>Lyon?<|end|><|start|>assistant<|channel|>final<|message|>Paris<|return|"
      ">");
  CHECK(split.thoughts == "Lyon?");
  CHECK(split.answer == "Paris");
}

TEST_CASE("what an answer says of tags stays in it") {
  for (const char* text :
       {"Use <think>Hm</think> there.", "The tag `</think>` ends thoughts.", "```\nx </think>\n```\nis XML.",
        "<thinks>no</thinks>", "", " kept as it stands "}) {
    CAPTURE(text);
    const SplitAnswer split = SplitThoughts(text);
    CHECK(split.answer == text);
    CHECK(split.thoughts.empty());
  }
  CHECK(SplitThoughts("<think>\nHm\n</think>Four </think>").answer == "Four </think>");
  CHECK(SplitThoughts("<think></think>Four").answer == "Four");
}

constexpr AnswerForm kBraced = {.begins = [](std::string_view text) { return text.starts_with('{'); },
                                .may_follow =
                                    [](std::string_view thoughts) {
                                      const std::size_t opened = thoughts.rfind("“");
                                      return opened == thoughts.npos ||
                                             thoughts.find("”", opened) != thoughts.npos;
                                    }};

TEST_CASE("a tag that is never closed behind other thoughts belongs to an answer of a known form") {
  for (const std::string_view text : {"a </think><think> b", "<think>a</think><thinking> b"}) {
    CAPTURE(text);
    CHECK(SplitThoughts(text).answer.empty());
    const SplitAnswer judge = SplitThoughts(text, &kBraced);
    CHECK(judge.thoughts == "a");
    CHECK(judge.answer.ends_with("> b"));
  }
  CHECK(SplitThoughts("<think>a", &kBraced).answer.empty());
}

TEST_CASE("thoughts end where an answer of a known form begins") {
  const std::string_view answer = "{“</think>” ends them}";
  for (const std::string_view thoughts :
       {"", "<think>a</think>", "<think>“</think>” ends b</think>\n", "b </think> c\n</think>\n\n",
        "<think>b</think><reasoning>c </reasoning> d</reasoning> ", "c </think>"}) {
    const std::string text = fmt::format("{}{}", thoughts, answer);
    CAPTURE(text);
    CHECK(SplitThoughts(text, &kBraced).answer == answer);
  }
  for (const std::string_view open :
       {"It says “</think>{}", "<think>It says “</think>{}", "<think>It says “</think><think>b</think>{}"}) {
    CAPTURE(open);
    CHECK(SplitThoughts(open, &kBraced).answer == open);
  }
  const std::string preamble = "It says “</think>” and: {}";
  CHECK(SplitThoughts(preamble, &kBraced).answer == preamble);
  std::string tags;
  for (int i = 0; i < 200'000; ++i) tags += "</think>";
  CHECK(SplitThoughts(tags, &kBraced).answer == tags);
}

}  // namespace
}  // namespace assay
