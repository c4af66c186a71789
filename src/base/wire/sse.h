// SseParser: reads server-sent events (text/event-stream) piece by piece. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"

namespace assay {

struct SseEvent {
  std::string name;  // "" if the stream gave none (the format's default is "message")
  std::string data;  // lines joined by '\n'; never empty: the format drops events without data
};

// Reads what has arrived so far. Lines end with LF, CR or CRLF, also across pieces; comments, `id`, `retry`
// and unknown fields are skipped; an event that no blank line ended is dropped, as the format wants. Source:
// WHATWG HTML, "Interpreting an event stream". A line longer than kSseLineBytesMax ends the reading.
class SseParser {
 public:
  // Appends the events that `bytes` completes. After an Error (kLimit) nothing more is read.
  std::optional<Error> Feed(std::string_view bytes, std::vector<SseEvent>& events);

 private:
  void TakeLine(std::string_view line, std::vector<SseEvent>& events);

  std::string line_;  // not ended yet
  SseEvent event_;    // not ended yet
  bool has_data_ = false;
  bool after_cr_ = false;  // an LF that comes now belongs to the line before
  bool at_start_ = true;   // of the stream, where a byte order mark may stand
  bool broken_ = false;
};

// All events of a whole stream.
std::vector<SseEvent> ReadSse(std::string_view stream);

}  // namespace assay
