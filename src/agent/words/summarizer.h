// Shortens what the agent's model is to read, by asking a model for summaries: one request for a short text;
// for a long one the parts, then the whole.
// source: asky 0.4.15, spec research 9.8 (sizes).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/turn/turn_state.h"

namespace assay {

// Nothing: a reply is still to come. Where nobody can shorten it, the text's own beginning.
std::optional<std::string> Summarize(TurnState& turn, std::string_view of, std::string_view text);

// The text in parts of at most `characters`, at paragraphs where it has some, each with the end of the one
// before it. At most 12.
std::vector<std::string> PartsToSummarize(std::string_view text, std::size_t characters);

}  // namespace assay
