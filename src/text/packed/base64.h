// Encodes and decodes Base64 with the standard alphabet and padding (RFC 4648, section 4).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay {

std::string EncodeBase64(std::string_view bytes);
// Nothing unless the text is exactly what EncodeBase64 would write: no white space, full padding, no stray
// bits.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace assay
