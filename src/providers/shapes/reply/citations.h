// Reads what tools of the services found for an answer: searched pages, files, passages.
#pragma once

#include "spec/exchange/request.h"
#include "text/value.h"

namespace assay {

// The body of a whole reply, of any protocol, or what a stream came to in that form: adds to
// ModelReply::citations, each source once, at most kCitationsMax.
void TakeCitations(const Value& body, ModelReply& reply);

inline constexpr std::size_t kCitationsMax = 100;
inline constexpr std::size_t kCitationBytesMax = 2'000;  // of each of its texts

}  // namespace assay
