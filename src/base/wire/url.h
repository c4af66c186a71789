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

// Whether a service can be asked there: such a URL, with a host, and a number where a port may stand. A "/"
// in a password that is not written as %2F ends the address early, and is found so.
bool IsServiceUrl(std::string_view url);

// Whether its host is this machine, by name: localhost, 127.x.x.x, [::1], in any case.
bool IsLoopbackUrl(std::string_view url);

// A text for an error that expected a URL; none of one that may hold a password.
std::string ShownUrl(std::string_view url);

}  // namespace assay
