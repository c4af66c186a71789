// The digest of the recording that `assay demo` carries: its replies count as the user's own.
#pragma once

#include <string_view>

namespace assay {

extern const std::string_view kDemoRecordingDigest;  // in hex

}  // namespace assay
