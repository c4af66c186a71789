// Reads files and folders from disk. Only regular files are read: a FIFO or a device could block or never
// end.
#include "base/files/file_reader.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

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

}  // namespace

Result<std::string> DiskFileReader::Read(std::string_view path) {
  ASSAY_TRY(const OpenFile file, OpenFile::Open(path, bytes_max_));
  return ReadAll(file.descriptor(), file.size_bytes(), bytes_max_, path);
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
