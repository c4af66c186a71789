// The limits of cli/, as base/limits.h has those that several folders share.
#pragma once

#include <cstddef>

namespace assay::limits {

inline constexpr std::size_t kStoredDocumentsBytesMax = 256u << 20;  // of all documents of a run

}  // namespace assay::limits
