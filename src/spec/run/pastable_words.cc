// Splitting, redacting, quoting.
#include "spec/run/pastable_words.h"

#include <vector>

#include "base/text/shell_words.h"
#include "spec/exchange/keyed_headers.h"

namespace assay {

std::string PastableWords(std::string_view words) {
  const Result<std::vector<std::string>> split = SplitWords(words);
  if (!split) return QuoteWord(WithoutCredentials(words));
  std::string out;
  for (const std::string& word : *split)
    out += (out.empty() ? "" : " ") + QuoteWord(WithoutCredentials(word));
  return out;
}

}  // namespace assay
