// Tests that one word in many spellings and lookalikes gives the same letters.
#include "text/letters/seen_letters.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("a word is the same word however its letters are written") {
  const std::string word = SeenLetters("VERY_NEARLY");
  CHECK(word == "VERYNEARLY");
  for (const char* each :
       {"very nearly", "Very-Nearly", "ＶＥＲＹ＿ＮＥＡＲＬＹ", "V E R Y  N E A R L Y",
        "very\u200bnear\u00adly", "&#86;ERY &#x4e;early", "VЕRY NЕАRLY", "𝐕𝐞𝐫𝐲 𝐧𝐞𝐚𝐫𝐥𝐲", "**very**\nnearly"}) {
    CAPTURE(each);
    CHECK(SeenLetters(each) == word);
  }
  CHECK(SeenLetters("SLIGHT") == SeenLetters("s1ight"));
  CHECK(SeenLetters("SLIGHT") == SeenLetters("ＳＬΙＧＨＴ"));
  CHECK(SeenLetters("PARTIAL") == SeenLetters("РАRТIАL"));
  CHECK(SeenLetters("EXACT") != SeenLetters("UNMET"));
  CHECK(SeenLetters("&#; &#99999999999; \xff").empty());
}

}  // namespace
}  // namespace assay
