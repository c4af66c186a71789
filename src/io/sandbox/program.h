// The sandbox host's executable as bytes, embedded in assay (sandbox_host/).
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Packed: how many bytes it has, in four bytes with the lowest first, then what zlib made of them.
extern const std::string_view kSandboxProgram;

// "" if these are not the bytes of a packed program.
std::string UnpackedProgram(std::string_view packed);

}  // namespace assay
