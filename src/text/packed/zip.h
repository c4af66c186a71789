// Reads ZIP archives (PKWARE's APPNOTE 6.3): stored, deflated and zstd files, no encryption, no
// parts; of ZIP64 the number of files. Hostile archives give errors; nothing is unpacked beyond what the
// caller allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/files/byte_source.h"

namespace assay {

struct ZipEntry {
  std::string name;
  std::uint16_t method = 0;  // 0 stored, 8 deflated, 93 zstd
  bool is_encrypted = false;
  std::uint32_t crc = 0;
  std::uint32_t packed_bytes = 0;
  std::uint32_t plain_bytes = 0;  // as the archive says; nothing relies on it
  std::uint32_t header_offset = 0;
};

class ZipArchive {
 public:
  // `bytes` stay with the caller. kCorrupt: no archive, or a damaged list of files; kLimit: more than
  // `entries_max`.
  static Result<ZipArchive> Open(std::string_view bytes, std::size_t entries_max);
  // The same of a source, of which only the list is read here.
  static Result<ZipArchive> Open(std::shared_ptr<const ByteSource> bytes, std::size_t entries_max);

  std::span<const ZipEntry> entries() const { return entries_; }
  const ZipEntry* Find(std::string_view name) const;  // null: there is no such file
  // kLimit: more than `bytes_max` come out of it. kCorrupt: damaged. kUnsupported: encrypted, or another
  // method.
  Result<std::string> Read(const ZipEntry& entry, std::size_t bytes_max) const;
  // The same piece by piece; what is damaged is known at the end. The archive outlives it.
  Result<std::unique_ptr<ByteStream>> Unpack(const ZipEntry& entry, std::size_t bytes_max) const;

 private:
  ZipArchive() = default;
  std::shared_ptr<const ByteSource> bytes_;
  std::vector<ZipEntry> entries_;
};

}  // namespace assay
