// Decides whether a redirect is followed, and turns the request into the next one. Pure.
#pragma once

#include <string_view>

#include "base/errors/result.h"
#include "io/http/transfer.h"

namespace assay {

bool IsRedirect(int status);  // one that names another place: 301, 302, 303, 307, 308

// Turns a request whose reply had this status into the one that goes to `url`. kInvalidInput: no page of the
// web, or a place that it came from; kLimit: it was redirected as often as it allows.
Status Redirect(std::string_view url, int status, const HttpOptions& options, HttpSend& send);

}  // namespace assay
