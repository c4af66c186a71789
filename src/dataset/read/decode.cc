// Recognizes packed files and encodings.
#include "dataset/read/decode.h"

#include <fmt/core.h>

#include <functional>
#include <vector>

#include "base/hash.h"
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

using Taker = FileReader::Taker;

// Decodes a file piece by piece, since it may be larger than memory.
class UnitsDecoder {
 public:
  // Where the first letter stands that the encoding does not have.
  const std::optional<std::size_t>& bad_at() const { return bad_at_; }
  // What the encoding lacks.
  const std::string& problem() const { return problem_; }

  Status FromUtf16(std::string_view bytes, const Taker& take) {
    const bool is_big = bytes.starts_with(kBigEndianMark);
    if (is_big || bytes.starts_with(kLittleEndianMark)) bytes.remove_prefix(2);
    problem_ = "expected UTF-16, found half of a character";
    std::u16string units;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
      const auto first = static_cast<unsigned char>(bytes[i]);
      const auto second = static_cast<unsigned char>(bytes[i + 1]);
      units.push_back(static_cast<char16_t>(is_big ? first << 8 | second : second << 8 | first));
      const bool is_first_half = (units.back() & kHalfMask) == kFirstHalf;
      if (units.size() < kPieceUnits || is_first_half) continue;
      ASSAY_CHECK_OK(Give(ToUtf8(units), take));
      units.clear();
    }
    ASSAY_CHECK_OK(Give(ToUtf8(units), take));
    if (bytes.size() % 2 != 0 && !bad_at_) bad_at_ = given_;
    return Ok();
  }

  Status FromOneByte(std::string_view bytes, Encoding encoding, const Taker& take) {
    std::string piece;
    for (const char c : bytes) {
      auto letter = static_cast<char32_t>(static_cast<unsigned char>(c));
      if (encoding == Encoding::kWindows1252 && letter >= 0x80 && letter < 0xa0) {
        letter = kWindowsLetters[letter - 0x80];
        if (letter == 0) {
          if (!bad_at_) {
            bad_at_ = given_ + piece.size();
            problem_ = fmt::format("windows-1252 has no letter for the byte 0x{:02X}",
                                   static_cast<unsigned>(static_cast<unsigned char>(c)));
          }
          letter = U'\ufffd';
        }
      }
      AppendUtf8(letter, piece);
      if (piece.size() < kPieceUnits) continue;
      ASSAY_CHECK_OK(Give(piece, take));
      piece.clear();
    }
    return Give(piece, take);
  }

 private:
  static constexpr std::size_t kPieceUnits = 256u << 10;
  static constexpr char16_t kHalfMask = 0xfc00;
  static constexpr char16_t kFirstHalf = 0xd800;

  Status Give(std::string_view piece, const Taker& take) {
    const std::size_t bad = FindInvalidUtf8(piece);
    if (bad != std::string_view::npos && !bad_at_) bad_at_ = given_ + bad;
    given_ += piece.size();
    return take(piece);
  }

  std::size_t given_ = 0;
  std::optional<std::size_t> bad_at_;
  std::string problem_;
};

// For what is in memory already.
class NoFiles final : public FileReader {
 public:
  Result<std::string> Read(std::string_view path) override {
    return Error{ErrorCode::kNotFound, std::string(path)};
  }
  bool Exists(std::string_view) override { return false; }
  Result<std::vector<std::string>> List(std::string_view) override { return std::vector<std::string>(); }
};

bool IsUtf16(std::string_view bytes, const Options& options) {
  return bytes.starts_with(kLittleEndianMark) || bytes.starts_with(kBigEndianMark) ||
         options.encoding == Encoding::kUtf16;
}

bool IsUtf8(std::string_view bytes, const Options& options) {
  return !IsUtf16(bytes, options) &&
         (options.encoding == Encoding::kUtf8 || bytes.starts_with(kByteOrderMark));
}

Problem NotInEncoding(FileId file, std::size_t at, std::string message) {
  return {.code = "dataset.encoding",
          .message = std::move(message),
          .hint = "save the file as UTF-8, or name its encoding: utf-16, windows-1252 or latin-1",
          .where = {file, static_cast<std::uint32_t>(at), 1}};
}

Problem NotUnpacked(const std::string& path, const Error& error, Span named_at) {
  return {.code = error.code == ErrorCode::kLimit ? "dataset.limit" : "dataset.file",
          .message = fmt::format("{}: {}", Quoted(path), error.message),
          .hint = "fetch the file again, or share its rows out among several files",
          .where = named_at,
          .name = path};
}

}  // namespace

char32_t WindowsLetter(unsigned char byte) {
  return byte >= 0x80 && byte < 0xa0 ? kWindowsLetters[byte - 0x80] : byte;
}

Problem NotUtf8(FileId file, std::string_view text, std::size_t at) {
  return NotInEncoding(file, at,
                       fmt::format("expected UTF-8, found the byte 0x{:02X}",
                                   static_cast<unsigned>(static_cast<unsigned char>(text[at]))));
}

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

std::optional<DecodedFile> DecodeFile(const std::string& path, std::shared_ptr<const FileBytes> bytes,
                                      const Options& options, Span named_at, FileReader& files,
                                      SourceFiles& sources, Problems& problems) {
  std::string digest;  // of a file that is not read as it is
  const auto keep = [&](const std::function<Status(std::string_view, const Taker&)>& make) {
    if (digest.empty()) digest = Hex(Sha256Of(bytes->view()));
    Result<std::shared_ptr<const FileBytes>> made = files.Keep(
        [&](const Taker& take) { return make(bytes->view(), take); }, limits::kDatasetFileBytesMax);
    if (made) {
      bytes = *std::move(made);
    } else {
      problems.Add(NotUnpacked(path, made.error(), named_at));
    }
    return made.has_value();
  };
  if ((IsGzip(bytes->view()) || IsZstd(bytes->view())) && !keep(UnpackTo)) return std::nullopt;
  if (Problem other = OtherKind(path, bytes->view()); !other.code.empty()) {
    other.where = named_at;
    problems.Add(std::move(other));
    return std::nullopt;
  }
  UnitsDecoder decoder;
  if (!IsUtf8(bytes->view(), options) && !keep([&](std::string_view all, const Taker& take) {
        return IsUtf16(all, options) ? decoder.FromUtf16(all, take)
                                     : decoder.FromOneByte(all, options.encoding, take);
      }))
    return std::nullopt;
  const std::string_view text = WithoutByteOrderMark(bytes->view());
  const FileId file = sources.Add(path, text, bytes);
  if (decoder.bad_at()) {
    problems.Add(NotInEncoding(file, *decoder.bad_at(), decoder.problem()));
    return std::nullopt;
  }
  // A zero among the first two bytes is half of a character of UTF-16.
  if (const std::size_t zero = text.substr(0, 2).find('\0'); zero != std::string_view::npos) {
    problems.Add(NotUtf8(file, text, zero));
    return std::nullopt;
  }
  if (digest.empty()) return DecodedFile{file, TextFeed(std::move(bytes), text)};
  return DecodedFile{file, TextFeed(std::move(bytes), text, std::move(digest))};
}

std::optional<FileId> Decode(const std::string& path, std::string bytes, const Options& options,
                             Span named_at, SourceFiles& sources, Problems& problems) {
  NoFiles files;
  std::optional<DecodedFile> decoded =
      DecodeFile(path, InMemory(std::move(bytes)), options, named_at, files, sources, problems);
  if (!decoded) return std::nullopt;
  if (decoded->feed.ReadTo(sources.Text(decoded->file).size())) return decoded->file;
  problems.Add(NotUtf8(decoded->file, sources.Text(decoded->file), decoded->feed.bad_at()));
  return std::nullopt;
}

}  // namespace assay::dataset
