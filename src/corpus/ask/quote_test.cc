// Tests that quotes are found whatever happens to blanks, hyphens and marks around them, and in linear time.
#include "corpus/ask/quote.h"

#include <doctest/doctest.h>

#include <string>

namespace assay {
namespace {

TEST_CASE("runs of words that stand in both texts") {
  constexpr std::string_view kDocument =
      "Visitors report to the harbour\noffice before 20:00. A berth is free again at 11:00 on the day of "
      "depar-\nture, or ear\u00adlier; a well-known rule.";
  const struct {
    std::string_view answer;
    std::size_t least;
    std::string_view quoted;  // of the document; "": nothing
  } rows[] = {
      {"They \"report to the  harbour office\" then.", 5, "report to the harbour\noffice"},
      {"**report to the harbour office** before noon", 6, "report to the harbour\noffice before"},
      {"report to the harbour office.", 6, ""},
      {"Report to the harbour office", 5, ""},  // letter case counts
      {"on the day of departure, or earlier", 7, "on the day of depar-\nture, or ear\u00adlier"},
      {"a wellknown rule", 3, "a well-known rule"},
      {"a well-\nknown rule", 3, "a well-known rule"},
      {"“free again at 11:00”", 4, "free again at 11:00"},
      {"free again at 1100 on", 4, ""},
      {"office office office report to report to the harbour", 4, "report to the harbour"},
      {"rule", 1, "rule"},
      {"", 1, ""},
      {" - \u2013 ** ", 1, ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.answer);
    const std::optional<Quote> quote = FindQuote(row.answer, kDocument, row.least);
    const std::string_view found =
        quote ? kDocument.substr(quote->begin, quote->end - quote->begin) : std::string_view();
    CHECK(found == row.quoted);
    if (quote) CHECK(quote->words >= row.least);
  }
}

TEST_CASE("texts of one word a million times are looked at once") {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "a ";
  const std::optional<Quote> all = FindQuote(text, text + "b", 50);
  REQUIRE(all);
  CHECK(all->words == 200'000);
  CHECK_FALSE(FindQuote(text, text, 300'000));
  std::string hyphens(400'000, '-');
  CHECK_FALSE(FindQuote(hyphens, hyphens, 1));
  CHECK_FALSE(FindQuote("\xff\xfe", "\xff", 2));
}

}  // namespace
}  // namespace assay
