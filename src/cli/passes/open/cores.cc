// The system's own count.
#include "cli/passes/open/cores.h"

#include <unistd.h>

#include <algorithm>

namespace assay {

std::size_t Cores() { return static_cast<std::size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))); }

}  // namespace assay
