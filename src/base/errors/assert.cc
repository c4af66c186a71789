// Prints the failed condition with its file and line to standard error and ends the program.
#include "base/errors/assert.h"

#include <cstdio>
#include <cstdlib>

namespace assay {

void AssertFailed(std::string_view condition, std::string_view file, int line) {
  std::fprintf(stderr, "assay: internal error: %.*s does not hold at %.*s:%d; please report this\n",
               static_cast<int>(condition.size()), condition.data(), static_cast<int>(file.size()),
               file.data(), line);
  std::abort();
}

}  // namespace assay
