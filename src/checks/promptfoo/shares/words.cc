// Parts texts into words.
#include "checks/promptfoo/shares/words.h"

#include "base/text/utf8.h"
#include "text/javascript/text.h"

namespace assay::promptfoo {

Words BlankParted(std::string_view text) {
  const std::string lower = JsToLower(text);
  Words words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t at = 0; at < lower.size();) {
    const DecodedCodePoint next = DecodeUtf8(lower, at);
    if (IsJsSpace(next.code_point)) {
      end_word();
    } else {
      word.append(lower, at, next.size_bytes);
    }
    at += next.size_bytes;
  }
  end_word();
  return words;
}

Words WithoutLastDots(Words words) {
  Words kept;
  for (std::string& word : words) {
    while (word.ends_with('.')) word.pop_back();
    kept.push_back(std::move(word));
  }
  return kept;
}

RunCounts RunsOf(const Words& words, std::size_t length) {
  RunCounts counts;
  for (std::size_t at = 0; at + length <= words.size(); ++at) {
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
    ++counts[Words(first, first + static_cast<std::ptrdiff_t>(length))];
  }
  return counts;
}

}  // namespace assay::promptfoo
