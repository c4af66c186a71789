// Tests of which replies without a verdict may have been broken by what the judge quotes.
#include "checks/judge/reading/doubt.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace assay {
namespace {

TEST_CASE("a reply with a part of a verdict may be one that a quotation broke") {
  const std::string verdict = "<reflection>No.</reflection>\n<classification>CLASS_UNMET</classification>";
  for (const std::string& text : {verdict,
                                  "Here you are:\n" + verdict,
                                  verdict + "\n```\nFine.",
                                  "~~~~\nFine.\n" + verdict,
                                  std::string("<reflection>No.</reflection>"),
                                  std::string("<reflection>It only says "),
                                  std::string("<classification>CLASS_UNMET, not the best</classification>"),
                                  std::string("<classification>Fine.</classification>"),
                                  std::string("The text says “</reflection>”."),
                                  std::string("CLASS_UNMET"),
                                  std::string("The class is UNMET."),
                                  std::string("It is not met.\n\n**VERY_NEARLY**"),
                                  std::string("null"),
                                  std::string("CLASS UNMET"),
                                  std::string("a </think> b"),
                                  std::string(R"({"reflection": "No.", "classification": "CLASS_NO"})"),
                                  std::string(R"([{"reflection": "No.", "classification": "CLASS_UNMET"}])"),
                                  std::string(R"({'reflection': 'No.', 'classification': 'CLASS_UNMET'})"),
                                  std::string(R"({"error": "no"})"),
                                  std::string("\"reflection\": No."),
                                  std::string()}) {
    CAPTURE(text);
    CHECK(MayBeBrokenVerdict(text));
  }
}

TEST_CASE("plain prose alone is no broken verdict") {
  for (const std::string_view text : {"> The moon is rock.",
                                      "&gt; Fine.",
                                      "- The moon is rock.",
                                      "| The moon is rock.",
                                      "a | b",
                                      "<text>The moon is rock.",
                                      "[quote]Fine.[/quote]",
                                      "assistant (generated): The moon is rock.",
                                      "```\nThe moon is rock.\n```",
                                      "````\nThe moon is rock.",
                                      "```Fine.```",
                                      "***\nThe moon is rock.",
                                      "ˋˋˋ\nThe moon is rock.",
                                      "\u3000The moon is rock.",
                                      "No.\n\u00a0\u00a0The moon is rock.",
                                      "No.\n\n    x = 1",
                                      "\tx = 1",
                                      "It says \"Fine.",
                                      "“Fine.”",
                                      "「好」",
                                      "`Fine.`",
                                      "$$x$$",
                                      "\\begin{x}Fine.\\end{x}",
                                      "(1) Fine.",
                                      "① Fine.",
                                      "a. Fine.",
                                      "iv. Fine.",
                                      "甲、好",
                                      "● Fine.",
                                      "→ Fine.",
                                      "״Fine.״",
                                      "AI: Fine.",
                                      "AI：Fine.",
                                      "AI:\nFine.",
                                      "AI - Fine.",
                                      "AI → Fine.",
                                      "It says: fine.",
                                      "It says … fine.",
                                      "The answer\tFine."}) {
    CAPTURE(text);
    CHECK(MayBeBrokenVerdict(text));
  }
  for (const std::string_view text :
       {"Not met. It is fine.", "I cannot help with that.",
        "I'm sorry, but I can't judge this text (policy 4).", "The user asks for it; the text says \"x\".",
        "Ich kann die Antwort (die um 10:30 kam) nicht bewerten.", "无法评估。",
        "ذكر مهلة الشهر، ولم يذكر الجهة.", "L'autorité manque.", "**I cannot judge this.**",
        "No.\n\nIt is fine."}) {
    CAPTURE(text);
    CHECK_FALSE(MayBeBrokenVerdict(text));
  }
}

}  // namespace
}  // namespace assay
