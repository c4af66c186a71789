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
#include <utility>

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "base/files/open_file.h"
#include "base/limits.h"

namespace assay {

namespace {

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
    if (count < 0) return ReadError("the file", path, errno);
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
    if (used > bytes_max) return TooLong(path, bytes_max);
  }
  bytes.resize(used);
  return bytes;
}

Error MoreThan(std::uint64_t bytes_max) {
  return {ErrorCode::kLimit, fmt::format("it unpacks to more than {} bytes", bytes_max)};
}

// A file without a name: nobody else finds it, and it is gone when the program ends, however it ends.
class Unnamed {
 public:
  explicit Unnamed(const std::string& folder) : folder_(folder) {}
  ~Unnamed() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Unnamed(const Unnamed&) = delete;
  Unnamed& operator=(const Unnamed&) = delete;

  // Whether it is there; made by the first call.
  bool Open() {
    if (descriptor_ >= 0 || error_number_ != 0) return descriptor_ >= 0;
    if (!folder_.empty() && OpenIn(folder_)) return true;
    folder_ = "/tmp";
    if (OpenIn(folder_)) return true;
    error_number_ = errno;
    return false;
  }
  Status Write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) {
        error_number_ = errno;
        return Problem();
      }
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return Ok();
  }
  Error Problem() const {
    return {ErrorCode::kIo, fmt::format("cannot keep the unpacked file in {}: {}; make room there, or unpack "
                                        "it yourself",
                                        Quoted(folder_), std::strerror(error_number_))};
  }
  int Release() { return std::exchange(descriptor_, -1); }

 private:
  bool OpenIn(const std::string& folder) {
    descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor_ >= 0) return true;
    // Not every file system has files without names.
    std::string name = folder + "/assay-spool-XXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ >= 0) ::unlink(name.c_str());
    return descriptor_ >= 0;
  }

  std::string folder_;
  int descriptor_ = -1;
  int error_number_ = 0;
};

}  // namespace

Result<std::string> DiskFileReader::Read(std::string_view path) {
  ASSAY_TRY(const OpenFile file, OpenFile::Open(path, bytes_max_));
  return ReadAll(file.descriptor(), file.size_bytes(), bytes_max_, path);
}

Result<std::shared_ptr<const FileBytes>> FileReader::Open(std::string_view path, std::uint64_t bytes_max) {
  ASSAY_TRY(std::string bytes, Read(path));
  if (bytes.size() > bytes_max) return TooLong(path, bytes_max);
  return InMemory(std::move(bytes));
}

Result<std::shared_ptr<const FileBytes>> FileReader::Keep(const std::function<Status(const Taker&)>& fill,
                                                          std::uint64_t bytes_max) {
  std::string kept;
  ASSAY_CHECK_OK(fill([&](std::string_view piece) -> Status {
    if (kept.size() + piece.size() > bytes_max) return MoreThan(bytes_max);
    kept += piece;
    return Ok();
  }));
  return InMemory(std::move(kept));
}

Result<std::shared_ptr<const FileBytes>> DiskFileReader::Open(std::string_view path,
                                                              std::uint64_t bytes_max) {
  return OpenFileBytes(path, bytes_max);
}

Result<std::shared_ptr<const FileBytes>> DiskFileReader::Keep(const std::function<Status(const Taker&)>& fill,
                                                              std::uint64_t bytes_max) {
  Unnamed spool(spool_folder_);
  std::string head;  // what is not in the file; all of it, where there is none
  std::uint64_t size_bytes = 0;
  ASSAY_CHECK_OK(fill([&](std::string_view piece) -> Status {
    size_bytes += piece.size();
    if (size_bytes > bytes_max) return MoreThan(bytes_max);
    head += piece;
    if (head.size() < limits::kSpoolBytesMax) return Ok();
    if (!spool.Open() && size_bytes > limits::kInputFileBytesMax) return spool.Problem();
    if (!spool.Open()) return Ok();
    ASSAY_CHECK_OK(spool.Write(head));
    head.clear();
    return Ok();
  }));
  if (size_bytes == head.size()) return InMemory(std::move(head));
  ASSAY_CHECK_OK(spool.Write(head));
  return MapDescriptor(spool.Release(), bytes_max, spool_folder_);
}

bool DiskFileReader::Exists(std::string_view path) {
  struct stat info {};
  return CheckPath(path).has_value() && ::stat(std::string(path).c_str(), &info) == 0;
}

Result<std::vector<std::string>> DiskFileReader::List(std::string_view path) {
  ASSAY_CHECK_OK(CheckPath(path));
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(std::string(path).c_str()), ::closedir);
  if (folder == nullptr) return ReadError("folder", path, errno);
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
  if (errno != 0) return ReadError("folder", path, errno);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace assay
