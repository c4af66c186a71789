// Exchange: one request with its reply or its final error, the only thing that a run pays for and the store
// keeps; and the stored form of replies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/errors/result.h"
#include "spec/exchange/request.h"

namespace assay {

using ExchangeId = std::uint64_t;  // of the store; 0: not stored

struct Exchange {
  ExchangeId id = 0;
  Digest key{};
  std::uint32_t epoch = 0;
  RequestKind kind = RequestKind::kModel;
  RequestRole role = RequestRole::kCandidate;
  std::string request;  // canonical text
  Reply reply;          // meaningful if there is no error
  std::optional<Error> error;
  Usage usage;
  std::int64_t started_ms = 0;      // wall clock, since 1970
  std::int64_t first_token_us = 0;  // from the start; 0 if unknown
  std::int64_t duration_us = 0;     // from the start of the last try
  std::string finish_reason;
  std::uint32_t tries = 1;
  std::int64_t room = 0;       // ModelRequest::room as it was sent; 0: none, or an older assay sent it
  double price_factor = 1;     // of the list price: what came by a batch costs less
  bool takes_silence = false;  // who asked takes a reply without a word for an answer
  bool is_set_aside = false;   // written: it is evidence of a run, and answers no other
  std::string raw;             // the body as it came; "" where the reply holds all of it
  // Written: what the request names by its digest, with its bytes. Never read back with the exchange.
  std::vector<MediaPart> media = {};

  // Errors, empty replies and programs that were late beside others are kept as evidence, never served as
  // answers. A text that ended at max_tokens is an answer: a limit that somebody wrote is part of the key.
  bool Reusable() const;
  // Whether a text was cut by a limit that nobody wrote, and there is more room for it now.
  bool IsCutBelow(std::int64_t room_now) const;
  // Whether this one, which is kept under the same key, counts though `later` was answered as well: it says
  // what whoever asked can use.
  bool CountsBefore(const Exchange& later) const;
};

// Whether a reply holds no word of the model's and no call of it, nor a turn of a system under test.
bool SaysNothing(const ModelReply& reply);

// Stored form of a reply (JSON, versioned); the reader rejects what the writer cannot have written
// (kCorrupt).
std::string EncodeReply(const Reply& reply);
Result<Reply> DecodeReply(RequestKind kind, std::string_view text);

}  // namespace assay
