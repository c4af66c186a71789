// Tests of what is read out of prose beyond the golden rows: choices, sentences, counts, forms, items, JSON.
// Each reader takes linear time, so that the texts at the end of a test that do worst are read at once.
#include <doctest/doctest.h>

#include "tests/support/slowness.h"
#include "text/json/find_json.h"
#include "text/prose/choice.h"
#include "text/prose/countable.h"
#include "text/prose/forms.h"
#include "text/prose/items.h"
#include "text/prose/letters_of.h"
#include "text/prose/normal.h"
#include "text/prose/sentences.h"

namespace assay {
namespace {

std::string ManyOf(std::string_view part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

std::string ChoiceOf(std::string_view text, const ChoiceRules& rules = {}) {
  const std::optional<char> letter = FindChoice(text, rules);
  return letter ? std::string(1, *letter) : "";
}

TEST_CASE("normal forms: the rules hold in their order, articles only as words of their own") {
  CHECK(PlainForm("  The  Theatre, a\tday ", SquadRules()) == "theatre day");
  CHECK(PlainForm("À la carte", {.no_accents = true}) == "A la carte");
  CHECK(PlainForm("“5 €”", {.no_symbols = true}) == "5");
  CHECK(PlainForm("\"5\" €", {.no_punctuation = true}) == "5 €");
  CHECK(PlainForm(" x ", {.trim = false}) == " x ");
}

TEST_CASE("a choice is read from the words around it") {
  CHECK(ChoiceOf("The answer is 'B'.") == "B");
  CHECK(ChoiceOf("The answer is B's fault") == "");
  CHECK(ChoiceOf("答案是B。") == "B");
  CHECK(ChoiceOf("Answer: **C**, since (A) and (B) fail") == "C");
  CHECK(ChoiceOf("The answer is (B) or (C)") == "");
  CHECK(ChoiceOf("It is not B but D") == "D");
  CHECK(ChoiceOf("E", {.letters = "ABCDE"}) == "E");
  CHECK(ChoiceOf("E") == "");
  CHECK(FindChoices("Answers: B and (D)", {}) == "BD");
  CHECK(FindChoices("none of them", {}) == "");
}

TEST_CASE("long texts of nothing but openings are read at once") {
  for (const std::string_view part :
       {"option: ", "answer: ((", "option: B, ", "B, and ", "\\boxed{", "(", "A "})
    CHECK(ChoiceOf(ManyOf(part, testing::Sized(50'000)), {.letters = "AB", .texts = {"x", "y"}}).size() <= 1);
}

TEST_CASE("sentences end where a reader stops") {
  CHECK(SentencesOf("Is it? Yes! It costs 3.50 at St. Mary's, e.g. today.").size() == 3);
  CHECK(SentencesOf("Dear all,\n\n- one\n- two").size() == 3);
  CHECK(SentencesOf("").empty());
  CHECK(SentencesOf(ManyOf("1. ", 100'000)).size() <= 100'000);
}

TEST_CASE("what is counted") {
  CHECK(CountOf("code_blocks", "```py\nx\n```\n~~~\nopen") == 2);
  CHECK(CountOf("headings", "# a\n####### b\n#c\n## d") == 2);
  CHECK(CountOf("capital_words", "ÄRGER über EU-Recht A1") == 2);
  CHECK(CountOf("urls", "http:// https://x.example/ ftp://y") == 1);
  CHECK(CountOf("paragraphs", "\n\na\n \nb\nc\n") == 2);
  CHECK(CountText("an", "an banana an", Whereabouts::kAsWord) == 2);
}

TEST_CASE("forms of whole texts") {
  CHECK(HasForm("+1,234.5e-3", "number"));
  CHECK_FALSE(HasForm("12,34", "number"));
  CHECK_FALSE(HasForm("e5", "number"));
  CHECK(HasForm("2000-02-29", "date"));
  CHECK_FALSE(HasForm("1900-02-29", "date"));
  CHECK(HasForm("2024-01-31 12:00:00.25Z", "datetime"));
  CHECK_FALSE(HasForm("2024-01-31T12:00+2:00", "datetime"));
  CHECK(HasForm("https://a-b.example:8080/x?y=1#z", "url"));
  CHECK_FALSE(HasForm("https://-a.example", "url"));
  CHECK_FALSE(HasForm("a@b.1x", "email"));
}

TEST_CASE("letters: cases and scripts") {
  CHECK(HasCase("O'NEILL & CO. 3", LetterCase::kUpper));
  CHECK_FALSE(HasCase("Hello-World foo", LetterCase::kTitle));
  CHECK(ScriptOf("cyrillic").has_value());
  CHECK_FALSE(ScriptOf("Common").has_value());
  CHECK_FALSE(ScriptOf("Klingon").has_value());
}

TEST_CASE("items lose bullets, quotes and full stops, and keep points within") {
  CHECK(ItemsOf("* \"Paris.\"\n* .NET, and C++.") == std::vector<std::string>{"Paris", ".NET", "C++"});
  CHECK(ItemsOf("[1, 2.50, {\"a\": 1}]") == std::vector<std::string>{"1", "2.50", "{\"a\": 1}"});
  CHECK(ItemsOf(" , ; \n").empty());
}

TEST_CASE("JSON within words: a block, else the first bracket that parses") {
  CHECK(FindJson("The set {x} is {\"a\": [1]} here")->Find("a") != nullptr);
  CHECK(FindJson("~~~\n[1]\n~~~")->is_list());
  CHECK_FALSE(FindJson("nothing {here").has_value());
  CHECK_FALSE(FindJson(ManyOf("[", 200'000)).has_value());
}

TEST_CASE("plain forms of texts of several scripts") {
  struct Row {
    std::string_view text, squad;
  };
  const Row rows[] = {
      {"The  cat, an apple; a\tdog!", "cat apple dog"},
      {"THE ÄPFEL und DIE thé, aé a", "äpfel und die thé aé"},
      {"a", ""},
      {"", ""},
      {" ,;. ", ""},
      {"\u00a0\u3000the\u2003住宅 \u00a0a 住", "住宅 住"},
      {"ΟΔΟΣ the Σ", "οδος σ"},
      {"«the» “a” – an…", "« » “ ” – …"},
      {"a1 an1 the2", "a1 an1 the2"},
      {"İstanbul", "i\u0307stanbul"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(PlainForm(row.text, SquadRules()) == row.squad);
  }
  CHECK(PlainForm("Crème brûlée", {.no_accents = true}) == "Creme brulee");
  CHECK(PlainForm("1 + 2 = ③ €", {.no_symbols = true, .no_digits = true, .one_blank = true}) == "③");
  CHECK(PlainForm("  b ", {.trim = false}) == "  b ");
  CHECK(BlankWords("a\u2003b\u00a0 c") == std::vector<std::string_view>{"a", "b", "c"});
}

}  // namespace
}  // namespace assay
