// Remembering what was written.
#include "cli/written_files.h"

#include <filesystem>

#include "base/file_reader.h"

namespace assay {

WrittenFiles::WrittenFiles(std::string root, Existing existing)
    : root_(std::move(root)), existing_(existing), disk_(MakeDiskSink(root_, Durability::kAtomic)) {}

void WrittenFiles::EnterFolder(std::string_view folder) {
  folder_ = folder;
  if (!folder_.empty()) folder_ += '/';
}

Status WrittenFiles::Open(std::string_view path) {
  const std::string below_root = folder_ + std::string(path);
  open_path_ = root_.ends_with('/') ? root_ : root_ + "/";
  open_path_ += below_root;
  std::error_code error;
  is_kept_ = existing_ == Existing::kKeep && std::filesystem::is_regular_file(open_path_, error);
  return is_kept_ ? Ok() : disk_->Open(below_root);
}

Status WrittenFiles::Replace(std::string_view path,
                             const std::function<Result<std::string>(std::string_view existing)>& make) {
  const std::string below_root = folder_ + std::string(path);
  const std::filesystem::path target = std::filesystem::path(root_) / below_root;
  DiskFileReader reader;
  std::string existing;
  if (reader.Exists(target.string())) {
    ASSAY_TRY(existing, reader.Read(target.string()));
  }
  ASSAY_TRY(const std::string text, make(existing));
  // A sink overwrites nothing, so the new file is completed beside the old one.
  const std::string complete = below_root + ".new";
  const std::filesystem::path source = std::filesystem::path(root_) / complete;
  std::error_code error;
  std::filesystem::remove(source, error);
  ASSAY_CHECK_OK(disk_->Open(complete));
  ASSAY_CHECK_OK(disk_->Write(text));
  ASSAY_CHECK_OK(disk_->Close());
  std::filesystem::rename(source, target, error);
  if (error) return Error{ErrorCode::kIo, "cannot replace " + target.string() + ": " + error.message()};
  paths_.push_back(target.string());
  return Ok();
}

Status WrittenFiles::Write(std::string_view bytes) { return is_kept_ ? Ok() : disk_->Write(bytes); }

Status WrittenFiles::Close() {
  if (!is_kept_) ASSAY_CHECK_OK(disk_->Close());
  paths_.push_back(std::move(open_path_));
  return Ok();
}

}  // namespace assay
