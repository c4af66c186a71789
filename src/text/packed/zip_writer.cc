// Writes the local files and the central directory of a ZIP archive.
#include "text/packed/zip_writer.h"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/errors/assert.h"
#include "base/errors/diagnostics.h"

namespace assay {

namespace {

constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kVersionZip64 = 45;
constexpr std::uint16_t kSizesBehindUtf8 = 0x0808;
constexpr std::uint16_t kDeflatedMethod = 8;
constexpr std::uint32_t kDate = 0x00210000;  // 1 January 1980: nothing depends on when it was written
constexpr std::uint64_t kFar = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMany = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kZippedPieceBytes = 16384;

// Numbers as the format has them: little end first.
class Little {
 public:
  Little& Put(std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) text_ += static_cast<char>((number >> (8 * i)) & 0xffu);
    return *this;
  }
  Little& Put(std::string_view text) {
    text_ += text;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

class ZipWriter::Deflater {
 public:
  Deflater() {
    constexpr int kRawWindow = -15;  // no header of zlib's own
    constexpr int kMemory = 8;
    ASSAY_ASSERT(deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRawWindow, kMemory,
                              Z_DEFAULT_STRATEGY) == Z_OK);
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void Reset() { deflateReset(&stream_); }

  // `put` gets what comes out.
  template <class PutBytes>
  Status Feed(std::string_view bytes, bool is_last, const PutBytes& put) {
    std::array<char, kZippedPieceBytes> piece;
    while (true) {
      constexpr std::size_t kTakenMax = 1u << 30;
      const std::string_view taken = bytes.substr(0, kTakenMax);
      const bool ends = is_last && taken.size() == bytes.size();
      // zlib does not write to its input, but its type says that it may.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(taken.data()));
      stream_.avail_in = static_cast<uInt>(taken.size());
      do {
        stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream_.avail_out = static_cast<uInt>(piece.size());
        deflate(&stream_, ends ? Z_FINISH : Z_NO_FLUSH);
        ASSAY_CHECK_OK(put(std::string_view(piece.data(), piece.size() - stream_.avail_out)));
      } while (stream_.avail_out == 0);
      bytes.remove_prefix(taken.size());
      if (bytes.empty()) return Ok();
    }
  }

 private:
  z_stream stream_ = {};
};

ZipWriter::ZipWriter(Sink& sink) : sink_(sink), deflater_(std::make_unique<Deflater>()) {}
ZipWriter::~ZipWriter() = default;

Status ZipWriter::Put(std::string_view bytes) {
  if (bytes.empty()) return Ok();
  offset_ += bytes.size();
  return sink_.Write(bytes);
}

Status ZipWriter::Begin(std::string name) {
  deflater_->Reset();
  files_.push_back(
      {.name = std::move(name), .crc = 0, .packed_bytes = 0, .plain_bytes = 0, .offset = offset_});
  const std::string& listed = files_.back().name;
  ASSAY_ASSERT(listed.size() <= kMany);
  Little header;
  header.Put("PK\x03\x04").Put(kVersion, 2).Put(kSizesBehindUtf8, 2).Put(kDeflatedMethod, 2).Put(kDate, 4);
  header.Put(0, 4).Put(0, 4).Put(0, 4).Put(listed.size(), 2).Put(0, 2).Put(listed);
  return Put(header.text());
}

Status ZipWriter::Pump(std::string_view bytes, bool is_last) {
  Listed& file = files_.back();
  return deflater_->Feed(bytes, is_last, [&](std::string_view packed) {
    file.packed_bytes += packed.size();
    return Put(packed);
  });
}

Status ZipWriter::Write(std::string_view bytes) {
  Listed& file = files_.back();
  file.plain_bytes += bytes.size();
  if (file.plain_bytes >= kFar)
    return Error{ErrorCode::kLimit, fmt::format("{} would have 4 GiB or more", Quoted(file.name))};
  constexpr std::size_t kTakenMax = 1u << 30;
  for (std::string_view rest = bytes; !rest.empty(); rest.remove_prefix(std::min(rest.size(), kTakenMax))) {
    const std::string_view taken = rest.substr(0, kTakenMax);
    file.crc = static_cast<std::uint32_t>(
        crc32(file.crc, reinterpret_cast<const Bytef*>(taken.data()), static_cast<uInt>(taken.size())));
  }
  return Pump(bytes, false);
}

Status ZipWriter::End() {
  ASSAY_CHECK_OK(Pump({}, true));
  const Listed& file = files_.back();
  Little behind;
  behind.Put("PK\x07\x08").Put(file.crc, 4).Put(file.packed_bytes, 4).Put(file.plain_bytes, 4);
  return Put(behind.text());
}

Status ZipWriter::Add(std::string name, std::string_view bytes) {
  ASSAY_CHECK_OK(Begin(std::move(name)));
  ASSAY_CHECK_OK(Write(bytes));
  return End();
}

Status ZipWriter::Finish() {
  const std::uint64_t list_offset = offset_;
  for (const Listed& file : files_) {
    const bool is_far = file.offset >= kFar;
    Little entry;
    entry.Put("PK\x01\x02").Put(kVersionZip64, 2).Put(is_far ? kVersionZip64 : kVersion, 2);
    entry.Put(kSizesBehindUtf8, 2).Put(kDeflatedMethod, 2).Put(kDate, 4).Put(file.crc, 4);
    entry.Put(file.packed_bytes, 4).Put(file.plain_bytes, 4).Put(file.name.size(), 2);
    entry.Put(is_far ? 12 : 0, 2).Put(0, 2).Put(0, 2).Put(0, 2).Put(0, 4);
    entry.Put(is_far ? kFar : file.offset, 4).Put(file.name);
    if (is_far) entry.Put(1, 2).Put(8, 2).Put(file.offset, 8);
    ASSAY_CHECK_OK(Put(entry.text()));
  }
  const std::uint64_t list_bytes = offset_ - list_offset;
  const std::uint64_t count = files_.size();
  Little end;
  if (count >= kMany || list_offset >= kFar || list_bytes >= kFar) {
    constexpr std::uint64_t kRestOfRecord = 44;
    const std::uint64_t record_offset = offset_;
    end.Put("PK\x06\x06")
        .Put(kRestOfRecord, 8)
        .Put(kVersionZip64, 2)
        .Put(kVersionZip64, 2)
        .Put(0, 4)
        .Put(0, 4);
    end.Put(count, 8).Put(count, 8).Put(list_bytes, 8).Put(list_offset, 8);
    end.Put("PK\x06\x07").Put(0, 4).Put(record_offset, 8).Put(1, 4);
  }
  end.Put("PK\x05\x06").Put(0, 4).Put(std::min(count, kMany), 2).Put(std::min(count, kMany), 2);
  end.Put(std::min(list_bytes, kFar), 4).Put(std::min(list_offset, kFar), 4).Put(0, 2);
  return Put(end.text());
}

}  // namespace assay
