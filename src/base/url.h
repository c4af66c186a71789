// Parts of URLs.
#pragma once

#include <string_view>

namespace assay {

// The host, in the case it was written in, IPv6 in its brackets; without port, name and password. "" if the
// text is no URL.
std::string_view HostOf(std::string_view url);

}  // namespace assay
