// The project's own recording of calls of models, embedders and services, and of programs that read
// documents: JSON Lines, one exchange a line, as `assay run --record` writes it and `--replay` reads it.
// docs/formats/replay.md.
//   {"v":1,"request":CANONICAL REQUEST WITHOUT "source","reply":STORED REPLY}
//   {"v":2,"request":CANONICAL REQUEST,"error":{"class","message"}}: another model stood in, or
//     nobody could read a judge's reply
//   {"v":3,"prompts":{"ms","utc_offset_min"}}, before all others: the time that the prompts tell
//   {"v":4,"fetched":{"address","sha256","base64"}}: what an address in a message led to
#pragma once

#include <string>
#include <string_view>

#include "base/errors/diagnostics.h"
#include "spec/exchange/exchange.h"
#include "spec/exchange/recording.h"

namespace assay {

// The first line of a recording; "" where prompts tell no time.
std::string ReplayClockLine(const PromptClock& prompts);
// One line with its line end; "" for what cannot be replayed: errors, but for unread replies of judges
// (unread_reply.h), and programs but those that read a document.
std::string ReplayLine(const Exchange& exchange);
// What an address of a part of a message led to; `address`: with its secrets hashed (KeyedUrl).
std::string ReplayFetchedLine(std::string_view address, std::string_view sha256, std::string_view bytes);
// The line of a model's error after which another model was asked in its place.
std::string ReplayFailureLine(const Exchange& exchange);

// The name of the recording that answered a request, "replay:…", of the end of the request's canonical text;
// "" where none did. kRecordingTailBytes of that end are enough.
inline constexpr std::size_t kRecordingTailBytes = 64;
std::string_view RecordingOf(std::string_view canonical_tail);
// That name of a recording, of the digest of its text in hex.
std::string RecordingName(std::string_view hex_digest);

struct Replay {
  Recording recording;
  std::size_t replies = 0;
};

// A reply is found by the canonical text of its request, so a recording serves every suite that asks the
// same. Each line that is no such exchange is a diagnostic at its place; of two replies to one request the
// first counts.
Replay ReadReplay(const std::string& path, FileId file, std::string_view text, Diagnostics& diagnostics);

}  // namespace assay
