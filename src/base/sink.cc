// Output files on disk: written without a name, or under one that no reader looks for, synced, then put in
// their place.
#include "base/sink.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include <fmt/core.h>

#include "base/assert.h"
#include "base/diagnostics.h"

namespace assay {

namespace {

constexpr std::size_t kBufferBytes = 64u << 10;
constexpr std::size_t kFoldersRemembered = 1'000;
constexpr int kTemporaryNamesMax = 100;  // tries for a name that nobody holds

Error WriteError(std::string_view path, int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return {ErrorCode::kIo,
              fmt::format("no space is left for {}; free some, or name another folder", Quoted(path))};
    case EACCES:
    case EPERM:
    case EROFS:
      return {ErrorCode::kRefused,
              fmt::format("may not write {}; check the permissions of its folder, or name another",
                          Quoted(path))};
    case ENOTDIR:
      return {ErrorCode::kRefused,
              fmt::format("cannot write {}: a part of the path is a file", Quoted(path))};
    case ENAMETOOLONG:
      return {ErrorCode::kInvalidInput,
              fmt::format("cannot write {}: the name is too long for this disk", Quoted(path))};
    case EEXIST:
      return {ErrorCode::kRefused,
              fmt::format("{} exists already and is never overwritten; remove it, or name another folder",
                          Quoted(path))};
    default:
      return {ErrorCode::kIo, fmt::format("cannot write {}: {}", Quoted(path), std::strerror(error_number))};
  }
}

// As OpenNamed makes them.
bool IsTemporaryName(std::string_view name) { return name.starts_with(".assay-") && name.ends_with(".part"); }

bool IsCleanRelative(std::string_view path) {
  if (path.find('\0') != std::string_view::npos) return false;
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

class DiskSink final : public Sink {
 public:
  DiskSink(std::string root, Durability durability, Temporary temporary)
      : root_(root.empty() ? "." : std::move(root)),
        durability_(durability),
        // A file without a name gets its name through /proc.
        unnamed_(temporary == Temporary::kUnnamed && ::access("/proc/self/fd", X_OK) == 0) {}
  ~DiskSink() override { Discard(); }
  DiskSink(const DiskSink&) = delete;
  DiskSink& operator=(const DiskSink&) = delete;

  Status Open(std::string_view path) override;
  Status Write(std::string_view bytes) override;
  Status Close() override;

 private:
  Status MakeFolder(const std::string& folder);
  Status OpenTemporary();
  Status OpenNamed();
  // Locks the open file as being written; false if its name is gone by then. Where there are no locks nobody
  // sweeps.
  bool HoldLock() const;
  // Removes what killed processes left in a folder: files that nobody holds any more.
  void SweepOnce(const std::string& folder);
  Status Flush();
  Status Link();
  Status Rename();
  Status SyncFolder();
  // Forgets the open file and what was written of it; further writes report the same error.
  Error Fail(int error_number);
  void Discard();

  std::string root_;
  Durability durability_;
  bool unnamed_;                 // until a folder knows no files without a name
  std::string path_;             // of the open file, below root_
  std::string temporary_;        // beside it; empty when nothing is open, or the open file has no name
  std::set<std::string> swept_;  // folders
  std::set<std::string> made_;   // folders that are there, as far as they are remembered
  std::string buffer_;
  int descriptor_ = -1;
  std::optional<Error> failed_;
};

Error DiskSink::Fail(int error_number) {
  failed_ = WriteError(path_, error_number);
  Discard();
  return *failed_;
}

void DiskSink::Discard() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  buffer_.clear();
}

// From the deepest on: mostly only that one is new.
Status DiskSink::MakeFolder(const std::string& folder) {
  if (made_.count(folder) > 0) return Ok();
  int error_number = ::mkdir(folder.c_str(), 0777) == 0 ? 0 : errno;
  const std::size_t slash = folder.rfind('/');
  if (error_number == ENOENT && slash != std::string::npos && slash > 0) {
    ASSAY_CHECK_OK(MakeFolder(folder.substr(0, slash)));
    error_number = ::mkdir(folder.c_str(), 0777) == 0 ? 0 : errno;
  }
  if (error_number != 0) {
    // Some systems answer "not permitted" for a folder that is there.
    struct stat info {};
    if (::stat(folder.c_str(), &info) != 0) return Fail(error_number);
    if (!S_ISDIR(info.st_mode)) return Fail(ENOTDIR);
  }
  if (made_.size() >= kFoldersRemembered) made_.clear();
  made_.insert(folder);
  return Ok();
}

Status DiskSink::OpenTemporary() {
  if (!unnamed_) return OpenNamed();
  const std::string folder = path_.substr(0, path_.rfind('/'));
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor_ >= 0) return Ok();
  // What file systems and old kernels answer that know no such files.
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return Fail(errno);
  unnamed_ = false;
  return OpenNamed();
}

void DiskSink::SweepOnce(const std::string& folder) {
  if (!swept_.insert(folder).second) return;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!IsTemporaryName(entry->path().filename().string())) continue;
    const int descriptor = ::open(entry->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) continue;
    // Who writes such a file holds its lock, which ends with the process, whatever its number was.
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(entry->path().c_str());
    ::close(descriptor);
  }
}

bool DiskSink::HoldLock() const {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  struct stat info {};
  return ::fstat(descriptor_, &info) == 0 && info.st_nlink > 0;
}

Status DiskSink::OpenNamed() {
  const std::size_t name = path_.rfind('/') + 1;
  SweepOnce(path_.substr(0, name));
  for (int i = 0; i < kTemporaryNamesMax; ++i) {
    // The name's own length stays out of it: a long but legal name must not fail for our suffix.
    std::string candidate = fmt::format("{}.assay-{}-{}.part", path_.substr(0, name), ::getpid(), i);
    descriptor_ = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) {
      temporary_ = std::move(candidate);
      if (HoldLock()) return Ok();
      Discard();  // somebody swept it before it was locked
      continue;
    }
    if (errno != EEXIST) break;
  }
  return Fail(errno);
}

Status DiskSink::Open(std::string_view path) {
  ASSAY_ASSERT(descriptor_ < 0);
  failed_.reset();
  if (!IsCleanRelative(path)) {
    failed_ = Error{
        ErrorCode::kInvalidInput,
        fmt::format("expected a relative path without empty, \".\" or \"..\" parts, found {}", Quoted(path))};
    return *failed_;
  }
  path_ = fmt::format("{}/{}", root_, path);
  ASSAY_CHECK_OK(MakeFolder(path_.substr(0, path_.rfind('/'))));
  struct stat info {};
  if (::lstat(path_.c_str(), &info) == 0) return Fail(EEXIST);
  if (errno != ENOENT) return Fail(errno);
  return OpenTemporary();
}

Status DiskSink::Write(std::string_view bytes) {
  if (failed_) return *failed_;
  ASSAY_ASSERT(descriptor_ >= 0);
  buffer_ += bytes;
  return buffer_.size() < kBufferBytes ? Ok() : Flush();
}

Status DiskSink::Flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Fail(errno);
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  buffer_.clear();
  return Ok();
}

Status DiskSink::Close() {
  if (failed_) return *failed_;
  ASSAY_ASSERT(descriptor_ >= 0);
  ASSAY_CHECK_OK(Flush());
  if (durability_ == Durability::kSynced && ::fsync(descriptor_) != 0) return Fail(errno);
  if (unnamed_) ASSAY_CHECK_OK(Link());
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) return Fail(errno);
  if (!unnamed_) ASSAY_CHECK_OK(Rename());
  temporary_.clear();
  return durability_ == Durability::kSynced ? SyncFolder() : Ok();
}

Status DiskSink::Link() {
  const std::string open_file = fmt::format("/proc/self/fd/{}", descriptor_);
  const int linked = ::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW);
  return linked == 0 ? Ok() : Status(Fail(errno));
}

Status DiskSink::Rename() {
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0) return Ok();
  // Some file systems know no such rename; a link refuses an existing name just as well.
  if (errno != EINVAL && errno != ENOSYS) return Fail(errno);
  if (::link(temporary_.c_str(), path_.c_str()) != 0) return Fail(errno);
  ::unlink(temporary_.c_str());
  return Ok();
}

Status DiskSink::SyncFolder() {
  const std::string folder = path_.substr(0, path_.rfind('/'));
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return Fail(errno);
  // Some file systems cannot sync a folder; the file itself is safe.
  const bool synced = ::fsync(descriptor) == 0 || errno == EINVAL;
  const int error_number = errno;
  ::close(descriptor);
  return synced ? Ok() : Status(Fail(error_number));
}

}  // namespace

std::unique_ptr<Sink> MakeDiskSink(std::string root, Durability durability, Temporary temporary) {
  return std::make_unique<DiskSink>(std::move(root), durability, temporary);
}

}  // namespace assay
