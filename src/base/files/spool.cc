// Writes to memory first and to an unlinked temporary file beyond the limit; reads it back in pieces.
#include "base/files/spool.h"

#include <cerrno>
#include <cstring>

#include "base/limits.h"

namespace assay {

namespace {

Error SpoolError() {
  return {ErrorCode::kIo, std::string("the folder of temporary files cannot be used (") +
                              std::strerror(errno) + "); make room in it"};
}

}  // namespace

Status Spool::Write(std::string_view bytes) {
  head_ += bytes;
  if (head_.size() <= limits::kSpoolBytesMax || memory_only_) return Ok();
  if (file_ == nullptr) file_.reset(std::tmpfile());
  if (file_ == nullptr) {
    memory_only_ = true;
    return Ok();
  }
  if (std::fwrite(head_.data(), 1, head_.size(), file_.get()) != head_.size()) return SpoolError();
  head_.clear();
  return Ok();
}

Status Spool::Read(const std::function<Status(std::string_view)>& take) const {
  if (file_ != nullptr) {
    if (std::fseek(file_.get(), 0, SEEK_SET) != 0) return SpoolError();
    std::string piece(limits::kSpoolBytesMax, '\0');
    while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file_.get()))
      ASSAY_CHECK_OK(take(std::string_view(piece).substr(0, got)));
    if (std::ferror(file_.get()) != 0 || std::fseek(file_.get(), 0, SEEK_END) != 0) return SpoolError();
  }
  return head_.empty() ? Ok() : take(head_);
}

}  // namespace assay
