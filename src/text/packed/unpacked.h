// Unpacks a whole file that is packed with gzip or zstd, known by its first bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/errors/result.h"

namespace assay {

bool IsGzip(std::string_view bytes);
bool IsZstd(std::string_view bytes);

// Hands over all members or frames of the file, one after the other and piece by piece. kCorrupt: damaged;
// `take` may end it with an error of its own.
Status UnpackTo(std::string_view bytes, const std::function<Status(std::string_view piece)>& take);
// All members or frames of the file, one after the other. kCorrupt: damaged; kLimit: above `bytes_max`.
Result<std::string> Unpacked(std::string_view bytes, std::size_t bytes_max);

}  // namespace assay
