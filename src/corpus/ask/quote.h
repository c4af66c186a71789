// Finds a quotation: a run of words that stands in both an answer and a document, whatever the blanks and
// hyphenation.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace assay {

// A span of the document's text.
struct Quote {
  std::size_t begin = 0;  // bytes
  std::size_t end = 0;
  std::size_t words = 0;
};

// The first run of at least `least` (1 or more) words of the document that the answer has in this order.
// Words end at blanks. Marks at their ends, quotation marks and Markdown's among them, do not count, and
// hyphens nowhere; one before a blank joins the words beside it: "exam-\nple" is "example". Letter case
// counts. In time linear in both texts.
std::optional<Quote> FindQuote(std::string_view answer, std::string_view document, std::size_t least);

}  // namespace assay
