// How many tokens a reply may have: the limit that a request sends, and the maximum that a budget reserves
// for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "providers/facts/model_facts.h"
#include "spec/exchange/request.h"

namespace assay {

// Where nobody states a maximum.
inline constexpr std::int64_t kAssumedOutputMax = 16'384;

// The most tokens that the vendor of a model states for one reply, thoughts included; kAssumedOutputMax if it
// is not known here. Models that a broker names by vendor ("anthropic/claude-…") are found too.
std::int64_t StatedOutputMax(std::string_view model);
// The room that a model which thinks before it answers is given where nobody wrote a limit: its thoughts, and
// as much for the answer as others get. 0: it is asked as any other.
std::int64_t RoomOf(const ModelRequest& request, const std::optional<ModelFacts>& facts);
// The limit of tokens that a codec sends: the room, what the parameters say, or else its own default. 0:
// none, the request is of who sets none.
std::int64_t LimitSent(const ModelRequest& request, std::int64_t otherwise);
// The limit that the request itself sets, else the one that its provider's codec sends, else the stated one.
std::int64_t LimitOfReply(const ModelRequest& request);
// The same as a price has to expect it: with what passed parameters say of length and number of replies.
std::int64_t OutputTokensMax(const ModelRequest& request);

}  // namespace assay
