// Sums the last seen times of all processes, and reads a cgroup's time.
#include "io/sandbox_host/processes/run_time.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace assay {

std::uint64_t RunTime::Follow(const TreeUse& use) {
  std::map<Identity, std::uint64_t> now;
  std::uint64_t sum_us = 0;
  for (const ProcessTime& time : use.times) {
    const Identity identity(time.process, time.started);
    std::uint64_t ran_us = time.ran_us;
    if (const auto before = living_.find(identity); before != living_.end()) {
      ran_us = std::max(ran_us, before->second);  // threads that have ended are in one of two counts only
      living_.erase(before);
    }
    now[identity] = ran_us;
    sum_us += ran_us;
  }
  for (const auto& [identity, ran_us] : living_) ended_us_ += ran_us;
  living_ = std::move(now);
  return ended_us_ + sum_us;
}

std::uint64_t CgroupTimeUs(int file) {
  constexpr std::string_view kName = "usage_usec ";
  constexpr std::uint64_t kNanoseconds = 1'000;
  std::array<char, 1024> text{};
  if (file < 0 || pread(file, text.data(), text.size() - 1, 0) <= 0) return 0;
  const std::string_view said(text.data());
  if (const std::size_t found = said.find(kName); found != std::string_view::npos)
    return std::strtoull(text.data() + found + kName.size(), nullptr, 10);
  return std::strtoull(text.data(), nullptr, 10) / kNanoseconds;
}

}  // namespace assay
