// Locks with flock(); symbolic links in the place of the store or its lock are refused.
#include "store/sqlite/writer_lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/files/out_folder.h"

namespace assay {

namespace {

constexpr std::size_t kPidDigitsMax = 20;

// Whoever put a link in the place of a store's file does not decide what is written.
Error LinkError(const std::string& path) {
  return {
      ErrorCode::kRefused,
      fmt::format("{} is a link, and nothing is written through links; remove it, or name the file that it "
                  "leads to with --store",
                  path)};
}

bool IsLink(const std::string& path) {
  struct stat info {};
  return lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

// A lock is a file of one name that holds digits, or nothing yet. Whatever else has its name stays as it is.
bool IsLockFile(int file) {
  struct stat info {};
  char text[kPidDigitsMax + 1];
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink > 1) return false;
  const ssize_t size = pread(file, text, sizeof text, 0);
  return size >= 0 && static_cast<std::size_t>(size) <= kPidDigitsMax &&
         std::all_of(text, text + size, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Result<WriterLock> WriterLock::Take(const std::string& store_path) {
  WriterLock lock;
  const std::string path = store_path + ".lock";
  lock.file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
  if (lock.file_ < 0) {
    if (IsLink(path)) return LinkError(path);
    return Error{
        ErrorCode::kIo,
        fmt::format("{}: the store's folder cannot be written; name another file with --store", store_path)};
  }
  if (!IsLockFile(lock.file_)) {
    return Error{
        ErrorCode::kRefused,
        fmt::format("{}: expected the store's lock, found a file that assay did not write; remove it, "
                    "or use --store with another path",
                    path)};
  }
  // Whoever may open the lock may hold it. Older versions left it open to all beside a store that is not.
  if (struct stat store{}; stat(store_path.c_str(), &store) == 0 && (store.st_mode & 077) == 0)
    static_cast<void>(fchmod(lock.file_, 0600));
  if (flock(lock.file_, LOCK_EX | LOCK_NB) != 0) {
    char pid[32] = {};
    const ssize_t got = pread(lock.file_, pid, sizeof pid - 1, 0);
    return Error{ErrorCode::kTimeout, fmt::format("{}: another assay (process {}) writes to this store",
                                                  store_path, got > 0 ? pid : "unknown")};
  }
  const std::string pid = std::to_string(getpid());
  if (ftruncate(lock.file_, 0) != 0 || pwrite(lock.file_, pid.data(), pid.size(), 0) < 0) {
    return Error{
        ErrorCode::kIo,
        fmt::format("{}: the lock beside the store cannot be written; is the disk full?", store_path)};
  }
  return lock;
}

bool WriterLock::IsTaken(const std::string& store_path) {
  const std::string path = store_path + ".lock";
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return false;
  const bool is_taken = IsLockFile(file) && flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  return is_taken;
}

WriterLock::~WriterLock() {
  if (file_ >= 0) close(file_);
}

Result<WriterLock> WriterLock::TakePlaceAt(const std::string& store_path) {
  const std::filesystem::path folder = std::filesystem::path(store_path).parent_path();
  ASSAY_CHECK_OK(NoLinkBelowHere(folder.string()));
  std::error_code failed;
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  if (failed) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: the store's folder cannot be made ({}); use --store with another path",
                             folder.string(), failed.message())};
  }
  for (const std::string& place : {folder.string(), store_path}) {
    if (IsLink(place)) return LinkError(place);
  }
  return Take(store_path);
}

}  // namespace assay
