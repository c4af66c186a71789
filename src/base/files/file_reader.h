// FileReader: the interface by which pure modules read files, so that tests need no disk and dialects cannot
// reach the network; and the reader of the real disk.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/limits.h"

namespace assay {

class FileReader {
 public:
  virtual ~FileReader() = default;
  // The whole file. kNotFound, kLimit (over limits::kInputFileBytesMax), kIo, kRefused (outside what may be
  // read).
  virtual Result<std::string> Read(std::string_view path) = 0;
  virtual bool Exists(std::string_view path) = 0;
  // Names (not paths) of the entries of a folder, sorted by bytes.
  virtual Result<std::vector<std::string>> List(std::string_view path) = 0;
};

class DiskFileReader final : public FileReader {
 public:
  DiskFileReader() = default;
  // Of files that may be larger than a suite.
  explicit DiskFileReader(std::size_t bytes_max) : bytes_max_(bytes_max) {}
  Result<std::string> Read(std::string_view path) override;
  bool Exists(std::string_view path) override;
  Result<std::vector<std::string>> List(std::string_view path) override;

 private:
  std::size_t bytes_max_ = limits::kInputFileBytesMax;
};

}  // namespace assay
