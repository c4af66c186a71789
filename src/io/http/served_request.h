// ServedRequest: a request to the local server, read from bytes by the letter of RFC 9112. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/wire/wire.h"

namespace assay {

inline constexpr std::size_t kServedHeadBytesMax = 32u << 10;   // without the values of Cookie fields
inline constexpr std::size_t kServedCookieBytesMax = 1u << 20;  // Chromium sends 745 KB at most
inline constexpr std::size_t kServedBodyBytesMax = 4u << 10;
inline constexpr std::size_t kServedFieldsMax = 100;

struct ServedRequest {
  std::string method;
  std::string target;               // as it was sent: "/api/1/runs?limit=3"
  std::vector<HttpHeader> headers;  // names in lower case
  std::string body;
  bool is_last = false;                                  // the connection ends with its reply
  std::string_view Header(std::string_view name) const;  // "": there is none, or more than one
};

// What is known of bytes that are a part of a request, so that none is read again for each that follows.
struct PartOfRequest {
  std::size_t scanned = 0;       // bytes without an end of the head
  std::size_t cookie_bytes = 0;  // of values of Cookie fields, which were dropped
  std::size_t least = 0;         // bytes of the whole request; 0: not known yet
};

// What bytes begin with: a request, a part of one (neither `request` nor `refused` is set), or no request.
struct ReadBytes {
  std::optional<ServedRequest> request = {};
  std::size_t used = 0;  // bytes of the request
  int refused = 0;       // the status to refuse it with: 400, or 413 for a body above kServedBodyBytesMax
  PartOfRequest of_part = {};
};
// What two readers could take for two different things is refused: versions other than HTTP/1.0 and 1.1, line
// ends other than CR LF, control characters, folded lines, names that are no tokens, several lengths or one
// that is no number, transfer encodings, several hosts, or none in HTTP/1.1. So are requests for what this
// server does not do, Upgrade and Expect, and more than kServedFieldsMax fields. `part` is what an earlier
// call said of the first of the same bytes.
//
// Values of Cookie fields are checked for control characters, and dropped from `bytes`: servers of all ports
// of 127.0.0.1 can set cookies that the browser sends here, and this server uses none.
ReadBytes ReadServedRequest(std::string& bytes, const PartOfRequest& part = {});

}  // namespace assay
