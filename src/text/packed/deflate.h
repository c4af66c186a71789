// Packs bytes in the format of zlib (RFC 1950), which browsers unpack (`DecompressionStream('deflate')`).
#pragma once

#include <string>
#include <string_view>

namespace assay {

std::string Deflated(std::string_view bytes);

}  // namespace assay
