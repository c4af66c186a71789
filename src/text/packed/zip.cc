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

Result<std::string> Inflate(std::string_view packed, std::size_t bytes_max) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string plain;
  while (true) {
    const std::size_t written = plain.size();
    plain.resize(written + kInflatedPieceBytes);
    stream.next_out = reinterpret_cast<Bytef*>(plain.data() + written);
    stream.avail_out = static_cast<uInt>(kInflatedPieceBytes);
    const int state = inflate(&stream, Z_NO_FLUSH);
    plain.resize(written + kInflatedPieceBytes - stream.avail_out);
    if (plain.size() > bytes_max)
      return Error{ErrorCode::kLimit, fmt::format("it holds more than {} bytes", bytes_max)};
    if (state == Z_STREAM_END) return plain;
    const bool is_stuck = stream.avail_out > 0 && stream.avail_in == 0;
    if (state != Z_OK || is_stuck) return Damaged("a file inside that cannot be unpacked");
  }
}

// Where the end record begins; npos: there is none.
std::size_t FindEnd(std::string_view bytes) {
  if (bytes.size() < kEndBytes) return std::string_view::npos;
  const std::size_t last = bytes.size() - kEndBytes;
  const std::size_t first = last > kCommentBytesMax ? last - kCommentBytesMax : 0;
  const std::size_t found = bytes.rfind(kEndMark, last);
  return found == std::string_view::npos || found < first ? std::string_view::npos : found;
}

struct FileList {
  std::uint64_t count = 0;
  std::uint64_t offset = 0;
};

std::uint64_t LongAt(std::string_view bytes, std::size_t at) {
  return NumberAt(bytes, at, 4) | (std::uint64_t{NumberAt(bytes, at + 4, 4)} << 32);
}

// What the end record says, or the ZIP64 record that stands for it.
Result<FileList> ListAt(std::string_view bytes, std::size_t end) {
  const FileList plain{.count = ShortAt(bytes, end + 10), .offset = NumberAt(bytes, end + 16, 4)};
  constexpr std::size_t kLocatorBytes = 20;
  constexpr std::size_t kFarEndBytes = 56;
  const bool has_far = end >= kLocatorBytes && bytes.substr(end - kLocatorBytes, 4) == kFarMark;
  if (plain.count < kManyEntries || !has_far) return plain;
  const std::uint64_t at = LongAt(bytes, end - kLocatorBytes + 8);
  if (at > end || end - at < kFarEndBytes || bytes.substr(at, 4) != kFarEndMark)
    return Damaged("no list of files at its end");
  return FileList{.count = LongAt(bytes, at + 32), .offset = LongAt(bytes, at + 48)};
}

}  // namespace

Result<ZipArchive> ZipArchive::Open(std::string_view bytes, std::size_t entries_max) {
  const std::size_t end = FindEnd(bytes);
  if (end == std::string_view::npos) return Damaged("no list of files at its end");
  ASSAY_TRY(const FileList list, ListAt(bytes, end));
  const std::uint64_t count = list.count;
  if (count > entries_max) {
    return Error{ErrorCode::kLimit,
                 fmt::format("expected at most {} files in an archive, found {}", entries_max, count)};
  }
  ZipArchive archive;
  archive.bytes_ = bytes;
  if (list.offset > end) return Damaged("a list of files with a hole");
  std::size_t at = list.offset;
  for (std::size_t i = 0; i < count; ++i) {
    if (at + kEntryBytes > end || bytes.substr(at, 4) != kEntryMark)
      return Damaged("a list of files with a hole");
    const std::size_t name_bytes = ShortAt(bytes, at + 28);
    const std::size_t skipped = std::size_t{ShortAt(bytes, at + 30)} + ShortAt(bytes, at + 32);
    if (at + kEntryBytes + name_bytes + skipped > end)
      return Damaged("a list of files that runs over its end");
    ZipEntry entry;
    entry.is_encrypted = (ShortAt(bytes, at + 8) & 1u) != 0;
    entry.method = ShortAt(bytes, at + 10);
    entry.crc = NumberAt(bytes, at + 16, 4);
    entry.packed_bytes = NumberAt(bytes, at + 20, 4);
    entry.plain_bytes = NumberAt(bytes, at + 24, 4);
    entry.header_offset = NumberAt(bytes, at + 42, 4);
    entry.name = bytes.substr(at + kEntryBytes, name_bytes);
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

Result<std::string> ZipArchive::Read(const ZipEntry& entry, std::size_t bytes_max) const {
  if (entry.is_encrypted) return Error{ErrorCode::kUnsupported, fmt::format("{} is encrypted", entry.name)};
  const std::size_t at = entry.header_offset;
  if (at + kFileBytes > bytes_.size() || bytes_.substr(at, 4) != kFileMark)
    return Damaged("a file that is not there");
  const std::size_t begin = at + kFileBytes + ShortAt(bytes_, at + 26) + ShortAt(bytes_, at + 28);
  if (begin + entry.packed_bytes > bytes_.size()) return Damaged("a file that runs over the end");
  const std::string_view packed = bytes_.substr(begin, entry.packed_bytes);
  std::string plain;
  if (entry.method == kDeflated) {
    Result<std::string> inflated = Inflate(packed, bytes_max);
    if (!inflated) {
      Error error = std::move(inflated).error();
      error.message = fmt::format("{}: {}", entry.name, error.message);
      return error;
    }
    plain = std::move(*inflated);
  } else if (entry.method == kZstd) {
    Result<std::string> unpacked = DecompressFrames(packed, bytes_max);
    if (!unpacked)
      return Error{unpacked.error().code, fmt::format("{}: {}", entry.name, unpacked.error().message)};
    plain = *std::move(unpacked);
  } else if (entry.method == kStored) {
    if (packed.size() > bytes_max) {
      return Error{ErrorCode::kLimit, fmt::format("{}: it holds more than {} bytes", entry.name, bytes_max)};
    }
    plain = packed;
  } else {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: expected a file that is stored, deflated or of zstd, found method {}",
                             entry.name, entry.method)};
  }
  const auto crc = crc32(0, reinterpret_cast<const Bytef*>(plain.data()), static_cast<uInt>(plain.size()));
  if (crc != entry.crc) return Damaged("a file whose checksum differs");
  return plain;
}

}  // namespace assay
