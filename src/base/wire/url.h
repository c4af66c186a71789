// Reads scheme and host of a URL, and whether it is an http(s) URL: what decisions of trust and addresses
// need of a URL.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// The host, in the case it was written in, IPv6 in its brackets; without port, name and password. "" if the
// text is no URL.
std::string_view HostOf(std::string_view url);

// The scheme in lower case, "https"; "" if there is none. Blanks and control characters before and within it
// do not count, as in a browser.
std::string SchemeOf(std::string_view url);

// Whether it begins with http:// or https://, in any case, and goes on without blanks and control characters.
bool IsHttpUrl(std::string_view url);

}  // namespace assay
