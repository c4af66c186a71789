// Words of items.
#include "spec/item_words.h"

#include <fmt/core.h>

namespace assay {

std::string FoundText(const ScoreItem& item) {
  return item.given ? fmt::format("given: “{}”", *item.given) : item.found;
}

std::string BlankLine(const ScoreItem& blank) {
  const std::string what =
      blank.given ? fmt::format("response string: {}, ans: {}", *blank.given, blank.against) : blank.found;
  return (blank.share == 1 ? "matched: " : "unmatched: ") + what;
}

}  // namespace assay
