// FileReader: the interface by which pure modules read files, so that tests need no disk and dialects cannot
// reach the network; and the reader of the real disk.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors/result.h"
#include "base/files/file_bytes.h"
#include "base/limits.h"

namespace assay {

class FileReader {
 public:
  virtual ~FileReader() = default;
  // The whole file. kNotFound, kLimit (over limits::kInputFileBytesMax), kIo, kRefused (outside what may be
  // read).
  virtual Result<std::string> Read(std::string_view path) = 0;
  // The same of a file that may be larger than memory, at most `bytes_max`: it is read where it lies.
  virtual Result<std::shared_ptr<const FileBytes>> Open(std::string_view path, std::uint64_t bytes_max);
  // Bytes that are made now and read later, such as those of an unpacked file, at most `bytes_max`: `fill`
  // hands them over piece by piece. They lie in memory where this reader has no place for them.
  using Taker = std::function<Status(std::string_view piece)>;
  virtual Result<std::shared_ptr<const FileBytes>> Keep(const std::function<Status(const Taker&)>& fill,
                                                        std::uint64_t bytes_max);
  virtual bool Exists(std::string_view path) = 0;
  // Names (not paths) of the entries of a folder, sorted by bytes.
  virtual Result<std::vector<std::string>> List(std::string_view path) = 0;
};

class DiskFileReader final : public FileReader {
 public:
  DiskFileReader() = default;
  // Of files that may be larger than a suite.
  explicit DiskFileReader(std::size_t bytes_max) : bytes_max_(bytes_max) {}
  // Where Keep puts what it is given; "", and where nothing can be made there: /tmp.
  void SetSpoolFolder(std::string folder) { spool_folder_ = std::move(folder); }
  Result<std::string> Read(std::string_view path) override;
  Result<std::shared_ptr<const FileBytes>> Open(std::string_view path, std::uint64_t bytes_max) override;
  // In an unnamed file of the spool's folder.
  Result<std::shared_ptr<const FileBytes>> Keep(const std::function<Status(const Taker&)>& fill,
                                                std::uint64_t bytes_max) override;
  bool Exists(std::string_view path) override;
  Result<std::vector<std::string>> List(std::string_view path) override;

 private:
  std::size_t bytes_max_ = limits::kInputFileBytesMax;
  std::string spool_folder_;
};

}  // namespace assay
