// Converts a prepared request to what a transport or launcher takes, by the codec that speaks for it, and
// classifies the reply. Pure.
#pragma once

#include "base/wire/transport.h"
#include "providers/provider.h"
#include "providers/shapes/reply/usage.h"
#include "run/wire/endpoints.h"
#include "run/wire/redaction.h"
#include "run/wire/router.h"
#include "spec/exchange/exchange.h"

namespace assay {

// What to hand to the transport or launcher. kUnsupported if nobody speaks for the request.
using WireRequest = std::variant<HttpRequest, ProcessRequest>;
Result<WireRequest> EncodeOnWire(const PreparedRequest& prepared, const Endpoints& endpoints,
                                 const ModelBook& models = {});

// What comes back: over HTTP, from a program that was run, or from the documents of the run.
using WireReply = std::variant<HttpReply, ProcessReply, Result<CorpusReply>>;

struct WireVerdict {
  ReplyClass reply_class = ReplyClass::kFail;
  Result<Reply> reply = Error{ErrorCode::kNetwork, "no reply"};
  std::string raw = {};  // the body as it came, unless the reply says all of it
  // Of a model that its service paused: all that it has said. Without the rest that is an error (`reply`).
  std::optional<ModelReply> paused = {};
  bool has_begun = false;  // the model has written something, also where the reply's end makes it no answer
  bool is_read = false;    // the codec read a reply, whatever came of it then
  // What a reply without an answer says of itself all the same: it was paid for.
  Stated stated = {};
};
// Takes thoughts between tags out of an answer (think_tags.h). One that is nothing else is no answer.
void KeepThoughtsApart(const PreparedRequest& prepared, WireVerdict& verdict);

// No text of the verdict holds a key that `redactor` knows; `raw` is not kept where the body held one.
// Whether a reply was looked through for keys already: then it is enough to look at what is read of it.
enum class Redaction { kToDo, kDone };
WireVerdict DecodeFromWire(const PreparedRequest& prepared, const Redactor& redactor, WireReply reply,
                           Redaction redaction = Redaction::kToDo);

}  // namespace assay
