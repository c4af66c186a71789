// Tests of which replies without a verdict may have been broken by what the judge quotes.
#include "checks/judge/reading/doubt.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace assay {
namespace {

TEST_CASE("whatever is more than plain prose may be a verdict that a quotation broke") {
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
                                  std::string("> The moon is rock."),
                                  std::string("&gt; Fine."),
                                  std::string("- The moon is rock."),
                                  std::string("| The moon is rock."),
                                  std::string("a | b"),
                                  std::string("<text>The moon is rock."),
                                  std::string("[quote]Fine.[/quote]"),
                                  std::string("assistant (generated): The moon is rock."),
                                  std::string("```\nThe moon is rock.\n```"),
                                  std::string("````\nThe moon is rock."),
                                  std::string("```Fine.```"),
                                  std::string("***\nThe moon is rock."),
                                  std::string("ˋˋˋ\nThe moon is rock."),
                                  std::string("\u3000The moon is rock."),
                                  std::string("No.\n\u00a0\u00a0The moon is rock."),
                                  std::string("No.\n\n    x = 1"),
                                  std::string("\tx = 1"),
                                  std::string("It says \"Fine."),
                                  std::string("“Fine.”"),
                                  std::string("「好」"),
                                  std::string("`Fine.`"),
                                  std::string("$$x$$"),
                                  std::string("\\begin{x}Fine.\\end{x}"),
                                  std::string("(1) Fine."),
                                  std::string("① Fine."),
                                  std::string("a. Fine."),
                                  std::string("iv. Fine."),
                                  std::string("甲、好"),
                                  std::string("● Fine."),
                                  std::string("→ Fine."),
                                  std::string("״Fine.״"),
                                  std::string("AI: Fine."),
                                  std::string("AI：Fine."),
                                  std::string("AI:\nFine."),
                                  std::string("AI - Fine."),
                                  std::string("AI → Fine."),
                                  std::string("It says: fine."),
                                  std::string("It says … fine."),
                                  std::string("The answer\tFine."),
                                  std::string(R"({"reflection": "No.", "classification": "CLASS_NO"})"),
                                  std::string(R"([{"reflection": "No.", "classification": "CLASS_UNMET"}])"),
                                  std::string(R"({'reflection': 'No.', 'classification': 'CLASS_UNMET'})"),
                                  std::string(R"({"error": "no"})"),
                                  std::string("\"reflection\": No."),
                                  std::string()}) {
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
