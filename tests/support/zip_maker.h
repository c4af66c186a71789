// Makes ZIP archives for tests: stored files, in order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

inline std::uint32_t ZipCrc(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1u) != 0 ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
  }
  return crc ^ 0xffffffffu;
}

// What an entry says of itself; `packed` lies in the archive.
struct ZipPart {
  std::string name;
  std::string packed;
  std::uint32_t crc = 0;
  std::uint32_t plain_bytes = 0;
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
};

inline ZipPart StoredPart(std::string name, std::string text) {
  const std::uint32_t crc = ZipCrc(text);
  const auto size = static_cast<std::uint32_t>(text.size());
  return {.name = std::move(name), .packed = std::move(text), .crc = crc, .plain_bytes = size};
}

inline void AppendLittle(std::string& out, std::uint32_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((number >> (8 * i)) & 0xffu);
}

inline std::string MakeZip(const std::vector<ZipPart>& parts) {
  std::string files;
  std::string list;
  for (const ZipPart& part : parts) {
    const auto offset = static_cast<std::uint32_t>(files.size());
    std::string common;
    AppendLittle(common, 20, 2);  // version
    AppendLittle(common, part.flags, 2);
    AppendLittle(common, part.method, 2);
    AppendLittle(common, 0, 4);  // time and date
    AppendLittle(common, part.crc, 4);
    AppendLittle(common, static_cast<std::uint32_t>(part.packed.size()), 4);
    AppendLittle(common, part.plain_bytes, 4);
    AppendLittle(common, static_cast<std::uint32_t>(part.name.size()), 2);
    AppendLittle(common, 0, 2);  // extra
    files += "PK\x03\x04" + common + part.name + part.packed;
    list += "PK\x01\x02";
    AppendLittle(list, 20, 2);
    list += common;
    AppendLittle(list, 0, 2);  // comment
    AppendLittle(list, 0, 2);  // disk
    AppendLittle(list, 0, 2);
    AppendLittle(list, 0, 4);  // attributes
    AppendLittle(list, offset, 4);
    list += part.name;
  }
  std::string archive = files + list + "PK\x05\x06";
  AppendLittle(archive, 0, 4);
  AppendLittle(archive, static_cast<std::uint32_t>(parts.size()), 2);
  AppendLittle(archive, static_cast<std::uint32_t>(parts.size()), 2);
  AppendLittle(archive, static_cast<std::uint32_t>(list.size()), 4);
  AppendLittle(archive, static_cast<std::uint32_t>(files.size()), 4);
  AppendLittle(archive, 0, 2);
  return archive;
}

}  // namespace assay
