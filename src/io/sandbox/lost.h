// Computes how much of a program's wall time was lost because other programs had the processors.
#pragma once

#include <algorithm>
#include <cstdint>

namespace assay {

// What was seen of it while `passed_us` of wall time went by.
struct SeenTime {
  std::uint64_t passed_us = 1;
  std::uint64_t ran_us = 0;     // of all its threads
  std::uint64_t waited_us = 0;  // in which threads of it were ready and did not run
  std::uint64_t others_us = 0;  // in which other programs had processors
  std::uint64_t processors = 1;
};

// Wall time. It could have had as many processors as it has threads that were ready, and no more than there
// are. What it had less is lost, as far as others had it: that its own threads wait for each other is no
// loss.
inline std::uint64_t LostUs(const SeenTime& seen) {
  const std::uint64_t wanted_us = std::min(seen.processors * seen.passed_us, seen.ran_us + seen.waited_us);
  const std::uint64_t missed_us = std::min(wanted_us - std::min(wanted_us, seen.ran_us), seen.others_us);
  const double wide = std::max(1.0, static_cast<double>(wanted_us) / static_cast<double>(seen.passed_us));
  return static_cast<std::uint64_t>(static_cast<double>(missed_us) / wide);
}

}  // namespace assay
