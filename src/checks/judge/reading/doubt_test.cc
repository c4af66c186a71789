// Tests of which replies without a verdict may have been broken by what the judge quotes.
#include "checks/judge/reading/doubt.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace assay {
namespace {

TEST_CASE("a quotation breaks the form of a reply, and plain prose around it does not") {
  const std::string verdict = "<reflection>No.</reflection>\n<classification>CLASS_UNMET</classification>";
  const std::string_view fenced =
      "```\n<reflection>It "
      "says\n```\nx\n```\n.</reflection>\n<classification>CLASS_UNMET</classification>\n```";
  for (const std::string& text : {std::string(fenced),
                                  "> Fine.\n" + verdict,
                                  verdict + "\n<b>Fine.</b>",
                                  "It says \"Fine.\n" + verdict,
                                  "CLASS_EXACT\n" + verdict,
                                  verdict + verdict,
                                  "```\nFine.\n```\n" + verdict,
                                  "a </think> b\n" + verdict,
                                  std::string("<reflection>It only says "),
                                  "Sure.\n```xml\n" + verdict + "\n```\n```\nx\n```",
                                  "\n    x = 1\n\n" + verdict,
                                  "\tx = 1\n" + verdict,
                                  "“Fine.”\n" + verdict,
                                  "「好」\n" + verdict,
                                  "`Fine.`\n" + verdict,
                                  "&gt; Fine.\n" + verdict,
                                  "  > Fine.\n" + verdict,
                                  "[quote]Fine.[/quote]\n" + verdict,
                                  "$$x$$\n" + verdict,
                                  "\\begin{x}Fine.\\end{x}\n" + verdict,
                                  "```Fine.```\n" + verdict,
                                  "a | b\n" + verdict,
                                  "assistant (generated): Fine.\n" + verdict,
                                  "(1) Fine.\n" + verdict,
                                  "① Fine.\n" + verdict,
                                  "a. Fine.\n" + verdict,
                                  "iv. Fine.\n" + verdict,
                                  "甲、好\n" + verdict,
                                  "● Fine.\n" + verdict,
                                  "→ Fine.\n" + verdict,
                                  "״Fine.״\n" + verdict,
                                  "AI: Fine.\n" + verdict,
                                  "AI：Fine.\n" + verdict,
                                  "AI:\nFine.\n" + verdict,
                                  "AI - Fine.\n" + verdict,
                                  "AI → Fine.\n" + verdict,
                                  "It says: fine.\n" + verdict,
                                  "It says … fine.\n" + verdict,
                                  "The answer\tFine.\n" + verdict,
                                  verdict + "\n1) Fine.",
                                  verdict + "\nAI: Fine.",
                                  std::string("> The moon is rock."),
                                  std::string("> Fine.\n<reflection>Not met.</reflection>"),
                                  std::string("<reflection>Not met.</reflection>\n<classification>CLASS"),
                                  std::string("- The moon is rock."),
                                  std::string("| The moon is rock."),
                                  std::string("<text>The moon is rock."),
                                  std::string("assistant (generated): The moon is rock."),
                                  std::string("```\nThe moon is rock.\n```"),
                                  std::string()}) {
    CAPTURE(text);
    CHECK(QuotationBreaksForm(text, VerdictForm::kTags));
  }
  for (const std::string& text :
       {"Here you are:\n" + verdict, verdict + "\nThat's all.", "Sure.\n```xml\n" + verdict + "\n```",
        std::string("Not met. It is fine."), "**" + verdict + "**", "    " + verdict,
        "The user asks for it; the text says \"x\".\n\n" + verdict, "Sure!\n" + verdict,
        "**Verdict:**\n\n" + verdict, "Okay, let me judge this.\n" + verdict,
        "Ich bewerte die Antwort (die um 10:30 kam) wie folgt:\n\n" + verdict, "评估如下：\n" + verdict,
        "ذكر مهلة الشهر، ولم يذكر الجهة.\n" + verdict, "L'autorité manque, donc :\n" + verdict,
        verdict + "\n以上。", verdict + "\nI hope this helps!", verdict + "."}) {
    CAPTURE(text);
    CHECK_FALSE(QuotationBreaksForm(text, VerdictForm::kTags));
  }
}

TEST_CASE("a quotation breaks the form of an object; a trailing comma and a wrapper do not") {
  for (const std::string_view text :
       {R"({"reflection": "It says "x".", "classification": "CLASS_UNMET"})",
        R"({"classification": "CLASS_UNMET", "reflection": "It says "x"."})",
        R"({"reflection": "It says \d.", "classification": "CLASS_UNMET"})",
        R"({"reflection": "It says \underline{x}.", "classification": "CLASS_UNMET"})",
        R"({"a": 1} {"reflection": "No.", "classification": "CLASS_UNMET"})",
        "> Fine.\n{\"reflection\": \"No.\", \"classification\": \"CLASS_UNMET\"}",
        "```\nFine.\n```\n{\"reflection\": \"No.\", \"classification\": \"CLASS_UNMET\"}",
        R"({"reflection": "It only says )",
        R"(["x"] {"reflection": "No.", "classification": "CLASS_UNMET"})",
        R"("x" {"reflection": "No.", "classification": "CLASS_UNMET"})",
        "    x\n{\"reflection\": \"No.\", \"classification\": \"CLASS_UNMET\"}",
        R"({"reflection": 'It says "x".', "classification": "CLASS_UNMET"})",
        R"({'reflection': "It isn't.", 'classification': 'CLASS_UNMET'})",
        R"({"quote": `x`, "reflection": "No.", "classification": "CLASS_UNMET"})",
        R"({"quote": "He says "x"", "reflection": "No.", "classification": "CLASS_UNMET"})",
        R"({"quote": "x", "quote": "y", "reflection": "No.", "classification": "CLASS_UNMET"})",
        R"({"reflection": "No.", "classification": "CLASS_UNMET", "evidence": "use \d+ here"})",
        R"({"evidence": "C:\Windows\x", "reflection": "No.", "classification": "CLASS_UNMET"})",
        R"({"reflection": "It only prints {\"status\": \"foo"})",
        R"({"classification": "CLASS_UNMET", "reflection": "It only prints foo"}.)",
        R"({"reflection": "No.", "classification": "CLASS_UNMET: \"foo\""})",
        R"({"reflection": {"quote": "foo"}, "classification": "CLASS_UNMET"})",
        "{\"reflection\": \"It says\nx.\", \"classification\": \"CLASS_UNMET\"}",
        ""}) {
    CAPTURE(text);
    CHECK(QuotationBreaksForm(text, VerdictForm::kJson));
  }
  for (const std::string_view text :
       {R"({"reflection": "No.", "classification": "CLASS_UNMET",})",
        R"(Here: {"reflection": "\"No.\"", "classification": "CLASS_UNMET"})",
        R"([{"reflection": "No.", "classification": "CLASS_UNMET"}])",
        R"({'reflection': 'No.', 'classification': 'CLASS_UNMET'})", "No.",
        R"({"reflection": "It says \u0041.", "classification": "CLASS_UNMET",})"}) {
    CAPTURE(text);
    CHECK_FALSE(QuotationBreaksForm(text, VerdictForm::kJson));
  }
}

}  // namespace
}  // namespace assay
