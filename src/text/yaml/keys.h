// Reads the top-level keys of a YAML or JSON text, by which formats are told apart before a file is read in
// full.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

inline constexpr std::size_t kSniffedBytesMax = 256u << 10;

// The keys of the first document, if that is a mapping, in their order and without their quotes; those up to
// the first problem where the text is broken. Of a long text only the start is looked at
// (kSniffedBytesMax).
std::vector<std::string> TopLevelKeys(std::string_view text);

}  // namespace assay
