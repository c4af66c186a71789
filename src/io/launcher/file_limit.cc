// Sets the soft limit RLIMIT_NOFILE to the hard one.
#include "io/launcher/file_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace assay {

namespace {

constexpr std::size_t kKeptForTheRest = 64;  // the store, result files, standard streams, libraries
constexpr std::size_t kEnough = 1u << 20;    // where the system sets no limit

}  // namespace

std::size_t RaiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, kEnough);
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0 && getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  const auto files = static_cast<std::size_t>(limit.rlim_cur);
  return files > kKeptForTheRest ? files - kKeptForTheRest : 1;
}

}  // namespace assay
