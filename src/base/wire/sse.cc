// Splits a server-sent event stream into lines and events, whatever pieces it arrives in.
#include "base/wire/sse.h"

#include "base/limits.h"
#include "base/text/byte_order_mark.h"

namespace assay {

std::optional<Error> SseParser::Feed(std::string_view bytes, std::vector<SseEvent>& events) {
  while (!bytes.empty() && !broken_) {
    if (after_cr_ && bytes.front() == '\n') bytes.remove_prefix(1);
    after_cr_ = false;
    const std::size_t end = bytes.find_first_of("\r\n");
    if (end == std::string_view::npos) {
      line_ += bytes;
      broken_ = line_.size() > limits::kSseLineBytesMax;
      break;
    }
    if (line_.empty()) {
      TakeLine(bytes.substr(0, end), events);
    } else {
      line_ += bytes.substr(0, end);
      TakeLine(line_, events);
      line_.clear();
    }
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
  }
  if (broken_) return Error{ErrorCode::kLimit, "a line of the event stream is longer than the limit"};
  return std::nullopt;
}

void SseParser::TakeLine(std::string_view line, std::vector<SseEvent>& events) {
  if (at_start_) line = WithoutByteOrderMark(line);
  at_start_ = false;
  if (line.empty()) {
    if (has_data_ && !event_.data.empty()) events.push_back(std::move(event_));
    event_ = {};
    has_data_ = false;
    return;
  }
  const std::size_t colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "event") event_.name = value;
  if (field != "data") return;
  if (has_data_) event_.data += '\n';
  event_.data += value;
  has_data_ = true;
}

std::vector<SseEvent> ReadSse(std::string_view stream) {
  SseParser parser;
  std::vector<SseEvent> events;
  parser.Feed(stream, events);
  return events;
}

}  // namespace assay
