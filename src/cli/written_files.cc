// Remembering what was written.
#include "cli/written_files.h"

#include <fmt/core.h>

#include <filesystem>

#include "base/diagnostics.h"
#include "base/file_reader.h"

namespace assay {

namespace {

// The first of "results.1.yaml", "results.2.yaml", ... that is free.
std::string NumberedName(const std::string& path) {
  const std::filesystem::path whole(path);
  for (std::size_t number = 1;; ++number) {
    std::filesystem::path numbered = whole;
    numbered.replace_extension(fmt::format("{}{}", number, whole.extension().string()));
    std::error_code error;
    if (!std::filesystem::exists(numbered, error)) return numbered.string();
  }
}

bool HoldSame(const std::string& a, const std::string& b) {
  DiskFileReader reader;
  const Result<std::string> text_a = reader.Read(a);
  const Result<std::string> text_b = reader.Read(b);
  return text_a && text_b && *text_a == *text_b;
}

}  // namespace

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
  set_aside_.clear();
  if (existing_ == Existing::kSetAside && std::filesystem::is_regular_file(open_path_, error)) {
    set_aside_ = NumberedName(open_path_);
    std::filesystem::rename(open_path_, set_aside_, error);
    if (error)
      return Error{ErrorCode::kIo, fmt::format("cannot rename {}: {}", Quoted(open_path_), error.message())};
  }
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
  if (!set_aside_.empty() && HoldSame(set_aside_, open_path_)) {
    std::error_code error;
    std::filesystem::remove(set_aside_, error);
  }
  paths_.push_back(std::move(open_path_));
  return Ok();
}

}  // namespace assay
