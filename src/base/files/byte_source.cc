// Reads sources of memory and of files; a file's with pread, so that a file that shrinks meanwhile is an end
// and no signal.
#include "base/files/byte_source.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "base/files/open_file.h"

namespace assay {

namespace {

constexpr std::size_t kStreamPieceBytes = 64u << 10;

class FileSource final : public ByteSource {
 public:
  FileSource(OpenFile file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
  std::uint64_t size_bytes() const override { return file_.size_bytes(); }

  Result<std::size_t> ReadAt(std::uint64_t at, char* into, std::size_t size) const override {
    std::size_t done = 0;
    while (done < size) {
      const ssize_t count =
          ::pread(file_.descriptor(), into + done, size - done, static_cast<off_t>(at + done));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0)
        return Error{ErrorCode::kIo, fmt::format("cannot read {}: {}", Quoted(path_), std::strerror(errno))};
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return done;
  }

 private:
  OpenFile file_;
  std::string path_;
};

}  // namespace

Result<std::size_t> MemorySource::ReadAt(std::uint64_t at, char* into, std::size_t size) const {
  const std::string_view rest = bytes_.substr(std::min<std::uint64_t>(at, bytes_.size()), size);
  std::copy(rest.begin(), rest.end(), into);
  return rest.size();
}

Result<std::unique_ptr<const ByteSource>> OpenFileSource(const std::string& path, std::uint64_t bytes_max) {
  ASSAY_TRY(OpenFile file, OpenFile::Open(path, bytes_max));
  return std::unique_ptr<const ByteSource>(std::make_unique<FileSource>(std::move(file), path));
}

SourceStream::SourceStream(const ByteSource& source, std::uint64_t begin, std::uint64_t end)
    : source_(source), at_(begin), end_(end) {}

Result<std::string_view> SourceStream::Next() {
  const std::uint64_t left = end_ - std::min(at_, end_);
  piece_.resize(std::min<std::uint64_t>(left, kStreamPieceBytes));
  ASSAY_TRY(const std::size_t count, source_.ReadAt(at_, piece_.data(), piece_.size()));
  at_ = count == 0 ? end_ : at_ + count;
  return std::string_view(piece_).substr(0, count);
}

}  // namespace assay
