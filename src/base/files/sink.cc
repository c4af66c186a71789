// Writes output files to disk: unnamed, or under a temporary name that no reader looks for; synced, then
// given their name.
#include "base/files/sink.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <set>

#include <dirent.h>
#include <fmt/core.h>

#include "base/errors/assert.h"
#include "base/errors/diagnostics.h"
#include "base/files/out_folder.h"

namespace assay {

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

namespace {

constexpr std::size_t kBufferBytes = 64u << 10;
constexpr int kTemporaryNamesMax = 100;  // tries for a name that nobody holds

// As OpenNamed makes them.
bool IsTemporaryName(std::string_view name) { return name.starts_with(".assay-") && name.ends_with(".part"); }

class DiskSink final : public Sink {
 public:
  DiskSink(std::string root, Durability durability, Temporary temporary, ReadableBy readable_by)
      : root_(std::move(root)),
        durability_(durability),
        mode_(readable_by == ReadableBy::kOthers ? 0666 : 0600),
        // A file without a name gets its name through /proc.
        unnamed_(temporary == Temporary::kUnnamed && ::access("/proc/self/fd", X_OK) == 0) {}
  ~DiskSink() override { Discard(); }
  DiskSink(const DiskSink&) = delete;
  DiskSink& operator=(const DiskSink&) = delete;

  Status Open(std::string_view path) override;
  Status Write(std::string_view bytes) override;
  Status Close() override;

 private:
  Status OpenTemporary();
  Status OpenNamed();
  // Locks the open file as being written; false if its name is gone by then. Where there are no locks nobody
  // sweeps.
  bool HoldLock() const;
  // Removes what killed processes left in a folder: files that nobody holds any more.
  void SweepOnce();
  Status Flush();
  Status Link();
  Status Rename();
  Status SyncFolder();
  // Forgets the open file and what was written of it; further writes report the same error.
  Error Fail(int error_number);
  Error FailWith(Error error);
  void Discard();

  OutFolder root_;
  Durability durability_;
  mode_t mode_;                  // of new files, before the umask
  bool unnamed_;                 // until a folder knows no files without a name
  std::string path_;             // of the open file, below the root
  std::string name_;             // of the open file in its folder
  int folder_ = -1;              // of the open file; the root's
  std::string temporary_;        // beside it; empty when nothing is open, or the open file has no name
  std::set<std::string> swept_;  // folders
  std::string buffer_;
  int descriptor_ = -1;
  std::optional<Error> failed_;
};

Error DiskSink::Fail(int error_number) { return FailWith(WriteError(root_.PathOf(path_), error_number)); }

Error DiskSink::FailWith(Error error) {
  failed_ = std::move(error);
  Discard();
  return *failed_;
}

void DiskSink::Discard() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) ::unlinkat(folder_, temporary_.c_str(), 0);
  temporary_.clear();
  buffer_.clear();
}

Status DiskSink::OpenTemporary() {
  if (!unnamed_) return OpenNamed();
  descriptor_ = ::openat(folder_, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode_);
  if (descriptor_ >= 0) return Ok();
  // What file systems and old kernels answer that know no such files.
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return Fail(errno);
  unnamed_ = false;
  return OpenNamed();
}

void DiskSink::SweepOnce() {
  if (!swept_.insert(path_.substr(0, path_.size() - name_.size())).second) return;
  const int listed = ::openat(folder_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (listed < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(listed), ::closedir);
  if (entries == nullptr) return;
  while (const dirent* entry = ::readdir(entries.get())) {
    if (!IsTemporaryName(entry->d_name)) continue;
    const int descriptor =
        ::openat(folder_, entry->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) continue;
    // Who writes such a file holds its lock, which ends with the process, whatever its number was.
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlinkat(folder_, entry->d_name, 0);
    ::close(descriptor);
  }
}

bool DiskSink::HoldLock() const {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  struct stat info {};
  return ::fstat(descriptor_, &info) == 0 && info.st_nlink > 0;
}

Status DiskSink::OpenNamed() {
  SweepOnce();
  for (int i = 0; i < kTemporaryNamesMax; ++i) {
    // The name's own length stays out of it: a long but legal name must not fail for our suffix.
    std::string candidate = fmt::format(".assay-{}-{}.part", ::getpid(), i);
    descriptor_ = ::openat(folder_, candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_);
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
  path_ = path;
  name_ = path_.substr(path_.rfind('/') + 1);  // npos + 1 is the start
  Result<int> folder = root_.FolderOf(path);
  if (!folder) return FailWith(std::move(folder).error());
  folder_ = *folder;
  if (root_.IsNew()) return OpenTemporary();  // Close sees what comes into it meanwhile
  struct stat info {};
  if (::fstatat(folder_, name_.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) return Fail(EEXIST);
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
  const int linked = ::linkat(AT_FDCWD, open_file.c_str(), folder_, name_.c_str(), AT_SYMLINK_FOLLOW);
  return linked == 0 ? Ok() : Status(Fail(errno));
}

Status DiskSink::Rename() {
  if (::renameat2(folder_, temporary_.c_str(), folder_, name_.c_str(), RENAME_NOREPLACE) == 0) return Ok();
  // Some file systems know no such rename; a link refuses an existing name just as well.
  if (errno != EINVAL && errno != ENOSYS) return Fail(errno);
  if (::linkat(folder_, temporary_.c_str(), folder_, name_.c_str(), 0) != 0) return Fail(errno);
  ::unlinkat(folder_, temporary_.c_str(), 0);
  return Ok();
}

Status DiskSink::SyncFolder() {
  const int descriptor = ::openat(folder_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return Fail(errno);
  // Some file systems cannot sync a folder; the file itself is safe.
  const bool synced = ::fsync(descriptor) == 0 || errno == EINVAL;
  const int error_number = errno;
  ::close(descriptor);
  return synced ? Ok() : Status(Fail(error_number));
}

}  // namespace

std::unique_ptr<Sink> MakeDiskSink(std::string root, Durability durability, Temporary temporary,
                                   ReadableBy readable_by) {
  return std::make_unique<DiskSink>(std::move(root), durability, temporary, readable_by);
}

}  // namespace assay
