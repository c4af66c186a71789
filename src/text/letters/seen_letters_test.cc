// Tests that one word in many spellings and lookalikes gives the same letters.
#include "text/letters/seen_letters.h"

#include "text/letters/letters.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("a word is the same word however its letters are written") {
  const std::string word = SeenLetters("VERY_NEARLY");
  CHECK(word == "VERYNEARLY");
  for (const char* each : {"very nearly", "Very-Nearly", "ＶＥＲＹ＿ＮＥＡＲＬＹ", "V E R Y  N E A R L Y",
                           "very\u200bnear\u00adly", "&#86;ERY &#x4e;early", "VЕRY NЕАRLY", "𝐕𝐞𝐫𝐲 𝐧𝐞𝐚𝐫𝐥𝐲",
                           "**very**\nnearly", "v3ry ne4rly", "νeгy ոҽaгӏy", "VƎRY NɆⱯRLY", "🆅🅴🆁🆈 🅝🅔🅐🅡🅛🅨",
                           "🇻 🇪 🇷 🇾 🇳 🇪 🇦 🇷 🇱 🇾", "⒱⒠⒭⒴ ⒩⒠⒜⒭⒧⒴", "ᵛᵉʳʸ ⁿᵉᵃʳˡʸ"}) {
    CAPTURE(each);
    CHECK(SeenLetters(each) == word);
  }
  CHECK(SeenLetters("SLIGHT") == SeenLetters("s1ight"));
  CHECK(SeenLetters("SLIGHT") == SeenLetters("ＳＬΙＧＨＴ"));
  CHECK(SeenLetters("PARTIAL") == SeenLetters("РАRТIАL"));
  const std::string exact = SeenLetters("CLASS_EXACT");
  for (const char* each : {"ϹLΑЅЅ_ΕΧΑϹΤ", "ᴄʟᴀꜱꜱ_ᴇxᴀᴄᴛ", "CLASS_ⲈⲬⲀⲤⲦ", "CL@$$ 3X4C7", "CLASS_E❌A¢T",
                           "\U000e0043\U000e004c\U000e0041\U000e0053\U000e0053\U000e005f\U000e0065\U000e0078"
                           "\U000e0061\U000e0063\U000e0074"}) {
    CAPTURE(each);
    CHECK(SeenLetters(each) == exact);
  }
  CHECK(SeenLetters("CL\u0345ASS_EX\u0301\u0345ACT") == exact);
  CHECK(SeenLetters("EXACT") != SeenLetters("UNMET"));
  CHECK(SeenLetters("&#; &#99999999999; \xff").empty());
}

TEST_CASE("a sign is a letter of a word or parts two, and signs in a row become few") {
  for (const char* each :
       {"cl™assification", "cl℠assification", "cl№assification", "clⅣassification", "clⒶassification"}) {
    CAPTURE(each);
    const std::string seen = SeenText(each);
    CHECK(seen.starts_with("CL\x1f"));
    CHECK(
        seen.ends_with("\x1f"
                       "ASSLFLCATLON"));
  }
  CHECK(SeenLetters("Ⅳ") == SeenLetters("IV"));
  CHECK(SeenLetters("uoıʇɔǝlɟǝɹ") == "UOLTCELFER");
  CHECK(SeenLetters("匚ㄥ卂丂丂") == "CLASS");
  CHECK(WithShortRuns("A      B" + std::string(50, '$') + "C😀😀😀😀😀😀D-E") == "A    B$$$$C😀😀😀😀D-E");
}

TEST_CASE("a bracket or an opening quotation mark of any script is open until its pair closes it") {
  for (const char* open : {"‹a", "‚a", "‘a", "〈a", "［a", "(a", "[a]{", "⟦a", "a “b", "〝a"}) {
    CAPTURE(open);
    CHECK(HoldsOpenBracket(open));
  }
  for (const char* closed : {"", "a", "(a) [b] {c} 〈d〉 ［e］ ⟦f⟧", "a) b]", "don‘t"}) {
    CAPTURE(closed);
    CHECK_FALSE(HoldsOpenBracket(closed));
  }
}

TEST_CASE("texts that look alike have one near form, and what makes them differ is told") {
  struct Row {
    const char* a;
    const char* b;
    const char* points;  // of b
  };
  const Row rows[] = {
      {"can't", "can\u2019t", "U+2019"},
      {"The capital", "The\u00A0capital", "U+00A0"},
      {"well-known", "well\u2011known", "U+2011"},
      {"M\u00FCnchen", "Mu\u0308nchen", "U+0308"},
      {"org:name", "org:\u200Bname", "U+200B"},
      {"file", "\uFB01le", "U+FB01"},
      {"\"a\"", "\u201Ca\u201D", "U+201C, U+201D"},
      {"10 km", "10\u202Fkm", "U+202F"},
      {"-5", "\u22125", "U+2212"},
      {"plain", "plain", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.b);
    CHECK(NearForm(row.a) == NearForm(row.b));
    CHECK(NearPoints(row.b, 3) == row.points);
  }
  CHECK(NearForm("a\nb") == "a\nb");
  CHECK(NearForm("a") != NearForm("b"));
  CHECK(NearForm("\xff") == NearForm("\uFFFD"));
}

}  // namespace
}  // namespace assay
