// Remembering what was written.
#include "cli/written_files.h"

#include <filesystem>

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

Status WrittenFiles::Write(std::string_view bytes) { return is_kept_ ? Ok() : disk_->Write(bytes); }

Status WrittenFiles::Close() {
  if (!is_kept_) ASSAY_CHECK_OK(disk_->Close());
  paths_.push_back(std::move(open_path_));
  return Ok();
}

}  // namespace assay
