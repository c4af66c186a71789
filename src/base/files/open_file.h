// OpenFile: a regular file that is open for reading. Pipes, sockets and devices are refused: they could block
// or never end.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/errors/error.h"
#include "base/errors/result.h"

namespace assay {

class OpenFile {
 public:
  // kNotFound, kRefused (no regular file, or it may not be read), kIo; kLimit: longer than `bytes_max`.
  static Result<OpenFile> Open(std::string_view path, std::uint64_t bytes_max);
  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&&) = delete;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile();

  int descriptor() const { return descriptor_; }
  std::uint64_t size_bytes() const { return size_bytes_; }  // when it was opened

 private:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
  std::uint64_t size_bytes_ = 0;
};

// What went wrong with a path, for people; `error_number` is errno. `what`: "file", "folder".
Error ReadError(std::string_view what, std::string_view path, int error_number);
// kInvalidInput: the path is empty, or holds a NUL.
Status CheckPath(std::string_view path);
Error TooLong(std::string_view path, std::uint64_t bytes_max);

}  // namespace assay
