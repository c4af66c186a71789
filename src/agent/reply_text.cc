// Cutting and counting.
#include "agent/reply_text.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "corpus/words.h"
#include "text/json/json.h"

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

// Characters of a JSON string in ASCII, quotes included.
std::size_t AsciiJsonSize(std::string_view text) {
  constexpr std::string_view kShortEscapes = "\"\\\b\f\n\r\t";
  std::size_t size = 2;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(text, at);
    at += decoded.size_bytes;
    const char32_t c = decoded.code_point;
    if (c < 0x80 && kShortEscapes.find(static_cast<char>(c)) != std::string_view::npos) {
      size += 2;
    } else if (c >= 0x20 && c < 0x7f) {
      size += 1;
    } else {
      size += c == 0x7f ? 1 : c > 0xffff ? 12 : 6;
    }
  }
  return size;
}

// Characters of the value as json.dumps writes it: ", " and ": ", ASCII. Readers bound the depth of values.
std::size_t AsciiJsonSize(const Value& value) {
  constexpr std::size_t kBetween = 2;
  if (value.is_string()) return AsciiJsonSize(std::string_view(value.AsString()));
  std::size_t size = 2;
  if (value.is_list()) {
    for (const Value& item : value.AsList()) size += AsciiJsonSize(item) + kBetween;
    return size - (value.AsList().empty() ? 0 : kBetween);
  }
  if (value.is_map()) {
    for (const Member& member : value.AsMap()) {
      size += AsciiJsonSize(std::string_view(member.key)) + AsciiJsonSize(member.value) + 2 * kBetween;
    }
    return size - (value.AsMap().empty() ? 0 : kBetween);
  }
  return WriteJson(value, JsonStyle::kJavaScript).size();
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
    if (content->is_string()) {
      characters += CountCodePoints(content->AsString());
    } else {
      characters += AsciiJsonSize(*content);
    }
  }
  return static_cast<std::int64_t>(characters) / kCharactersPerToken;
}

}  // namespace assay
