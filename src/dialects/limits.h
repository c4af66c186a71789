// The limits of dialects/, as base/limits.h has those that several folders share.
#pragma once

#include <cstddef>

namespace assay::limits {

inline constexpr std::size_t kReferenceBytesMax = 64u
                                                  << 20;  // what references to definitions in one suite copy
inline constexpr std::size_t kSimilarityModelsMax = 500;  // variants whose answers are compared two by two

}  // namespace assay::limits
