// "%2F" -> "/": the one reading and the one writing of percent-encoded texts (RFC 3986, 2.1).
#pragma once

#include <string>
#include <string_view>

namespace assay {

// "a b" as "a%20b": a word of a path.
std::string PercentEncoded(std::string_view text);
// Bytes; a % that no two hexadecimal digits follow stays as it is.
std::string PercentDecoded(std::string_view text);
// Whether each % begins a triple.
bool IsPercentEncoded(std::string_view text);

}  // namespace assay
