// Reads memory sizes from /proc/PID/smaps_rollup and maps.
#include "io/sandbox_host/processes/memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "io/sandbox_host/files/files.h"
#include "io/sandbox_host/files/mappings.h"

namespace assay {

namespace {

constexpr std::uint64_t kReadAgainUs = 500'000;

// The value of "Name:   1234 kB"; -1 if it is not there.
std::int64_t KibibytesOf(const std::string& text, const char* name) {
  const std::size_t found = text.find(std::string("\n") + name + ":");
  return found == std::string::npos ? -1
                                    : std::strtoll(text.c_str() + text.find(':', found) + 1, nullptr, 10);
}

// All of it, and of that what is no file and no shared memory. Of processes that cannot be looked into only
// what is resident in the largest is surely used.
struct Proportional {
  std::uint64_t bytes = 0;
  std::uint64_t unshared_bytes = 0;
  std::uint64_t sure_bytes = 0;
  bool is_known = true;
};

std::uint64_t ResidentBytes(const std::string& sizes) {
  const std::size_t blank = sizes.find(' ');
  if (blank == std::string::npos) return 0;
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return std::strtoull(sizes.c_str() + blank, nullptr, 10) * page_bytes;
}

Proportional ProportionalOf(const std::vector<pid_t>& processes) {
  Proportional sum;
  std::uint64_t largest = 0;
  for (const pid_t process : processes) {
    const std::string folder = "/proc/" + std::to_string(process);
    const std::string text = ReadWhole(folder + "/smaps_rollup");
    const std::int64_t whole = KibibytesOf(text, "Pss");
    const std::int64_t unshared = KibibytesOf(text, "Pss_Anon");
    if (whole < 0) {
      const std::string sizes = ReadWhole(folder + "/statm");  // one that has ended meanwhile has none
      if (sizes.empty() || sizes.starts_with("0 ")) continue;
      sum.is_known = false;
      largest = std::max(largest, ResidentBytes(sizes));
      continue;
    }
    sum.bytes += static_cast<std::uint64_t>(whole) << 10;
    sum.unshared_bytes += static_cast<std::uint64_t>(std::max<std::int64_t>(unshared, 0)) << 10;
  }
  sum.sure_bytes = sum.bytes + largest;
  return sum;
}

}  // namespace

Measured MemoryWatch::Look(const TreeUse& use, std::uint64_t limit_bytes, std::uint64_t now_us) {
  if (use.address_bytes <= limit_bytes) return Measured::kWithin;
  if (now_us - shared_read_us_ >= kReadAgainUs) {
    shared_read_us_ = now_us;
    shared_bytes_ = SharedBytes(use.processes);
  }
  if (shared_bytes_ > 0 && use.unshared_bytes + shared_bytes_ > limit_bytes) {
    const Proportional read = ProportionalOf(use.processes);
    if (read.unshared_bytes + shared_bytes_ > limit_bytes) return Measured::kBeyond;
    if (!read.is_known) return Measured::kUnknown;
  }
  if (use.resident_bytes <= limit_bytes) return Measured::kWithin;
  const std::uint64_t grown = use.resident_bytes - std::min(use.resident_bytes, resident_bytes_);
  if (read_us_ != 0 && now_us - read_us_ < kReadAgainUs && proportional_bytes_ + grown <= limit_bytes)
    return Measured::kWithin;
  const Proportional read = ProportionalOf(use.processes);
  if (read.sure_bytes > limit_bytes) return Measured::kBeyond;
  if (!read.is_known) return Measured::kUnknown;
  proportional_bytes_ = read.bytes;
  resident_bytes_ = use.resident_bytes;
  read_us_ = now_us;
  return Measured::kWithin;
}

}  // namespace assay
