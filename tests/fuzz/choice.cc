// Any text as an answer to a question of choices, and for the readers of sentences, counts and items: a
// letter is one of the question's, and each part lies within the text. Input: a choice's text, a zero byte,
// the
// answer.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors/assert.h"
#include "tests/fuzz/target.h"
#include "text/json/find_json.h"
#include "text/prose/choice.h"
#include "text/prose/countable.h"
#include "text/prose/items.h"
#include "text/prose/sentences.h"

FUZZ_TARGET(choice)(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view first = input.substr(0, input.find('\0'));
  const std::string_view answer = input.substr(std::min(first.size() + 1, input.size()));
  assay::ChoiceRules rules{.letters = "AI", .texts = {}};
  if (!first.empty()) rules.texts = {std::string(first), "no"};
  const auto one = assay::FindChoice(answer, rules);
  ASSAY_ASSERT(!one || rules.letters.find(*one) != std::string::npos);
  for (const char letter : assay::FindChoices(answer, rules))
    ASSAY_ASSERT(rules.letters.find(letter) != std::string::npos);
  const char* behind = answer.data();
  for (const std::string_view sentence : assay::SentencesOf(answer)) {
    ASSAY_ASSERT(!sentence.empty() && sentence.data() >= behind);
    behind = sentence.data() + sentence.size();
  }
  ASSAY_ASSERT(behind <= answer.data() + answer.size());
  for (const std::string_view what : assay::kCountables)
    ASSAY_ASSERT(assay::CountOf(what, answer) <= answer.size() + 1);
  for (const std::string& item : assay::ItemsOf(answer)) ASSAY_ASSERT(!item.empty() || answer.find('[') == 0);
  assay::FindJson(answer);
  return 0;
}
