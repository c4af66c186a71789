// The sandbox host as bytes: an executable file that assay carries inside itself (sandbox_host/).
#pragma once

#include <string_view>

namespace assay {

extern const std::string_view kSandboxProgram;

}  // namespace assay
