// Parts of messages: what they are by their first bytes, and what a model is taken to read of them.
#include "spec/suite/media.h"

#include <doctest/doctest.h>

#include "base/wire/wire.h"
#include "spec/exchange/request.h"
#include "spec/exchange/tool_calls.h"
#include "spec/suite/stored_suite.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

// With the zeros in it.
template <std::size_t N>
std::string Bytes(const char (&bytes)[N]) {
  return {bytes, N - 1};
}

const std::string kPng = "\x89PNG\r\n\x1A\nrest";
const std::string kWav = Bytes("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1F\0\0") +
                         Bytes("\x80\x3E\0\0\x02\0\x10\0") + std::string(32'000, 'x');

struct TypeRow {
  MediaKind kind;
  std::string bytes;
  const char* type;  // or a part of the error
};

TEST_CASE("a part is what its first bytes say, whatever its name") {
  const TypeRow rows[] = {
      {MediaKind::kImage, kPng, "image/png"},
      {MediaKind::kImage, "\xFF\xD8\xFF\xE0", "image/jpeg"},
      {MediaKind::kImage, "GIF87a", "image/gif"},
      {MediaKind::kImage, "GIF89a..", "image/gif"},
      {MediaKind::kImage, "RIFF\x01\x01\x01\x01WEBPVP8 ", "image/webp"},
      {MediaKind::kFile, "%PDF-1.7\n", "application/pdf"},
      {MediaKind::kAudio, kWav, "audio/wav"},
      {MediaKind::kAudio, Bytes("ID3\x04\0\0\0\0\0\0"), "audio/mpeg"},
      {MediaKind::kAudio, "\xFF\xFB\x90\x64", "audio/mpeg"},
      {MediaKind::kImage, "<?xml version='1.0'?><svg/>", "SVG"},
      {MediaKind::kImage, "", "found nothing"},
      {MediaKind::kImage, "hello", "expected PNG, JPEG, GIF or WebP, found something else"},
      {MediaKind::kImage, "%PDF-1.7", "found a pdf"},
      {MediaKind::kFile, kPng, "expected PDF, found a png"},
      {MediaKind::kAudio, "RIFF\x01\x01\x01\x01WEBPVP8 ", "found a webp"},
      {MediaKind::kAudio, "\xFF\xF1\x50\x80", "found something else"},  // AAC
      {MediaKind::kImage, kPng + std::string(limits::kMediaBytesMax, 'x'), "at most 20000000 bytes"},
  };
  for (const TypeRow& row : rows) {
    CAPTURE(row.type);
    const Result<MediaPart> part = MediaOf(row.kind, row.bytes);
    const std::string said = part ? part->type : part.error().message;
    CHECK(said.find(row.type) != std::string::npos);
    if (!part) continue;
    CHECK(HasBytes(*part));
    CHECK(part->blob->bytes == row.bytes);
    CHECK(part->size_bytes == static_cast<std::int64_t>(row.bytes.size()));
  }
}

TEST_CASE("tokens: a picture, pages, seconds") {
  const auto tokens = [](MediaKind kind, const std::string& bytes) { return MediaOf(kind, bytes)->tokens; };
  CHECK(tokens(MediaKind::kImage, kPng) == 1'600);
  CHECK(tokens(MediaKind::kFile, "%PDF-1.4 nothing that tells") == 3'000);
  CHECK(tokens(MediaKind::kFile, "%PDF-1.4 /Type /Pages /Type /Page /Type/Page >>") == 6'000);
  CHECK(tokens(MediaKind::kFile, "%PDF-1.4 /Type /Pages /Count 7 >>") == 21'000);
  CHECK(tokens(MediaKind::kFile, "%PDF-1.4 /Count 99999999999999999999") == 30'000'000);
  CHECK(tokens(MediaKind::kAudio, kWav) == 65);  // 2 s at 16,000 bytes a second
  // 128 kbit/s.
  CHECK(tokens(MediaKind::kAudio, "\xFF\xFB\x90\x64" + std::string(160'000 - 4, 'x')) == 321);
}

TEST_CASE("a request names parts by their digests; without them its bytes are as ever") {
  ModelRequest request;
  request.provider = "openai";
  request.model = "gpt-4o";
  request.messages = {{Role::kUser, "What is it?"}};
  const std::string plain = CanonicalText(request);
  CHECK(plain.find("parts") == std::string::npos);
  CHECK(MediaTokensToRead(request) == 0);
  MediaPart part = *MediaOf(MediaKind::kImage, kPng);
  part.name = "chart.png";
  request.messages.front().media = {part};
  const std::string text = CanonicalText(request);
  CHECK(text == R"({"v":1,"model_call":"openai","model":"gpt-4o","messages":[{"user":"What is it?","parts":)"
                R"([["image","image/png",")" +
                    part.sha256 + R"("]]}]})");
  CHECK(MediaTokensToRead(request) == 1'600);
  CHECK(CallFactsOf(text)->has_media);
  CHECK_FALSE(CallFactsOf(plain)->has_media);
  // Neither the name of a file nor who holds its bytes changes what is asked.
  request.messages.front().media.front().name = "another.png";
  request.messages.front().media.front().blob.reset();
  CHECK(CanonicalText(request) == text);
}

TEST_CASE("a stored suite keeps what its parts are, not their bytes; without parts it is as ever") {
  Suite suite;
  suite.cases.emplace_back().turns = {{.role = Role::kUser, .text = "What is it?", .span = {}}};
  const Digest plain = DigestOf(suite);
  CHECK(EncodeSuite(suite).find("media") == std::string::npos);
  MediaPart part = *MediaOf(MediaKind::kImage, kPng);
  part.name = "chart.png";
  part.address = "https://example.org/chart.png?token=secret";
  suite.cases.front().turns.front().media.edit() = {part};
  CHECK(DigestOf(suite) != plain);
  CHECK(EncodeSuite(suite).find("secret") == std::string::npos);
  const Result<Suite> read = DecodeSuite(EncodeSuite(suite));
  REQUIRE(read.has_value());
  const MediaPart& kept = read->cases.front().turns.front().media->front();
  CHECK(kept == part);
  CHECK(kept.tokens == 1'600);
  CHECK_FALSE(HasBytes(kept));
}

}  // namespace
}  // namespace assay
