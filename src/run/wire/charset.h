// Converts the body of a reply to UTF-8, from the character set that its header names.
#pragma once

#include "base/wire/wire.h"

namespace assay {

// Takes a byte order mark from the body's start. A body that calls itself Latin-1 (its own name, or
// Windows-1252, which the web takes for the same) is read as such; every other one is UTF-8 already.
void ReadAsUtf8(HttpReply& reply);

}  // namespace assay
