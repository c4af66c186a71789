// Members of a request's body that say what is asked: parameters that a suite passes on may set none of them,
// or a run would ask another model, or another question, than the one that its report names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/exchange/request.h"

namespace assay {

// "model", "messages", "input", "n", "stream", "tools", "tool_choice", "store" and what services call
// the same, in any case and with or without underscores.
bool ReplacesQuestion(std::string_view member);
// Those of `parameters`, and of the "generationConfig" among them.
std::vector<const Member*> QuestionMembers(const Map& parameters);
// Whether a parameter changes what a call costs or how soon it is answered, and nothing that is said: the
// tier, the key and the time of a service's cache. No part of what an answer is found by.
bool OnlyChangesService(std::string_view member);
// The parameters without these; undefined where nothing is left.
Value WithoutServiceMembers(const Value& parameters);
// Why such a parameter is refused, and what to do.
std::string ReplacesQuestionText(std::string_view member);
inline constexpr std::string_view kReplacesQuestionHint =
    "leave it out; parameters say how a model answers (temperature, max_tokens, top_k, ...), not what it is "
    "asked";

// The model whose name leaves: that of the passed parameters, where a mode of the run sends them all.
std::string_view ModelSent(const ModelRequest& request);
// What passed parameters say of a reply's length; nothing: they do not.
std::optional<std::int64_t> OutputTokensOfExtra(const Value& extra);
// How many replies they ask for at once.
std::int64_t AnswersOfExtra(const Value& extra);
// The tier that they ask for, in the service's word; "": none.
std::string_view TierOfExtra(const Value& extra);
// Bytes that they add to what a model reads.
std::size_t BytesOfExtra(const Value& extra);

}  // namespace assay
