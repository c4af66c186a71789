// The limits of text/, as base/limits.h has those that several folders share.
#pragma once

#include <chrono>
#include <cstddef>

namespace assay::limits {

inline constexpr std::size_t kYamlDepthMax = 100;            // nesting of collections (js-yaml's own default)
inline constexpr std::size_t kYamlNodesMax = 4'000'000;      // nodes of a file, aliases expanded
inline constexpr std::size_t kYamlDocumentsMax = 100'000;    // documents in one stream
inline constexpr std::size_t kYamlRereadMax = 16u << 20;     // bytes read again because of tabs
inline constexpr std::size_t kJsonNodesMax = 8'000'000;      // values of a text
inline constexpr std::size_t kRegexBytesMax = 64u << 10;     // one pattern
inline constexpr std::chrono::milliseconds kRegexTime{100};  // one search
inline constexpr std::size_t kRegexMemoryBytesMax = 64u << 20;   // one search, or one compiled pattern
inline constexpr std::size_t kScriptMemoryBytesMax = 64u << 20;  // one $js evaluation
inline constexpr std::size_t kScriptStackBytesMax = 512u << 10;  // one $js evaluation
inline constexpr std::size_t kScriptResultNodesMax = 100'000;    // values inside a script's result
inline constexpr std::size_t kScriptResultDepthMax = 200;        // nesting of a script's result
inline constexpr std::size_t kCollateUnitsMax = 1u << 20;        // UTF-16 units a script may compare

}  // namespace assay::limits
