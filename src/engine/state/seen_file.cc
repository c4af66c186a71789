// Asks the kernel for a file's numbers and times.
#include "engine/state/seen_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

namespace assay {

namespace {

constexpr std::int64_t kNsOfSecond = 1'000'000'000;

std::int64_t Nanoseconds(const statx_timestamp& time) { return time.tv_sec * kNsOfSecond + time.tv_nsec; }

}  // namespace

std::optional<SeenFile> SeeFile(const std::string& path) {
  struct statx info {};
  if (::statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS | STATX_BTIME, &info) != 0) return std::nullopt;
  const bool has_birth = (info.stx_mask & STATX_BTIME) != 0;
  const std::int64_t born = has_birth ? Nanoseconds(info.stx_btime) : 0;
  return SeenFile{.identity = {.device = fmt::format("{}:{}", info.stx_dev_major, info.stx_dev_minor),
                               .inode = std::to_string(info.stx_ino),
                               .born = std::to_string(born)},
                  .bytes = info.stx_size,
                  .changed_ns = Nanoseconds(info.stx_ctime)};
}

}  // namespace assay
