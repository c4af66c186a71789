// Remembers the state (stat) of files when they are read.
#include "cli/files/watched_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

namespace assay {

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

std::int64_t NsOf(const timespec& time) { return time.tv_sec * kNsPerSecond + time.tv_nsec; }

std::string Normal(std::string_view path) {
  return std::filesystem::path(path).lexically_normal().generic_string();
}

}  // namespace

FileState StateOfFile(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return {};
  return {.exists = true,
          .inode = found.st_ino,
          .size_bytes = found.st_size,
          .changed_ns = NsOf(found.st_mtim),
          .touched_ns = NsOf(found.st_ctim)};
}

void WatchedFiles::Remember(std::string_view path) {
  std::string name = Normal(path);
  if (!seen_.contains(name)) seen_.emplace(name, StateOfFile(name));
}

Result<std::string> WatchedFiles::Read(std::string_view path) {
  Remember(path);
  return disk_.Read(path);
}

Result<std::shared_ptr<const FileBytes>> WatchedFiles::Open(std::string_view path, std::uint64_t bytes_max) {
  Remember(path);
  return disk_.Open(path, bytes_max);
}

bool WatchedFiles::Exists(std::string_view path) {
  Remember(path);
  return disk_.Exists(path);
}

Result<std::vector<std::string>> WatchedFiles::List(std::string_view path) {
  Remember(path);
  return disk_.List(path);
}

void WatchedFiles::Forget(std::string_view path) { seen_.erase(Normal(path)); }

void WatchedFiles::AddMissing(const WatchedFiles& earlier) {
  for (const auto& [path, state] : earlier.seen_) Remember(path);
}

std::size_t WatchedFiles::CountExisting() const {
  return static_cast<std::size_t>(
      std::count_if(seen_.begin(), seen_.end(), [](const auto& entry) { return entry.second.exists; }));
}

std::optional<std::string> WatchedFiles::FindChanged() const {
  for (const auto& [path, state] : seen_) {
    if (StateOfFile(path) != state) return path;
  }
  return std::nullopt;
}

std::map<std::string, FileState> WatchedFiles::StatesNow() const {
  std::map<std::string, FileState> states;
  for (const auto& [path, state] : seen_) states.emplace(path, StateOfFile(path));
  return states;
}

std::optional<std::string> WaitForChange(const WatchedFiles& files, Clock& clock, Inbox& stop) {
  constexpr std::chrono::milliseconds kLookEvery{200};
  std::map<std::string, FileState> before;  // of the last look, once something has changed
  while (!stop.HasMessages()) {
    if (const std::optional<std::string> changed = files.FindChanged()) {
      std::map<std::string, FileState> now = files.StatesNow();
      if (now == before) return changed;
      before = std::move(now);
    }
    clock.Wait(stop, clock.Now() + kLookEvery);
  }
  return std::nullopt;
}

}  // namespace assay
