// Reads the list of files at the end of a ZIP archive, and unpacks single files by zlib or zstd.
#include "text/packed/zip.h"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>

#include "base/errors/assert.h"
#include "text/packed/compress.h"

namespace assay {

namespace {

constexpr std::string_view kEndMark("PK\x05\x06", 4);
constexpr std::string_view kFarMark("PK\x06\x07", 4);     // where the ZIP64 record is
constexpr std::string_view kFarEndMark("PK\x06\x06", 4);  // the ZIP64 record
constexpr std::string_view kEntryMark("PK\x01\x02", 4);
constexpr std::string_view kFileMark("PK\x03\x04", 4);
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kCommentBytesMax = 65'535;
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kFileBytes = 30;
constexpr std::size_t kInflatedPieceBytes = 64u << 10;
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;
constexpr std::uint16_t kZstd = 93;
constexpr std::size_t kManyEntries = 0xffff;  // as many, or more: the ZIP64 record says how many

// Little-endian numbers; the caller has seen that they are there.
std::uint32_t NumberAt(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t number = 0;
  for (std::size_t i = size; i > 0; --i)
    number = (number << 8) | static_cast<unsigned char>(bytes[at + i - 1]);
  return number;
}
std::uint16_t ShortAt(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint16_t>(NumberAt(bytes, at, 2));
}

Error Damaged(std::string_view what) {
  return {ErrorCode::kCorrupt,
          fmt::format("expected a whole ZIP archive, found {}; fetch the file again", what)};
}

struct Inflater {
  z_stream stream{};
  Inflater() { ASSAY_ASSERT(inflateInit2(&stream, -MAX_WBITS) == Z_OK); }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

// What comes out of a deflated file.
class InflatedStream final : public ByteStream {
 public:
  explicit InflatedStream(std::unique_ptr<ByteStream> packed)
      : packed_(std::move(packed)), piece_(kInflatedPieceBytes, '\0') {}

  Result<std::string_view> Next() override {
    z_stream& stream = inflater_.stream;
    stream.next_out = reinterpret_cast<Bytef*>(piece_.data());
    stream.avail_out = static_cast<uInt>(piece_.size());
    while (!has_ended_ && stream.avail_out == piece_.size()) {
      if (stream.avail_in == 0) {
        ASSAY_TRY(const std::string_view next, packed_->Next());
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next.data()));
        stream.avail_in = static_cast<uInt>(next.size());
      }
      const int state = inflate(&stream, Z_NO_FLUSH);
      has_ended_ = state == Z_STREAM_END;
      if (!has_ended_ && state != Z_OK) return Damaged("a file inside that cannot be unpacked");
    }
    return std::string_view(piece_).substr(0, piece_.size() - stream.avail_out);
  }

 private:
  std::unique_ptr<ByteStream> packed_;
  Inflater inflater_;
  std::string piece_;
  bool has_ended_ = false;
};

// What comes out of a file, as long as it is no more than is allowed and has the checksum that the archive
// says.
class CheckedStream final : public ByteStream {
 public:
  CheckedStream(std::unique_ptr<ByteStream> plain, const ZipEntry& entry, std::size_t bytes_max)
      : plain_(std::move(plain)), name_(entry.name), crc_(entry.crc), bytes_max_(bytes_max) {}

  Result<std::string_view> Next() override {
    Result<std::string_view> next = plain_->Next();
    if (!next) return Error{next.error().code, fmt::format("{}: {}", name_, next.error().message)};
    bytes_ += next->size();
    if (bytes_ > bytes_max_)
      return Error{ErrorCode::kLimit, fmt::format("{}: it holds more than {} bytes", name_, bytes_max_)};
    if (next->empty()) {  // of which crc32 would begin anew
      if (seen_ != crc_) return Damaged("a file whose checksum differs");
      return next;
    }
    seen_ = crc32(seen_, reinterpret_cast<const Bytef*>(next->data()), static_cast<uInt>(next->size()));
    return next;
  }

 private:
  std::unique_ptr<ByteStream> plain_;
  std::string name_;
  std::uint32_t crc_;
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  uLong seen_ = crc32(0, nullptr, 0);
};

// Where the end record begins in the end of an archive; npos: there is none.
std::size_t FindEnd(std::string_view tail) {
  if (tail.size() < kEndBytes) return std::string_view::npos;
  const std::size_t last = tail.size() - kEndBytes;
  const std::size_t first = last > kCommentBytesMax ? last - kCommentBytesMax : 0;
  const std::size_t found = tail.rfind(kEndMark, last);
  return found == std::string_view::npos || found < first ? std::string_view::npos : found;
}

struct FileList {
  std::uint64_t count = 0;
  std::uint64_t offset = 0;
  std::uint64_t end = 0;  // before which the list ends
};

std::uint64_t LongAt(std::string_view bytes, std::size_t at) {
  return NumberAt(bytes, at, 4) | (std::uint64_t{NumberAt(bytes, at + 4, 4)} << 32);
}

// A part of a source that is there as a whole.
Result<std::string> BytesAt(const ByteSource& bytes, std::uint64_t at, std::size_t size) {
  std::string part(size, '\0');
  ASSAY_TRY(const std::size_t count, bytes.ReadAt(at, part.data(), size));
  part.resize(count);
  return part;
}

// What the end record says, or the ZIP64 record that stands for it.
Result<FileList> ListOf(const ByteSource& bytes) {
  constexpr std::size_t kLocatorBytes = 20;
  constexpr std::size_t kFarEndBytes = 56;
  const std::uint64_t tail_bytes =
      std::min<std::uint64_t>(bytes.size_bytes(), kEndBytes + kCommentBytesMax + kLocatorBytes);
  const std::uint64_t before = bytes.size_bytes() - tail_bytes;
  ASSAY_TRY(const std::string tail, BytesAt(bytes, before, tail_bytes));
  const std::size_t end = FindEnd(tail);
  if (end == std::string::npos) return Damaged("no list of files at its end");
  const FileList plain{
      .count = ShortAt(tail, end + 10), .offset = NumberAt(tail, end + 16, 4), .end = before + end};
  const bool has_far =
      end >= kLocatorBytes && std::string_view(tail).substr(end - kLocatorBytes, 4) == kFarMark;
  if (plain.count < kManyEntries || !has_far) return plain;
  const std::uint64_t at = LongAt(tail, end - kLocatorBytes + 8);
  if (at > plain.end || plain.end - at < kFarEndBytes) return Damaged("no list of files at its end");
  ASSAY_TRY(const std::string far, BytesAt(bytes, at, kFarEndBytes));
  if (!far.starts_with(kFarEndMark) || far.size() < kFarEndBytes)
    return Damaged("no list of files at its end");
  return FileList{.count = LongAt(far, 32), .offset = LongAt(far, 48), .end = plain.end};
}

// Gives parts of a source that stand one behind the other, reading many of them at once.
class Reading {
 public:
  Reading(const ByteSource& bytes, std::uint64_t at) : bytes_(bytes), begin_(at) {}

  // The bytes from `at`, which is not before the last one asked for; fewer where the source ends.
  Result<std::string_view> At(std::uint64_t at, std::size_t size) {
    constexpr std::size_t kAtOnce = 128u << 10;
    if (at + size > begin_ + window_.size()) {
      ASSAY_TRY(window_, BytesAt(bytes_, at, std::max(size, kAtOnce)));
      begin_ = at;
    }
    return std::string_view(window_).substr(std::min<std::uint64_t>(at - begin_, window_.size()), size);
  }

 private:
  const ByteSource& bytes_;
  std::uint64_t begin_;
  std::string window_;
};

}  // namespace

Result<ZipArchive> ZipArchive::Open(std::string_view bytes, std::size_t entries_max) {
  return Open(std::make_shared<const MemorySource>(bytes), entries_max);
}

Result<ZipArchive> ZipArchive::Open(std::shared_ptr<const ByteSource> bytes, std::size_t entries_max) {
  ASSAY_TRY(const FileList list, ListOf(*bytes));
  if (list.count > entries_max) {
    return Error{ErrorCode::kLimit,
                 fmt::format("expected at most {} files in an archive, found {}", entries_max, list.count)};
  }
  if (list.offset > list.end) return Damaged("a list of files with a hole");
  ZipArchive archive;
  archive.bytes_ = std::move(bytes);
  Reading reading(*archive.bytes_, list.offset);
  std::uint64_t at = list.offset;
  for (std::uint64_t i = 0; i < list.count; ++i) {
    ASSAY_TRY(const std::string_view head, reading.At(at, kEntryBytes));
    if (at + kEntryBytes > list.end || head.size() < kEntryBytes || !head.starts_with(kEntryMark))
      return Damaged("a list of files with a hole");
    ZipEntry entry;
    entry.is_encrypted = (ShortAt(head, 8) & 1u) != 0;
    entry.method = ShortAt(head, 10);
    entry.crc = NumberAt(head, 16, 4);
    entry.packed_bytes = NumberAt(head, 20, 4);
    entry.plain_bytes = NumberAt(head, 24, 4);
    entry.header_offset = NumberAt(head, 42, 4);
    const std::size_t name_bytes = ShortAt(head, 28);
    const std::size_t skipped = std::size_t{ShortAt(head, 30)} + ShortAt(head, 32);
    if (at + kEntryBytes + name_bytes + skipped > list.end)
      return Damaged("a list of files that runs over its end");
    ASSAY_TRY(entry.name, reading.At(at + kEntryBytes, name_bytes));
    archive.entries_.push_back(std::move(entry));
    at += kEntryBytes + name_bytes + skipped;
  }
  return archive;
}

const ZipEntry* ZipArchive::Find(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [name](const ZipEntry& entry) { return entry.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

Result<std::unique_ptr<ByteStream>> ZipArchive::Unpack(const ZipEntry& entry, std::size_t bytes_max) const {
  if (entry.is_encrypted) return Error{ErrorCode::kUnsupported, fmt::format("{} is encrypted", entry.name)};
  ASSAY_TRY(const std::string head, BytesAt(*bytes_, entry.header_offset, kFileBytes));
  if (head.size() < kFileBytes || !head.starts_with(kFileMark)) return Damaged("a file that is not there");
  const std::uint64_t begin =
      std::uint64_t{entry.header_offset} + kFileBytes + ShortAt(head, 26) + ShortAt(head, 28);
  const std::uint64_t end = begin + entry.packed_bytes;
  if (end > bytes_->size_bytes()) return Damaged("a file that runs over the end");
  std::unique_ptr<ByteStream> plain = std::make_unique<SourceStream>(*bytes_, begin, end);
  if (entry.method == kDeflated) {
    plain = std::make_unique<InflatedStream>(std::move(plain));
  } else if (entry.method == kZstd) {
    plain = DecompressedStream(std::move(plain));
  } else if (entry.method != kStored) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: expected a file that is stored, deflated or of zstd, found method {}",
                             entry.name, entry.method)};
  }
  return std::unique_ptr<ByteStream>(std::make_unique<CheckedStream>(std::move(plain), entry, bytes_max));
}

Result<std::string> ZipArchive::Read(const ZipEntry& entry, std::size_t bytes_max) const {
  ASSAY_TRY(const std::unique_ptr<ByteStream> plain, Unpack(entry, bytes_max));
  std::string text;
  while (true) {
    ASSAY_TRY(const std::string_view piece, plain->Next());
    if (piece.empty()) return text;
    text += piece;
  }
}

}  // namespace assay
