// Writes and looks for small files.
#include "engine/shards/shared_folder.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/files/out_folder.h"
#include "engine/shards/shared_run.h"

namespace assay {

namespace {

constexpr std::string_view kMark = ".shard-";

std::string MarkOf(const std::string& folder, std::string_view host, std::int64_t process) {
  return fmt::format("{}/{}{}-{}", folder, kMark, host, process);
}

std::string Advice(const std::string& folder) {
  return fmt::format(
      "programs keep files of this run in {}: give all shards one --out that every machine sees", folder);
}

}  // namespace

SharedFolder::SharedFolder(std::string path)
    : path_(std::move(path)), own_(MarkOf(path_, HostName(), getpid())) {}

SharedFolder::~SharedFolder() { unlink(own_.c_str()); }

Status SharedFolder::Mark() {
  ASSAY_CHECK_OK(NoLinkBelowHere(path_));
  const int file = open(own_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file >= 0) {
    close(file);
    return Ok();
  }
  return Error{ErrorCode::kRefused,
               fmt::format("{} cannot be written on {}: {}", path_, HostName(), std::strerror(errno)),
               {},
               {Advice(path_)}};
}

Status SharedFolder::IsThatOf(const RunWork& work) const {
  std::error_code problem;
  for (const SeatRow& seat : work.living) {
    if (!seat.shard || std::filesystem::exists(MarkOf(path_, seat.host, seat.process), problem)) continue;
    return Error{ErrorCode::kRefused,
                 fmt::format("{} on {} is not the folder that shard {} on {} (process {}) sees by this name",
                             path_, HostName(), *seat.shard, seat.host, seat.process),
                 {},
                 {Advice(path_)}};
  }
  return Ok();
}

void SharedFolder::RemoveMarks() const {
  if (!NoLinkBelowHere(path_)) return;
  std::error_code problem;
  std::vector<std::filesystem::path> marks;
  std::filesystem::directory_iterator each(path_, problem);
  for (; !problem && each != std::filesystem::directory_iterator(); each.increment(problem)) {
    if (each->path().filename().string().starts_with(kMark)) marks.push_back(each->path());
  }
  for (const std::filesystem::path& mark : marks) std::filesystem::remove(mark, problem);
}

}  // namespace assay
