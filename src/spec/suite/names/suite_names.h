// Finds names in a suite that are too long: they are keys of results, so they must not be cut.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/errors/span.h"

namespace assay {

struct Suite;

namespace limits {
inline constexpr std::size_t kNameBytesMax = 64u << 10;  // of one id or title
}  // namespace limits

struct LongName {
  std::string message;  // which name, and how long it is
  Span span;            // of the case or check; nowhere for others
};
// The first id or title of a suite that has more than limits::kNameBytesMax bytes.
std::optional<LongName> FindLongName(const Suite& suite);

}  // namespace assay
