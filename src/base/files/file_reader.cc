// Reads files and folders from disk. Only regular files are read: a FIFO or a device could block or never
// end.
#include "base/files/file_reader.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "base/limits.h"

namespace assay {

namespace {

class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

Error SystemError(std::string_view what, std::string_view path, int error_number) {
  switch (error_number) {
    case ENOENT:
      return {ErrorCode::kNotFound, fmt::format("there is no {} {}; check the path", what, Quoted(path))};
    case ENOTDIR:
      return {ErrorCode::kNotFound,
              fmt::format("there is no {} {}: a part of the path is not a folder", what, Quoted(path))};
    case EACCES:
    case EPERM:
      return {ErrorCode::kRefused,
              fmt::format("may not read {} {}; check its permissions and those of its folders", what,
                          Quoted(path))};
    default:
      return {ErrorCode::kIo,
              fmt::format("cannot read {} {}: {}", what, Quoted(path), std::strerror(error_number))};
  }
}

Status CheckPath(std::string_view path) {
  if (path.empty()) return Error{ErrorCode::kInvalidInput, "expected a path, found an empty text"};
  if (path.find('\0') != std::string_view::npos) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the path {} holds a NUL character; remove it", Quoted(path))};
  }
  return Ok();
}

Status CheckKind(const struct stat& info, std::string_view path) {
  if (S_ISREG(info.st_mode)) return Ok();
  if (S_ISDIR(info.st_mode)) {
    return Error{ErrorCode::kRefused,
                 fmt::format("expected a file, but {} is a folder; name a file in it", Quoted(path))};
  }
  return Error{
      ErrorCode::kRefused,
      fmt::format("expected a file, but {} is a pipe, socket or device; save its content to a file first",
                  Quoted(path))};
}

Error TooLong(std::string_view path, std::size_t bytes_max) {
  return {ErrorCode::kLimit,
          fmt::format("the file {} is longer than {} bytes, the most that is read; split it", Quoted(path),
                      bytes_max)};
}

// Reads to the end; the size that the system named is only a hint, since the file may grow or lie in /proc.
Result<std::string> ReadAll(int descriptor, std::size_t expected_bytes, std::size_t bytes_max,
                            std::string_view path) {
  constexpr std::size_t kChunkBytes = 64u << 10;
  std::string bytes;
  std::size_t used = 0;
  while (true) {
    if (used == bytes.size()) bytes.resize(std::max(used + kChunkBytes, expected_bytes + 1));
    const ssize_t count = ::read(descriptor, bytes.data() + used, bytes.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError("the file", path, errno);
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
    if (used > bytes_max) return TooLong(path, bytes_max);
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

Result<std::string> DiskFileReader::Read(std::string_view path) {
  ASSAY_CHECK_OK(CheckPath(path));
  // Without O_NONBLOCK, opening a FIFO would wait for a writer.
  const OpenFile file(::open(std::string(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.descriptor() < 0) {
    // A socket cannot be opened at all.
    if (errno == ENXIO)
      return Error{ErrorCode::kRefused, fmt::format("expected a file, but {} is a socket", Quoted(path))};
    return SystemError("file", path, errno);
  }
  struct stat info {};
  if (::fstat(file.descriptor(), &info) != 0) return SystemError("the file", path, errno);
  ASSAY_CHECK_OK(CheckKind(info, path));
  const auto size_bytes = static_cast<std::size_t>(info.st_size);
  if (size_bytes > bytes_max_) return TooLong(path, bytes_max_);
  return ReadAll(file.descriptor(), size_bytes, bytes_max_, path);
}

bool DiskFileReader::Exists(std::string_view path) {
  struct stat info {};
  return CheckPath(path).has_value() && ::stat(std::string(path).c_str(), &info) == 0;
}

Result<std::vector<std::string>> DiskFileReader::List(std::string_view path) {
  ASSAY_CHECK_OK(CheckPath(path));
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(std::string(path).c_str()), ::closedir);
  if (folder == nullptr) return SystemError("folder", path, errno);
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(folder.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (names.size() >= limits::kFolderEntriesMax) {
      return Error{ErrorCode::kLimit,
                   fmt::format("the folder {} holds more than {} entries, the most that is read",
                               Quoted(path), limits::kFolderEntriesMax)};
    }
    names.emplace_back(name);
  }
  if (errno != 0) return SystemError("folder", path, errno);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace assay
