// ScopedFileReader: lets a suite read files below its own folder, and below folders that the user names,
// only.
#pragma once

#include <string>
#include <vector>

#include "base/files/file_reader.h"

namespace assay {

// Reads what lies below one of `roots`, links followed; everything else is kRefused. A root that does not
// exist lets nothing through.
class ScopedFileReader final : public FileReader {
 public:
  // `files` must outlive this.
  ScopedFileReader(FileReader& files, const std::vector<std::string>& roots);
  Result<std::string> Read(std::string_view path) override;
  Result<std::shared_ptr<const FileBytes>> Open(std::string_view path, std::uint64_t bytes_max) override;
  Result<std::shared_ptr<const FileBytes>> Keep(const std::function<Status(const Taker&)>& fill,
                                                std::uint64_t bytes_max) override {
    return files_.Keep(fill, bytes_max);
  }
  bool Exists(std::string_view path) override;
  Result<std::vector<std::string>> List(std::string_view path) override;

 private:
  Status CheckInside(std::string_view path) const;

  FileReader& files_;
  std::vector<std::string> roots_;  // absolute, without links
};

}  // namespace assay
