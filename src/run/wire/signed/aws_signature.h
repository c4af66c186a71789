// Signs requests to services of AWS with the user's own keys (Signature Version 4). Pure: the time is an
// argument. Source: docs.aws.amazon.com, IAM user guide, "Create a signed AWS API request".
#pragma once

#include <cstdint>
#include <string>

#include "base/wire/secret.h"
#include "base/wire/wire.h"

namespace assay {

struct AwsKeys {
  std::string key_id;
  Secret secret;
  Secret session = {};  // of keys that are lent for a while; empty: there is none
  std::string region;   // where the host of a request does not name one
  std::string service;  // "bedrock"
};

// Adds the headers that say who asks and when. Nothing of the request may change afterwards.
void SignForAws(const AwsKeys& keys, std::int64_t wall_ms, HttpRequest& request);

}  // namespace assay
