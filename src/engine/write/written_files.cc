// Completes each file beside its place and then renames it; compares, numbers or replaces files that exist.
#include "engine/write/written_files.h"

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>

namespace assay {

namespace {

// "c/results.yaml" and 2 are "c/results.2.yaml".
std::string NumberedName(const std::string& path, std::size_t number) {
  std::filesystem::path numbered(path);
  numbered.replace_extension(fmt::format("{}{}", number, numbered.extension().string()));
  return numbered.string();
}

bool HoldSame(OutFolder& root, const std::string& a, const std::string& b) {
  const Result<std::string> text_a = root.Read(a);
  const Result<std::string> text_b = root.Read(b);
  return text_a && text_b && *text_a == *text_b;
}

}  // namespace

WrittenFiles::WrittenFiles(std::string root, Existing existing)
    : root_(root), existing_(existing), disk_(MakeDiskSink(std::move(root), Durability::kAtomic)) {}

WrittenFiles::~WrittenFiles() { CloseStream(); }

void WrittenFiles::CloseStream() {
  if (stream_ >= 0) close(stream_);
  stream_ = -1;
}

Status WrittenFiles::Stream(std::string_view bytes) const {
  return WriteAll(stream_, bytes, root_.PathOf(open_path_));
}

void WrittenFiles::EnterFolder(std::string_view folder) {
  folder_ = folder;
  if (!folder_.empty()) folder_ += '/';
}

Status WrittenFiles::SetAside(const std::string& path) {
  ASSAY_TRY(const OutFolder::Kind kind, root_.KindOf(path));
  if (kind != OutFolder::Kind::kFile) return Ok();
  for (std::size_t number = 1;; ++number) {
    set_aside_ = NumberedName(path, number);
    ASSAY_TRY(const OutFolder::Kind taken, root_.KindOf(set_aside_));
    if (taken == OutFolder::Kind::kNothing) return root_.Rename(path, set_aside_);
  }
}

Status WrittenFiles::Open(std::string_view path) {
  open_path_ = folder_ + std::string(path);
  set_aside_.clear();
  is_kept_ = false;
  if (existing_ == Existing::kKeep) {
    ASSAY_TRY(const OutFolder::Kind kind, root_.KindOf(open_path_));
    is_kept_ = kind == OutFolder::Kind::kFile;
  }
  if (existing_ == Existing::kSetAside) ASSAY_CHECK_OK(SetAside(open_path_));
  if (existing_ == Existing::kReplace) {
    ASSAY_TRY(stream_, root_.StreamAt(open_path_));
    if (stream_ >= 0) return Ok();
    ASSAY_CHECK_OK(root_.Remove(PartPath()));
  }
  return is_kept_ ? Ok() : disk_->Open(PartPath());
}

// A sink overwrites nothing, so a file that takes another's place is completed beside it.
std::string WrittenFiles::PartPath() const {
  return existing_ == Existing::kReplace ? open_path_ + ".new" : open_path_;
}

Status WrittenFiles::Replace(std::string_view path,
                             const std::function<Result<std::string>(std::string_view existing)>& make) {
  const std::string target = folder_ + std::string(path);
  std::string existing;
  open_path_ = target;
  ASSAY_TRY(stream_, root_.StreamAt(target));
  if (stream_ >= 0) {
    ASSAY_TRY(const std::string text, make(existing));
    const Status streamed = Stream(text);
    CloseStream();
    if (streamed) Remember(target);
    return streamed;
  }
  ASSAY_TRY(const OutFolder::Kind kind, root_.KindOf(target));
  if (kind == OutFolder::Kind::kFile) {
    ASSAY_TRY(existing, root_.Read(target));
  }
  ASSAY_TRY(const std::string text, make(existing));
  // A sink overwrites nothing, so the new file is completed beside the old one.
  const std::string complete = target + ".new";
  ASSAY_CHECK_OK(root_.Remove(complete));
  ASSAY_CHECK_OK(disk_->Open(complete));
  ASSAY_CHECK_OK(disk_->Write(text));
  ASSAY_CHECK_OK(disk_->Close());
  ASSAY_CHECK_OK(root_.Rename(complete, target));
  Remember(target);
  return Ok();
}

Status WrittenFiles::Write(std::string_view bytes) {
  if (stream_ >= 0) return Stream(bytes);
  return is_kept_ ? Ok() : disk_->Write(bytes);
}

Status WrittenFiles::Close() {
  if (stream_ >= 0) {
    CloseStream();
    Remember(open_path_);
    return Ok();
  }
  if (!is_kept_) ASSAY_CHECK_OK(disk_->Close());
  if (existing_ == Existing::kReplace) ASSAY_CHECK_OK(root_.Rename(PartPath(), open_path_));
  if (!set_aside_.empty() && HoldSame(root_, set_aside_, open_path_))
    ASSAY_CHECK_OK(root_.Remove(set_aside_));
  Remember(open_path_);
  return Ok();
}

void WrittenFiles::Remember(const std::string& name) {
  names_.push_back(name);
  paths_.push_back(root_.PathOf(name));
}

}  // namespace assay
