// Google's generateContent protocol: writes contents and reads replies and streams, for the provider `google`
// and for custom models of its family.
#pragma once

#include <string_view>

#include "base/errors/result.h"
#include "base/wire/wire.h"
#include "providers/shapes/reply/endings.h"
#include "spec/exchange/request.h"
#include "text/value.h"

namespace assay {

Result<ModelReply> DecodeGoogleBody(const Value& body, const EndWords& ends);
// google_stream.cc: asks for the reply piece by piece; its pieces, put together as the body that comes at
// once. kCorrupt if the stream ends before the model did.
void StreamGoogle(HttpRequest& request);
Result<Value> GoogleBodyOfStream(std::string_view stream);
// [{"role": "user"|"model", "parts": [{"text"}]}...] without system messages; calls and what came of them are
// parts too.
Value GoogleContents(const std::vector<Message>& messages);
// {"parts":[{"text"}]}
Value GoogleSystem(const std::string& text);

}  // namespace assay
