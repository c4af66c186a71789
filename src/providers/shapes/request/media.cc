// Wording parts.
#include "providers/shapes/request/media.h"

#include <fmt/core.h>

#include "base/wire/wire.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/request/json_body.h"
#include "text/object.h"
#include "text/packed/base64.h"

namespace assay {

namespace {

std::string Base64Of(const MediaPart& part) {
  return EncodeBase64(part.blob == nullptr ? std::string_view() : std::string_view(part.blob->bytes));
}

std::string DataUrl(const MediaPart& part) {
  return fmt::format("data:{};base64,{}", part.type, Base64Of(part));
}

// The name of a file is no part of the key, so that none is sent but its place.
std::string SentName(const MediaPart& part, std::size_t place) {
  return fmt::format("part-{}.{}", place + 1, MediaFormat(part.type));
}

std::string MediaText(std::string_view type, std::string_view member, std::string_view json) {
  JsonBody body;
  body.Text("type", type);
  body.Raw(member, json);
  return std::move(body).Finish();
}

std::string QuotedJson(std::string_view text) {
  std::string json;
  AppendJsonString(text, json);
  return json;
}

std::string ChatPart(const MediaPart& part, std::size_t place) {
  JsonBody inner;
  switch (part.kind) {
    case MediaKind::kImage:
      inner.Text("url", DataUrl(part));
      return MediaText("image_url", "image_url", std::move(inner).Finish());
    case MediaKind::kFile:
      inner.Text("filename", SentName(part, place));
      inner.Text("file_data", DataUrl(part));
      return MediaText("file", "file", std::move(inner).Finish());
    case MediaKind::kAudio:
      inner.Text("data", Base64Of(part));
      inner.Text("format", MediaFormat(part.type));
      return MediaText("input_audio", "input_audio", std::move(inner).Finish());
  }
  return "{}";
}

std::string MistralPart(const MediaPart& part, std::size_t place) {
  if (part.kind == MediaKind::kFile)
    return MediaText("document_url", "document_url", QuotedJson(DataUrl(part)));
  if (part.kind == MediaKind::kAudio)
    return MediaText("input_audio", "input_audio", QuotedJson(Base64Of(part)));
  return ChatPart(part, place);
}

// A file or a picture: MayWordMedia lets nothing else through.
std::string ResponsesPart(const MediaPart& part, std::size_t place) {
  JsonBody body;
  if (part.kind == MediaKind::kFile) {
    body.Text("type", "input_file");
    body.Text("filename", SentName(part, place));
    body.Text("file_data", DataUrl(part));
  } else {
    body.Text("type", "input_image");
    body.Text("detail", "auto");
    body.Text("image_url", DataUrl(part));
  }
  return std::move(body).Finish();
}

std::string AnthropicPart(const MediaPart& part, std::size_t) {
  JsonBody source;
  source.Text("type", "base64");
  source.Text("media_type", part.type);
  source.Text("data", Base64Of(part));
  return MediaText(part.kind == MediaKind::kFile ? "document" : "image", "source",
                   std::move(source).Finish());
}

using PartWords = std::string (*)(const MediaPart&, std::size_t place);
PartWords WordsOf(MediaWords words) {
  switch (words) {
    case MediaWords::kChat:
      return ChatPart;
    case MediaWords::kMistral:
      return MistralPart;
    case MediaWords::kResponses:
      return ResponsesPart;
    case MediaWords::kAnthropic:
      return AnthropicPart;
  }
  return ChatPart;
}

}  // namespace

std::string ContentWithMedia(MediaWords words, const Message& message, std::string_view text_block) {
  std::string content = "[";
  for (std::size_t i = 0; i < message.media.size(); ++i) content += WordsOf(words)(message.media[i], i) + ",";
  content += text_block;
  return content + "]";
}

List GoogleMedia(const Message& message) {
  return ArrayOf(message.media, [&](const MediaPart& part) {
    return Object{{"inlineData", Object{{"mimeType", part.type}, {"data", Base64Of(part)}}}};
  });
}

List BedrockMedia(const Message& message) {
  List blocks;
  for (std::size_t i = 0; i < message.media.size(); ++i) {
    const MediaPart& part = message.media[i];
    const bool is_file = part.kind == MediaKind::kFile;
    blocks.emplace_back(Object{{is_file ? "document" : "image",
                                Object{{"format", std::string(MediaFormat(part.type))},
                                       {"name", is_file ? Value(fmt::format("part-{}", i + 1)) : Value()},
                                       {"source", Object{{"bytes", Base64Of(part)}}}}}});
  }
  return blocks;
}

MediaKinds MediaOfCustom(const Value& custom) {
  if (custom.TextAt("format") == "completions") return {};
  return {.image = true, .pdf = true, .audio = custom.TextAt("inherit") != "anthropic"};
}

Status MayWordMedia(const ModelRequest& request, const MediaKinds& words) {
  for (const Message& message : request.messages) {
    for (const MediaPart& part : message.media) {
      if (!words.Has(part.kind)) {
        return Error{ErrorCode::kUnsupported,
                     fmt::format("the interface of {} has no words for {}", request.provider,
                                 part.kind == MediaKind::kFile ? "PDF files" : MediaKindName(part.kind))};
      }
      if (!HasBytes(part))
        return Error{ErrorCode::kNotFound, fmt::format("{} was not fetched", Quoted(part.name))};
    }
  }
  return Ok();
}

}  // namespace assay
