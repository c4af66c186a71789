// HMAC (RFC 2104) with SHA-256: what only whoever knows the key can have written.
#pragma once

#include <string_view>

#include "base/hash.h"

namespace assay {

Digest HmacSha256(std::string_view key, std::string_view text);

}  // namespace assay
