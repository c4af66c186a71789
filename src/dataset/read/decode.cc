// Recognizes packed files and encodings.
#include "dataset/read/decode.h"

#include <fmt/core.h>

#include "base/text/byte_order_mark.h"
#include "base/text/utf8.h"
#include "dataset/limits.h"
#include "text/packed/unpacked.h"

namespace assay::dataset {

namespace {

constexpr std::string_view kLittleEndianMark = "\xff\xfe";
constexpr std::string_view kBigEndianMark = "\xfe\xff";

// The letters of windows-1252 from 0x80 to 0x9f; 0 where it has none.
constexpr char16_t kWindowsLetters[] = {0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
                                        0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017d, 0,
                                        0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                        0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

// A text, or the place of the first byte that the encoding does not have.
struct Decoded {
  std::string text;
  std::optional<std::size_t> bad_at = {};
  std::string problem = {};
};

Decoded FromUtf8(std::string bytes) {
  Decoded decoded{std::string(WithoutByteOrderMark(bytes))};
  std::size_t bad = FindInvalidUtf8(decoded.text);
  // A zero among the first two bytes is half of a character of UTF-16.
  if (const std::size_t zero = decoded.text.find('\0'); zero < 2) bad = zero;
  if (bad == std::string::npos) return decoded;
  decoded.bad_at = bad;
  decoded.problem = fmt::format("expected UTF-8, found the byte 0x{:02X}",
                                static_cast<unsigned>(static_cast<unsigned char>(decoded.text[bad])));
  return decoded;
}

Decoded FromUtf16(std::string_view bytes) {
  const bool is_big = bytes.starts_with(kBigEndianMark);
  if (is_big || bytes.starts_with(kLittleEndianMark)) bytes.remove_prefix(2);
  Decoded decoded;
  std::u16string units;
  units.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    units.push_back(static_cast<char16_t>(is_big ? first << 8 | second : second << 8 | first));
  }
  decoded.text = ToUtf8(units);
  const std::size_t bad = FindInvalidUtf8(decoded.text);
  if (bad != std::string::npos) decoded.bad_at = bad;
  if (bytes.size() % 2 != 0 && !decoded.bad_at) decoded.bad_at = decoded.text.size();
  decoded.problem = "expected UTF-16, found half of a character";
  return decoded;
}

Decoded FromOneByte(std::string_view bytes, Encoding encoding) {
  Decoded decoded;
  decoded.text.reserve(bytes.size());
  for (const char c : bytes) {
    auto letter = static_cast<char32_t>(static_cast<unsigned char>(c));
    if (encoding == Encoding::kWindows1252 && letter >= 0x80 && letter < 0xa0) {
      letter = kWindowsLetters[letter - 0x80];
      if (letter == 0) {
        if (!decoded.bad_at) {
          decoded.bad_at = decoded.text.size();
          decoded.problem = fmt::format("windows-1252 has no letter for the byte 0x{:02X}",
                                        static_cast<unsigned>(static_cast<unsigned char>(c)));
        }
        letter = U'\ufffd';
      }
    }
    AppendUtf8(letter, decoded.text);
  }
  return decoded;
}

Decoded DecodedAs(std::string bytes, const Options& options) {
  if (bytes.starts_with(kLittleEndianMark) || bytes.starts_with(kBigEndianMark) ||
      options.encoding == Encoding::kUtf16)
    return FromUtf16(bytes);
  if (options.encoding == Encoding::kUtf8 || bytes.starts_with(kByteOrderMark))
    return FromUtf8(std::move(bytes));
  return FromOneByte(bytes, options.encoding);
}

}  // namespace

Problem OtherKind(const std::string& path, std::string_view bytes) {
  if (bytes.starts_with("PK\x03\x04")) {
    return {.code = "dataset.zip",
            .message = fmt::format("{} is a ZIP archive or a workbook, not a table", Quoted(path)),
            .hint = "save the sheet as CSV, or unpack the archive and name the file inside"};
  }
  if (bytes.starts_with("\xd0\xcf\x11\xe0")) {
    return {.code = "dataset.zip",
            .message = fmt::format("{} is a workbook, not a table", Quoted(path)),
            .hint = "save the sheet as CSV"};
  }
  if (bytes.starts_with("PAR1")) {
    return {.code = "dataset.parquet",
            .message = fmt::format("{} is a Parquet file", Quoted(path)),
            .hint = fmt::format("convert it: duckdb -c \"copy (from '{}') to 'rows.jsonl'\"", path)};
  }
  return {};
}

std::optional<FileId> Decode(const std::string& path, std::string bytes, const Options& options,
                             Span named_at, SourceFiles& sources, Problems& problems) {
  if (IsGzip(bytes) || IsZstd(bytes)) {
    Result<std::string> plain = Unpacked(bytes, limits::kDatasetFileBytesMax);
    if (!plain) {
      problems.Add({.code = plain.error().code == ErrorCode::kLimit ? "dataset.limit" : "dataset.file",
                    .message = fmt::format("{}: {}", Quoted(path), plain.error().message),
                    .hint = "fetch the file again, or share its rows out among several files",
                    .where = named_at,
                    .name = path});
      return std::nullopt;
    }
    bytes = *std::move(plain);
  }
  if (Problem other = OtherKind(path, bytes); !other.code.empty()) {
    other.where = named_at;
    problems.Add(std::move(other));
    return std::nullopt;
  }
  Decoded decoded = DecodedAs(std::move(bytes), options);
  const FileId file = sources.Add(path, std::move(decoded.text));
  if (!decoded.bad_at) return file;
  problems.Add({.code = "dataset.encoding",
                .message = std::move(decoded.problem),
                .hint = "save the file as UTF-8, or name its encoding: utf-16, windows-1252 or latin-1",
                .where = {file, static_cast<std::uint32_t>(*decoded.bad_at), 1}});
  return std::nullopt;
}

}  // namespace assay::dataset
