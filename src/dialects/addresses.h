// Checks the addresses that a suite gives: http and https are allowed, every other scheme is an error at its
// place.
#pragma once

#include <span>
#include <string_view>

#include "base/errors/diagnostics.h"
#include "text/value.h"

namespace assay {

// Looks through `fields` and all that is in them, save the members named in `for_readers`, for texts under
// keys that name an address (url, base_url, endpoint, service and the like). One with another scheme than
// http and https is an error with the code `code`, at its place.
void RefuseForeignAddresses(const Map& fields, std::span<const std::string_view> for_readers,
                            std::string_view code, Diagnostics& diagnostics);

}  // namespace assay
