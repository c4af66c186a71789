// ByteSource: bytes that are read a part at a time, of a file or of memory. ByteStream: bytes that come piece
// by piece. With both, what is large never has to be in memory as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/errors/result.h"

namespace assay {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size_bytes() const = 0;
  // Fills `into` with the bytes from `at`: all `size` of them, or fewer where the source ends.
  virtual Result<std::size_t> ReadAt(std::uint64_t at, char* into, std::size_t size) const = 0;
};

// The bytes stay with the caller.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t size_bytes() const override { return bytes_.size(); }
  Result<std::size_t> ReadAt(std::uint64_t at, char* into, std::size_t size) const override;

 private:
  std::string_view bytes_;
};

// A regular file, as it is while it is read: what is cut off meanwhile is not there. kNotFound, kRefused, kIo
// as of DiskFileReader; kLimit: it is longer than `bytes_max`.
Result<std::unique_ptr<const ByteSource>> OpenFileSource(const std::string& path, std::uint64_t bytes_max);

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // The next piece, good until the next call; empty at the end, and then always.
  virtual Result<std::string_view> Next() = 0;
};

// A part of a source. The source outlives it.
class SourceStream final : public ByteStream {
 public:
  SourceStream(const ByteSource& source, std::uint64_t begin, std::uint64_t end);
  explicit SourceStream(const ByteSource& source) : SourceStream(source, 0, source.size_bytes()) {}
  Result<std::string_view> Next() override;

 private:
  const ByteSource& source_;
  std::uint64_t at_;
  std::uint64_t end_;
  std::string piece_;
};

}  // namespace assay
