// Whether a text is an absolute URL as the WHATWG URL standard parses it, to refuse what weval refuses when
// it loads.
#pragma once

#include <string_view>

namespace assay::blueprint {

// True for any scheme; http, https, ws, wss and ftp need a valid host and port.
bool IsAbsoluteUrl(std::string_view text);

}  // namespace assay::blueprint
