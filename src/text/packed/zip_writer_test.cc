// Tests that written ZIP archives can be read by our own reader (Python's reads them in the tests of
// exports).
#include "text/packed/zip_writer.h"

#include <doctest/doctest.h>

#include "text/packed/zip.h"

namespace assay {
namespace {

class TextSink final : public Sink {
 public:
  Status Open(std::string_view) override { return Ok(); }
  Status Write(std::string_view bytes) override {
    text += bytes;
    return text.size() > limit ? Status(Error{ErrorCode::kIo, "full"}) : Ok();
  }
  Status Close() override { return Ok(); }
  std::string text;
  std::size_t limit = 1u << 30;
};

TEST_CASE("files come out as they went in, whole or in pieces") {
  TextSink sink;
  ZipWriter zip(sink);
  const std::string long_text(300'000, 'x');
  REQUIRE(zip.Add("empty", ""));
  REQUIRE(zip.Add("folder/é.json", "{}"));
  REQUIRE(zip.Begin("pieces"));
  for (int i = 0; i < 3; ++i) REQUIRE(zip.Write(long_text));
  REQUIRE(zip.End());
  REQUIRE(zip.Finish());
  CHECK(sink.text.size() < 10'000);
  const Result<ZipArchive> archive = ZipArchive::Open(sink.text, 10);
  REQUIRE(archive);
  REQUIRE(archive->entries().size() == 3);
  CHECK(*archive->Read(archive->entries()[0], 10) == "");
  CHECK(*archive->Read(*archive->Find("folder/é.json"), 10) == "{}");
  CHECK(*archive->Read(*archive->Find("pieces"), 1'000'000) == long_text + long_text + long_text);
}

TEST_CASE("more files than a plain list can count") {
  TextSink sink;
  ZipWriter zip(sink);
  constexpr std::size_t kFiles = 70'000;
  for (std::size_t i = 0; i < kFiles; ++i) REQUIRE(zip.Add(std::to_string(i), i % 2 == 0 ? "even" : "odd"));
  REQUIRE(zip.Finish());
  const Result<ZipArchive> archive = ZipArchive::Open(sink.text, 100'000);
  REQUIRE(archive);
  REQUIRE(archive->entries().size() == kFiles);
  CHECK(*archive->Read(archive->entries()[kFiles - 1], 10) == "odd");
  CHECK(!ZipArchive::Open(sink.text, kFiles - 1));
}

TEST_CASE("a disk that is full ends the archive") {
  TextSink sink;
  sink.limit = 10;
  ZipWriter zip(sink);
  CHECK(!zip.Add("a", "b"));
}

}  // namespace
}  // namespace assay
