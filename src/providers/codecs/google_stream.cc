// Reads streams of Google's protocol: each event is a reply of its own, with the next piece of each part.
// Source: Gemini API reference, "streamGenerateContent".
#include <string>

#include "base/wire/sse.h"
#include "providers/codecs/google.h"
#include "providers/shapes/reply/reply_json.h"
#include "text/javascript/truth.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::string_view kGoogleStreamWhole = ":generateContent";
constexpr std::string_view kGoogleStreamStreamed = ":streamGenerateContent?alt=sse";

// What the events have said so far.
struct GoogleStreamPieces {
  List parts;
  Map candidate;  // of the last event that had one, without its content
  Map body;       // of all events, without their candidates
};

void TakeCandidate(const Value& candidate, GoogleStreamPieces& pieces) {
  if (!candidate.is_map()) return;
  const List& parts = candidate.MapAt("content").ListAt("parts");
  pieces.parts.insert(pieces.parts.end(), parts.begin(), parts.end());
  for (const Member& member : candidate.AsMap()) {
    if (member.key != "content") pieces.candidate.Set(member.key, member.value);
  }
}

bool IsEnd(const GoogleStreamPieces& pieces) {
  if (IsTruthyAt(pieces.candidate, "finishReason")) return true;
  return !pieces.body.MapAt("promptFeedback").TextAt("blockReason").empty();
}

}  // namespace

void StreamGoogle(HttpRequest& request) {
  const std::size_t at = request.url.find(kGoogleStreamWhole);
  ASSAY_ASSERT(at != std::string::npos);
  request.url.replace(at, kGoogleStreamWhole.size(), kGoogleStreamStreamed);
  // A query of the base URL goes on behind ours.
  const std::size_t query = request.url.find('?', at + kGoogleStreamStreamed.size());
  if (query != std::string::npos) request.url[query] = '&';
}

Result<Value> GoogleBodyOfStream(std::string_view stream) {
  GoogleStreamPieces pieces;
  bool has_candidate = false;
  for (const SseEvent& event : ReadSse(stream)) {
    Result<Value> read = ParseJson(event.data);
    if (!read || !read->is_map()) return Error{ErrorCode::kCorrupt, "an event of the reply is no JSON"};
    if (IsTruthyAt(*read, "error")) return ErrorOfReply(0, *read, event.data);
    if (const List& candidates = read->ListAt("candidates"); !candidates.empty()) {
      has_candidate = true;
      TakeCandidate(candidates.front(), pieces);
    }
    for (const Member& member : read->AsMap()) {
      if (member.key != "candidates") pieces.body.Set(member.key, member.value);
    }
  }
  if (!IsEnd(pieces)) return Error{ErrorCode::kCorrupt, "the stream ended before the answer did"};
  if (has_candidate) {
    Map content;
    content.Set("parts", Value(std::move(pieces.parts)));
    pieces.candidate.Set("content", Value(std::move(content)));
    pieces.body.Set("candidates", Value(List{Value(std::move(pieces.candidate))}));
  }
  return Value(std::move(pieces.body));
}

}  // namespace assay
