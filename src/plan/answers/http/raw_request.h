// Reads a request as HTTP writes it: a request line, headers, an empty line and the body.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/wire/wire.h"

namespace assay {

struct RawRequest {
  std::string method;
  std::string target;               // "/chat?a=b", or a whole URL
  std::string host;                 // "" if the target is a URL and no header says one
  std::vector<HttpHeader> headers;  // names in lower case; without those that whoever sends it writes
  std::string body;                 // without blanks around it
};

Result<RawRequest> ReadRawRequest(std::string_view text);

}  // namespace assay
