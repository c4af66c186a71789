// Pictures, documents and sound in the words of each service.
#include "providers/shapes/request/media.h"

#include <doctest/doctest.h>

#include "base/wire/wire.h"
#include "providers/provider.h"
#include "text/json/json.h"

namespace assay {
namespace {

MediaPart Part(MediaKind kind, std::string bytes, std::string name) {
  MediaPart part = *MediaOf(kind, std::move(bytes));
  part.name = std::move(name);
  return part;
}
MediaPart Picture() { return Part(MediaKind::kImage, "\x89PNG\r\n\x1A\n", "chart.png"); }
MediaPart Document() { return Part(MediaKind::kFile, "%PDF-", "report.pdf"); }
MediaPart Sound() { return Part(MediaKind::kAudio, "ID3", "x.mp3"); }

// base64 of those bytes
#define PNG64 "iVBORw0KGgo="
#define PDF64 "JVBERi0="
#define MP364 "SUQz"
#define PNG_URL "data:image/png;base64," PNG64

ModelRequest Asking(std::string provider, std::vector<MediaPart> media) {
  ModelRequest request;
  request.provider = std::move(provider);
  request.model = "m";
  request.base_url = "http://localhost/v1";
  request.messages = {{.role = Role::kUser, .text = "What is it?", .media = std::move(media)}};
  return request;
}

std::string SentBody(const ModelRequest& request) {
  const ProviderRow* provider = FindProvider(request.provider);
  REQUIRE(provider != nullptr);
  const Result<HttpRequest> wire = provider->encode_known(request, nullptr);
  return wire ? wire->body : wire.error().message;
}

struct WordsRow {
  const char* provider;
  std::vector<MediaPart> media;
  const char* said;
};

TEST_CASE("parts stand before the text, in order, as each service words them") {
  constexpr const char* kChat =
      R"("messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":")" PNG_URL
      R"("}},{"type":"file","file":{"filename":"part-2.pdf","file_data":"data:application/pdf;base64,)" PDF64
      R"("}},{"type":"input_audio","input_audio":{"data":")" MP364
      R"(","format":"mp3"}},{"type":"text","text":"What is it?"}]}])";
  const WordsRow rows[] = {
      {"openai", {Picture(), Document(), Sound()}, kChat},
      {"openai-compatible", {Picture(), Document(), Sound()}, kChat},
      {"openrouter", {Picture(), Document(), Sound()}, kChat},
      {"mistral",
       {Document(), Picture(), Sound()},
       R"("content":[{"type":"document_url","document_url":"data:application/pdf;base64,)" PDF64
       R"("},{"type":"image_url","image_url":{"url":"data:image/png;base64,)" PNG64
       R"("}},{"type":"input_audio","input_audio":")" MP364 R"("},{"type":"text","text":"What is it?"}])"},
      {"openai-responses",
       {Picture(), Document()},
       R"("input":[{"role":"user","content":[{"type":"input_image","detail":"auto","image_url":")" PNG_URL
       R"("},{"type":"input_file","filename":"part-2.pdf",)"
       R"("file_data":"data:application/pdf;base64,)" PDF64
       R"("},{"type":"input_text","text":"What is it?"}]}])"},
      {"anthropic",
       {Document(), Picture()},
       R"("content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf",)"
       R"("data":")" PDF64
       R"("}},{"type":"image","source":{"type":"base64","media_type":"image/png","data":")" PNG64
       R"("}},{"type":"text","text":"What is it?"}])"},
      {"google",
       {Sound(), Picture()},
       R"("parts":[{"inlineData":{"mimeType":"audio/mpeg","data":")" MP364
       R"("}},{"inlineData":{"mimeType":"image/png","data":")" PNG64 R"("}},{"text":"What is it?"}])"},
      {"openai-responses", {Sound()}, "has no words for audio"},
  };
  for (const WordsRow& row : rows) {
    CAPTURE(row.provider);
    const std::string body = SentBody(Asking(row.provider, row.media));
    CAPTURE(body);
    CHECK(body.find(row.said) != std::string::npos);
    CHECK(body.find("chart.png") == std::string::npos);  // a name is no part of the key
  }
}

TEST_CASE("a marked beginning ends behind its parts") {
  ModelRequest request = Asking("anthropic", {Picture()});
  request.repeated = {1};
  constexpr auto kMarked = R"({"type":"text","text":"What is it?","cache_control":{"type":"ephemeral"}}])";
  CHECK(SentBody(request).find(kMarked) != std::string::npos);
}

TEST_CASE("a model that a suite describes is told as its family is") {
  ModelRequest request = Asking("custom", {Picture()});
  const auto custom = [&](const char* json) {
    request.custom = *ParseJson(json);
    return SentBody(request);
  };
  CHECK(custom(R"({"inherit":"openai"})").find("\"image_url\"") != std::string::npos);
  CHECK(custom(R"({"inherit":"anthropic"})").find("\"media_type\"") != std::string::npos);
  CHECK(custom(R"({"inherit":"google"})").find("\"inlineData\"") != std::string::npos);
  CHECK(custom(R"({"format":"completions"})").find("no words for image") != std::string::npos);
  request.messages.front().media = {Sound()};
  CHECK(custom(R"({"inherit":"anthropic"})").find("no words for audio") != std::string::npos);
}

TEST_CASE("what was not fetched, or has no words, is not sent") {
  const auto said = [](const ModelRequest& request) {
    const Status may = MayWordMedia(request, FindProvider(request.provider)->media);
    return may ? std::string() : may.error().message;
  };
  CHECK(said(Asking("google", {Picture(), Document(), Sound()})).empty());
  CHECK(said(Asking("anthropic", {Picture(), Sound()})) ==
        "the interface of anthropic has no words for audio");
  CHECK(said(Asking("cohere", {Document()})) == "the interface of cohere has no words for PDF files");
  MediaPart unfetched = Picture();
  unfetched.blob.reset();
  CHECK(said(Asking("openai", {unfetched})) == "\"chart.png\" was not fetched");
}

TEST_CASE("a program finds parts below its folder, by their digests") {
  const Result<HttpRequest> wire =
      FindProvider("exec")->encode_known([] {
        ModelRequest request = Asking("exec", {Picture()});
        request.model = "./agent";
        return request;
      }(), nullptr);
  REQUIRE(wire.has_value());
  REQUIRE(wire->files.size() == 1);
  const std::string path = "parts/" + Picture().sha256 + ".png";
  CHECK(wire->files.front().path == path);
  CHECK(wire->files.front().blob->bytes == Picture().blob->bytes);
  CHECK(wire->body.find(R"("parts":[{"kind":"image","type":"image/png","path":")" + path + R"("}])") !=
        std::string::npos);
}

}  // namespace
}  // namespace assay
