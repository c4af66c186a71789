// AwsFrameParser: reads application/vnd.amazon.eventstream, in which services of AWS send their streams,
// piece by piece, as the events that others send as text. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "base/wire/sse.h"
#include "base/wire/wire.h"

namespace assay {

// A message is its length, the length of its headers, a checksum of both, headers, payload, and a checksum of
// all. An event has its type for a name and the payload for data; an exception's data is {"error":{"code":
// TYPE,"message":PAYLOAD}}. Source: docs.aws.amazon.com, Amazon Transcribe, "Event stream encoding".
class AwsFrameParser {
 public:
  // Appends the events that `bytes` completes. After an Error (kNetwork: a checksum or a length is wrong;
  // kLimit) nothing more is read.
  std::optional<Error> Feed(std::string_view bytes, std::vector<SseEvent>& events);
  bool is_between() const { return rest_.empty(); }  // messages: none has begun that is not whole

 private:
  std::string rest_;
  std::optional<Error> broken_;
};

bool IsAwsStream(std::string_view content_type);
// A reply of such a body becomes one of text events; what is broken or cut off is the reply's error, if it
// has none yet, behind the events before it. Others stay.
void ReadAwsFrames(HttpReply& reply);

}  // namespace assay
