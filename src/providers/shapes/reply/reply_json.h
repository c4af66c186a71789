// Shared by all JSON codecs: reads the body of a reply, and turns error bodies and replies that are no
// answers into Errors with a remedy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/wire/wire.h"
#include "spec/exchange/request.h"
#include "text/value.h"

namespace assay {

// The JSON of a successful reply. Errors: the transport's own; kCorrupt for a body that is no JSON object,
// which a proxy or a cut may have made; what the status or an "error" member says (ErrorOfReply).
Result<Value> ReadReplyJson(const HttpReply& reply);
// The error that a service reports, by the words of its body if it has any. `status` 0: by the body's own
// code. kRefused (401, 403), kNotFound, kRateLimited, kInvalidInput (other 4xx), kService (the rest).
Error ErrorOfReply(int status, const Value& body, std::string_view text);
// The error of a successful reply without the member that holds answers: what the service says in its place,
// with the class of its words, else which member is missing.
Error NoAnswerIn(const Value& body, std::string_view member);
// How a reply ends that a model refused to give.
inline constexpr std::string_view kRefusal = "refusal";
// Removes the blanks around a text, but for those of an indented block that it begins with: in a judge's
// reply they say that what follows is quoted. Of other answers, wire_codec.cc removes them.
void TrimText(ModelReply& reply);
// Whether a reply has words of an answer: a text that is not just the model's refusal.
bool HasBegunAnswer(const ModelReply& reply);
// Calls of tools get ids (NameCalls).
Result<ModelReply> NamedReply(ModelReply reply);
// What a service broke off or held back is no answer, whatever it holds: each end has its own class of error,
// with what can be done (endings.h).
Result<ModelReply> CheckedReply(ModelReply reply);
// The same for whoever takes what a model said for its answer though it was held back: only an end that may
// pass is an error, and one that nobody knows, unless `takes_any_end`.
Result<ModelReply> HeldReply(ModelReply reply, bool takes_any_end);
// CheckedReply, and that there is something to grade: a word, or a call. A reply that is empty because its
// tokens were used up is kNoAnswer, any other empty one is kCorrupt.
Result<ModelReply> SpokenReply(ModelReply reply);

// Writes NaN and Infinity, which are no JSON, as numbers that no count can be: a proxy's slip in a number
// loses no answer. Bodies without them stay as they are.
void SpellNumbers(std::string& body);

// Whether the body is a stream of events although no stream was asked for, or one was.
bool IsEventStream(const HttpReply& reply);

// What a body, or an event of a stream, says of who answered: `model` or `modelVersion`, a fingerprint, a
// broker's provider. What it leaves out stays as it was.
void TakeServed(const Value& body, ModelReply& reply);

std::int64_t CountMember(const Value& map, std::string_view name);  // 0 unless it is a number >= 0
std::int64_t CountMember(const Map& map, std::string_view name);
// The path behind the base's own, without doubled slashes; a query of the base stays at the end.
std::string UrlOf(std::string_view base_url, std::string_view path);
std::string PathPart(std::string_view name);  // a model's name as a part of a URL's path
HttpRequest JsonPost(std::string url, std::string body);

}  // namespace assay
