// Tests of ZIP archives that are whole, damaged, or made to fill memory.
#include "text/packed/zip.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include "tests/support/zip_maker.h"
#include "text/packed/compress.h"

namespace assay {
namespace {

constexpr std::size_t kEnough = 1u << 20;

std::string Deflated(std::string_view text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(compressBound(text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

ZipPart DeflatedPart(std::string name, std::string_view text) {
  ZipPart part;
  part.name = std::move(name);
  part.packed = Deflated(text);
  part.crc = ZipCrc(text);
  part.plain_bytes = static_cast<std::uint32_t>(text.size());
  part.method = 8;
  return part;
}

TEST_CASE("stored and deflated files come out as they went in") {
  const std::string long_text(200'000, 'x');
  const std::string bytes =
      MakeZip({StoredPart("a.txt", "one"), DeflatedPart("folder/b.txt", long_text), StoredPart("empty", "")});
  const Result<ZipArchive> archive = ZipArchive::Open(bytes, 10);
  REQUIRE(archive.has_value());
  CHECK(archive->entries().size() == 3);
  CHECK(archive->Read(*archive->Find("a.txt"), kEnough).value_or("") == "one");
  CHECK(archive->Read(*archive->Find("folder/b.txt"), kEnough).value_or("") == long_text);
  CHECK(archive->Read(*archive->Find("empty"), kEnough).value_or("?").empty());
  CHECK(archive->Find("c.txt") == nullptr);
  // Something behind the archive is its comment at most.
  CHECK(ZipArchive::Open("junk before" + bytes, 10).has_value() == false);
}

// The end of a file of zstd gave another checksum, so no log that Inspect writes today could be read.
TEST_CASE("files of zstd come out as they went in, in one frame or several") {
  const std::string long_text(300'000, 'y');
  const auto zstd_part = [](std::string name, std::initializer_list<std::string_view> texts) {
    ZipPart part;
    part.name = std::move(name);
    part.method = 93;
    std::string whole;
    for (const std::string_view text : texts) {
      Compressor compressor;
      compressor.Append(text);
      part.packed += compressor.Finish();
      whole += text;
    }
    part.crc = ZipCrc(whole);
    part.plain_bytes = static_cast<std::uint32_t>(whole.size());
    return part;
  };
  const std::string bytes =
      MakeZip({zstd_part("header.json", {"{}"}), zstd_part("long", {long_text, "end"})});
  const Result<ZipArchive> archive = ZipArchive::Open(bytes, 10);
  REQUIRE(archive.has_value());
  CHECK(archive->Read(*archive->Find("header.json"), kEnough).value_or("") == "{}");
  const bool is_whole = archive->Read(*archive->Find("long"), kEnough).value_or("") == long_text + "end";
  CHECK(is_whole);
}

TEST_CASE("a file that unpacks to more than is allowed is an error long before it is unpacked") {
  const std::string bytes = MakeZip({DeflatedPart("bomb", std::string(64u << 20, '\0'))});
  CHECK(bytes.size() < 100'000);
  const Result<ZipArchive> archive = ZipArchive::Open(bytes, 10);
  REQUIRE(archive.has_value());
  const Result<std::string> read = archive->Read(archive->entries()[0], 1000);
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().code == ErrorCode::kLimit);
  CHECK(ZipArchive::Open(MakeZip({StoredPart("a", ""), StoredPart("b", "")}), 1).error().code ==
        ErrorCode::kLimit);
  const std::string stored = MakeZip({StoredPart("a", "0123456789")});
  const Result<ZipArchive> small = ZipArchive::Open(stored, 1);
  CHECK(small->Read(small->entries()[0], 9).error().code == ErrorCode::kLimit);
}

TEST_CASE("damage is told, wherever it is") {
  const std::string bytes =
      MakeZip({StoredPart("a.txt", "some text"), DeflatedPart("b", "other text, other text")});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Result<ZipArchive> cut = ZipArchive::Open(std::string_view(bytes).substr(0, size), 10);
    CHECK_FALSE(cut.has_value());
  }
  std::size_t told = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    const Result<ZipArchive> archive = ZipArchive::Open(damaged, 10);
    bool is_told = !archive.has_value();
    for (std::size_t i = 0; !is_told && i < archive->entries().size(); ++i)
      is_told = !archive->Read(archive->entries()[i], kEnough).has_value();
    told += is_told ? 1 : 0;
  }
  CHECK(told > bytes.size() / 3);
}

TEST_CASE("encrypted files and other methods are named") {
  ZipPart encrypted = StoredPart("a", "x");
  encrypted.flags = 1;
  ZipPart other = StoredPart("b", "x");
  other.method = 12;
  const std::string bytes = MakeZip({encrypted, other});
  const Result<ZipArchive> archive = ZipArchive::Open(bytes, 10);
  REQUIRE(archive.has_value());
  for (const ZipEntry& entry : archive->entries())
    CHECK(archive->Read(entry, kEnough).error().code == ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace assay
