// Measures the memory of a run where no cgroup counts it.
#pragma once

#include <cstdint>

#include "io/sandbox_host/processes/processes.h"

namespace assay {

// What can be said of something that has a limit.
enum class Measured : std::uint8_t { kWithin, kBeyond, kUnknown };

// The sum of what is resident in each process counts what they share several times; what is shared by right
// measure (the kernel's "proportional" size) takes long to read. So it is read only where the sum exceeds the
// limit. Shared memory without a name counts as a whole, since it need not be mapped where it was filled.
class MemoryWatch {
 public:
  Measured Look(const TreeUse& use, std::uint64_t limit_bytes, std::uint64_t now_us);

 private:
  std::uint64_t proportional_bytes_ = 0;  // at the last reading,
  std::uint64_t resident_bytes_ = 0;      // when that was resident
  std::uint64_t read_us_ = 0;             // 0: never
  std::uint64_t shared_bytes_ = 0;        // whole, at the last reading
  std::uint64_t shared_read_us_ = 0;
};

}  // namespace assay
