// Removes paired thinking tags in one pass per tag, and counts code points for the token estimate.
#include "agent/words/reply_text.h"

#include <algorithm>
#include <array>

#include "base/text/utf8.h"
#include "corpus/index/words.h"
#include "text/found.h"
#include "text/python/json.h"

namespace assay {

namespace {

constexpr std::int64_t kCharactersPerToken = 4;
constexpr std::string_view kLeakedChannel = "assistantcommentary";

struct TagPair {
  std::string_view open;
  std::string_view close;
};
constexpr std::array<TagPair, 3> kThinking = {
    {{"<think>", "</think>"}, {"<thought>", "</thought>"}, {"[thought]", "[/thought]"}}};

std::string WithoutPairs(std::string_view text, const TagPair& tags) {
  std::string kept;
  while (true) {
    const std::size_t open = text.find(tags.open);
    const std::size_t close = open == std::string_view::npos ? open : text.find(tags.close, open);
    if (close == std::string_view::npos) return kept.append(text);
    kept += text.substr(0, open);
    text.remove_prefix(close + tags.close.size());
  }
}

}  // namespace

std::string StripThinking(std::string_view reply) {
  std::string kept(reply);
  for (const TagPair& tags : kThinking) kept = WithoutPairs(kept, tags);
  kept.resize(std::min(kept.find(kLeakedChannel), kept.size()));
  return std::string(TrimBlanks(kept));
}

std::int64_t EstimateTokens(const List& messages) {
  std::size_t characters = 0;
  for (const Value& message : messages) {
    const Value* content = message.Find("content");
    if (content == nullptr || content->is_nullish()) continue;
    if (const std::string* text = FindText(message, "content")) {
      characters += CountCodePoints(*text);
    } else if (const Result<std::string> json = WritePythonJson(*content)) {
      characters += json->size();
    }
  }
  return static_cast<std::int64_t>(characters) / kCharactersPerToken;
}

}  // namespace assay
