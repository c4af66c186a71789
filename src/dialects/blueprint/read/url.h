// Checks whether a text is an absolute URL by the WHATWG URL standard, since weval refuses blueprints with
// others.
#pragma once

#include <string_view>

namespace assay::blueprint {

// True for any scheme; http, https, ws, wss and ftp need a valid host and port.
bool IsAbsoluteUrl(std::string_view text);

}  // namespace assay::blueprint
