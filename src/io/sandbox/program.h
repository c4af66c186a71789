// The sandbox host's executable as bytes, embedded in assay (sandbox_host/).
#pragma once

#include <string_view>

namespace assay {

extern const std::string_view kSandboxProgram;

}  // namespace assay
