// Holds lines back until those before them are written; opens files below the run's folder without following
// symbolic links.
#include "engine/run/row_stream.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::string_view kPart = ".part";

std::string NameOf(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

}  // namespace

RowStream::RowStream(const DialectRows& rows, const Suite& suite, const std::string& folder)
    : rows_(rows), suite_(suite), folder_(folder), grid_(*CellGrid::Of(suite)), walk_(grid_, suite) {
  files_.resize(suite.variants.size());
  next_ = walk_.Next();
}

RowStream::~RowStream() {
  for (const File& file : files_) {
    if (file.descriptor >= 0) close(file.descriptor);
  }
}

void RowStream::On(const RunEvent& event) {
  if (event.kind != RunEvent::Kind::kGraded || failed_) return;
  std::string line = event.record == nullptr ? std::string() : rows_.line(suite_, event.cell, *event.record);
  held_.emplace(grid_.IndexOf(event.cell), std::pair(event.cell.variant, std::move(line)));
  while (next_) {
    const auto found = held_.find(*next_);
    if (found == held_.end()) return;
    const auto& [variant, text] = found->second;
    if (const Status written = Write(variant, text); !written) failed_ = written.error();
    held_.erase(found);
    next_ = walk_.Next();
  }
}

Status RowStream::Open(VariantIndex variant, File& file) {
  file.path = rows_.path(suite_, variant);
  ASSAY_TRY(const OutFolder::Kind kind, folder_.KindOf(file.path));
  if (kind == OutFolder::Kind::kFile) {
    ASSAY_TRY(const std::string before, folder_.Read(file.path));
    file.lines_before = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    file.is_part = true;
    ASSAY_CHECK_OK(folder_.Remove(file.path + std::string(kPart)));
  }
  ASSAY_TRY(const int parent, folder_.FolderOf(file.path));
  const std::string name = NameOf(file.path) + std::string(file.is_part ? kPart : "");
  file.descriptor =
      openat(parent, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
  return file.descriptor >= 0 ? Ok() : Status(WriteError(folder_.PathOf(file.path), errno));
}

Status RowStream::Write(VariantIndex variant, std::string_view line) {
  File& file = files_[variant];
  if (line.empty()) return Ok();
  if (file.descriptor < 0) ASSAY_CHECK_OK(Open(variant, file));
  ASSAY_CHECK_OK(WriteAll(file.descriptor, line, folder_.PathOf(file.path)));
  if (++file.lines == file.lines_before) return TakePlace(file);
  return Ok();
}

Status RowStream::TakePlace(File& file) {
  if (!file.is_part) return Ok();
  file.is_part = false;
  return folder_.Rename(file.path + std::string(kPart), file.path);
}

Status RowStream::Finish() {
  for (File& file : files_) {
    if (!failed_ && file.descriptor >= 0 && file.lines >= file.lines_before) {
      if (const Status placed = TakePlace(file); !placed) failed_ = placed.error();
    }
  }
  if (failed_) return *failed_;
  return Ok();
}

}  // namespace assay
