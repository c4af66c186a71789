// Opens regular files, and words what kept one from being opened.
#include "base/files/open_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "base/errors/diagnostics.h"

namespace assay {

namespace {

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

}  // namespace

Error ReadError(std::string_view what, std::string_view path, int error_number) {
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

Error TooLong(std::string_view path, std::uint64_t bytes_max) {
  return {ErrorCode::kLimit,
          fmt::format("the file {} is longer than {} bytes, the most that is read; split it", Quoted(path),
                      bytes_max)};
}

OpenFile::OpenFile(OpenFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_bytes_(other.size_bytes_) {}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<OpenFile> OpenFile::Open(std::string_view path, std::uint64_t bytes_max) {
  ASSAY_CHECK_OK(CheckPath(path));
  // Without O_NONBLOCK, opening a FIFO would wait for a writer.
  OpenFile file(::open(std::string(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.descriptor_ < 0) {
    // A socket cannot be opened at all.
    if (errno == ENXIO)
      return Error{ErrorCode::kRefused, fmt::format("expected a file, but {} is a socket", Quoted(path))};
    return ReadError("file", path, errno);
  }
  struct stat info {};
  if (::fstat(file.descriptor_, &info) != 0) return ReadError("the file", path, errno);
  ASSAY_CHECK_OK(CheckKind(info, path));
  file.size_bytes_ = static_cast<std::uint64_t>(info.st_size);
  if (file.size_bytes_ > bytes_max) return TooLong(path, bytes_max);
  return file;
}

}  // namespace assay
