// Shared by `$call` and `$factcheck`: the request to an outside service, and the reading of its reply. Pure.
//   source  weval 51dc4d3 (spec: blueprint 11.6, 11.7)
//   known deviations: a reply is kept and reused like that of every other request, whatever `cache` says, and
//   its explanation never ends in " (cached)"; redirects are not followed
#pragma once

#include <string_view>

#include "base/errors/result.h"
#include "spec/exchange/exchange.h"
#include "spec/score/score.h"
#include "text/value.h"

namespace assay {

// Where `$factcheck` asks: a name that run/ replaces by the place that the user gave.
inline constexpr std::string_view kFactcheckUrl = "factcheck:/api/internal/factcheck";
inline constexpr std::string_view kFactcheckScheme = "factcheck:";

// What stands for the placeholders of a template.
struct CallData {
  std::string_view response;
  std::string_view model_id;
  std::string_view prompt_id;
  Value messages;  // list of {role, content}
};

// Replaces {response}, {modelId}, {promptId} and {messages} in every text inside `parameters`: a text that is
// nothing else becomes the value itself, others have them put in one name after the other, so that what was
// put in is searched again, and with `$&`, `$$`, `` $` `` and `$'` in it read as JavaScript's replace does.
// kLimit if the texts would grow beyond limits::kServiceBodyBytesMax.
Result<Value> FillTemplate(const Value& parameters, const CallData& data);

// The score in a service's reply: {score, explain?} with a number in [0, 1], or {error}. An Error if the
// reply is neither.
Result<Score> ReadServiceReply(const Value& reply);
// The same of an exchange; whatever went wrong is the missing score's error, led in by the check's name.
Score ScoreOfService(std::string_view check, const Exchange& exchange);

}  // namespace assay
