// Whether a service for continuous integration runs the program. Nobody reads its questions there, and
// anybody's change may have started it.
#pragma once

#include <cstdlib>

namespace assay {

// CI is set, and not to nothing.
inline bool IsInCi() {
  const char* value = std::getenv("CI");
  return value != nullptr && *value != '\0';
}

}  // namespace assay
