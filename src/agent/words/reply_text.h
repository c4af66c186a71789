// Removes thinking tags from a model's reply so that its answer remains, and estimates the tokens of messages
// (a quarter of their code points).
//
// source: asky 0.4.15, spec research 9.5; rows: golden/research/units.jsonl (strip_think, count_tokens).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/value.h"

namespace assay {

// Without <think>...</think>, <thought>...</thought> and [thought]...[/thought], each up to the first closing
// tag, and without what follows a leaked "assistantcommentary"; blanks at the ends are gone. A tag that
// nobody closes stays.
std::string StripThinking(std::string_view reply);

// Messages of the chat format: a quarter of the code points of their contents; a content that is no text
// counts as its JSON in ASCII.
std::int64_t EstimateTokens(const List& messages);

}  // namespace assay
