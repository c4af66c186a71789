// Types by their first bytes, and what a model reads of each.
#include "spec/suite/media.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/errors/diagnostics.h"
#include "base/hash.h"
#include "base/wire/wire.h"

namespace assay {

namespace {

struct MediaType {
  std::string_view type;
  std::string_view format;
  MediaKind kind;
};
constexpr std::array<MediaType, 7> kTypes = {{{"image/png", "png", MediaKind::kImage},
                                              {"image/jpeg", "jpeg", MediaKind::kImage},
                                              {"image/gif", "gif", MediaKind::kImage},
                                              {"image/webp", "webp", MediaKind::kImage},
                                              {"application/pdf", "pdf", MediaKind::kFile},
                                              {"audio/wav", "wav", MediaKind::kAudio},
                                              {"audio/mpeg", "mp3", MediaKind::kAudio}}};

// What the kinds take, for messages.
std::string_view TypesOf(MediaKind kind) {
  switch (kind) {
    case MediaKind::kImage:
      return "PNG, JPEG, GIF or WebP";
    case MediaKind::kFile:
      return "PDF";
    case MediaKind::kAudio:
      return "WAV or MP3";
  }
  return "";
}

std::uint8_t ByteAt(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<std::uint8_t>(bytes[at]) : std::uint8_t{0};
}

std::uint32_t LittleEndian(std::string_view bytes, std::size_t at) {
  return ByteAt(bytes, at) | static_cast<std::uint32_t>(ByteAt(bytes, at + 1)) << 8 |
         static_cast<std::uint32_t>(ByteAt(bytes, at + 2)) << 16 |
         static_cast<std::uint32_t>(ByteAt(bytes, at + 3)) << 24;
}

// A frame of MPEG audio, layer III.
bool IsMp3Frame(std::string_view bytes) {
  const std::uint8_t second = ByteAt(bytes, 1);
  return bytes.size() >= 4 && ByteAt(bytes, 0) == 0xFF && (second & 0xE0) == 0xE0 && (second & 0x06) == 0x02;
}

std::string_view FormatOf(std::string_view bytes) {
  const bool is_riff = bytes.starts_with("RIFF") && bytes.size() >= 12;
  if (bytes.starts_with("\x89PNG\r\n\x1A\n")) return "png";
  if (bytes.starts_with("\xFF\xD8\xFF")) return "jpeg";
  if (bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) return "gif";
  if (is_riff && bytes.substr(8, 4) == "WEBP") return "webp";
  if (bytes.starts_with("%PDF-")) return "pdf";
  if (is_riff && bytes.substr(8, 4) == "WAVE") return "wav";
  if (bytes.starts_with("ID3") || IsMp3Frame(bytes)) return "mp3";
  return "";
}

bool IsSvg(std::string_view bytes) {
  constexpr std::size_t kLooked = 1'024;
  return bytes.substr(0, kLooked).find("<svg") != std::string_view::npos;
}

// Pages as the file writes them one by one; where they lie in packed streams, what its tree of pages counts.
std::int64_t PdfPages(std::string_view bytes) {
  constexpr std::string_view kType = "/Type";
  constexpr std::string_view kCount = "/Count ";
  constexpr std::int64_t kPagesMost = 10'000;
  std::int64_t pages = 0;
  for (std::size_t at = bytes.find(kType); at != std::string_view::npos; at = bytes.find(kType, at + 1)) {
    std::string_view rest = bytes.substr(at + kType.size(), 8);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (rest.starts_with("/Page") && !rest.starts_with("/Pages")) ++pages;
  }
  for (std::size_t at = bytes.find(kCount); at != std::string_view::npos; at = bytes.find(kCount, at + 1)) {
    std::int64_t count = 0;
    for (std::size_t i = at + kCount.size(); ByteAt(bytes, i) >= '0' && ByteAt(bytes, i) <= '9'; ++i)
      count = std::min(count * 10 + (bytes[i] - '0'), kPagesMost);
    pages = std::max(pages, count);
  }
  return std::clamp<std::int64_t>(pages, 1, kPagesMost);
}

// Of a header as most writers make it: bytes a second stand at 28.
double WavSeconds(std::string_view bytes) {
  constexpr std::size_t kRateAt = 28;
  constexpr double kUsualRate = 32'000;  // 16 kHz, 16 bits, one channel
  const double rate = bytes.substr(12, 4) == "fmt " ? LittleEndian(bytes, kRateAt) : 0;
  return static_cast<double>(bytes.size()) / (rate > 0 ? rate : kUsualRate);
}

// By the bit rate of the first frame.
double Mp3Seconds(std::string_view bytes) {
  constexpr std::array<int, 16> kKilobits = {0,   32,  40,  48,  56,  64,  80,  96,
                                             112, 128, 160, 192, 224, 256, 320, 0};
  constexpr int kUsualKilobits = 128;
  std::size_t at = 0;
  if (bytes.starts_with("ID3")) {  // its length has 7 bits a byte
    at = 10 + ((ByteAt(bytes, 6) & 0x7Fu) << 21 | (ByteAt(bytes, 7) & 0x7Fu) << 14 |
               (ByteAt(bytes, 8) & 0x7Fu) << 7 | (ByteAt(bytes, 9) & 0x7Fu));
  }
  const std::string_view frame = bytes.substr(std::min(at, bytes.size()));
  const int said = IsMp3Frame(frame) ? kKilobits[ByteAt(frame, 2) >> 4] : 0;
  return static_cast<double>(bytes.size()) * 8 / (1'000.0 * (said > 0 ? said : kUsualKilobits));
}

constexpr std::int64_t kImageTokens = 1'600;
constexpr std::int64_t kPageTokens = 3'000;
constexpr double kSecondTokens = 32;

std::int64_t TokensOf(std::string_view format, std::string_view bytes) {
  if (format == "pdf") return kPageTokens * PdfPages(bytes);
  if (format == "wav") return static_cast<std::int64_t>(kSecondTokens * WavSeconds(bytes)) + 1;
  if (format == "mp3") return static_cast<std::int64_t>(kSecondTokens * Mp3Seconds(bytes)) + 1;
  return kImageTokens;
}

}  // namespace

std::string_view MediaKindName(MediaKind kind) {
  switch (kind) {
    case MediaKind::kImage:
      return "image";
    case MediaKind::kFile:
      return "file";
    case MediaKind::kAudio:
      return "audio";
  }
  return "";
}

Result<MediaPart> MediaOf(MediaKind kind, std::string bytes) {
  if (bytes.size() > limits::kMediaBytesMax) {
    return Error{ErrorCode::kLimit, fmt::format("expected at most {} bytes, found {}", limits::kMediaBytesMax,
                                                bytes.size())};
  }
  const std::string_view format = FormatOf(bytes);
  const auto* type = std::find_if(kTypes.begin(), kTypes.end(), [&](const MediaType& each) {
    return each.format == format && each.kind == kind;
  });
  if (type == kTypes.end()) {
    const std::string found = !format.empty() ? fmt::format("a {}", format)
                              : IsSvg(bytes)  ? std::string("SVG, which no model sees: make a PNG of it")
                              : bytes.empty() ? std::string("nothing")
                                              : std::string("something else (by its first bytes)");
    return Error{ErrorCode::kUnsupported, fmt::format("expected {}, found {}", TypesOf(kind), found)};
  }
  MediaPart part{.kind = kind,
                 .type = std::string(type->type),
                 .sha256 = Hex(Sha256Of(bytes)),
                 .name = {},
                 .address = {},
                 .tokens = TokensOf(format, bytes),
                 .size_bytes = static_cast<std::int64_t>(bytes.size())};
  part.blob = std::make_shared<const Blob>(Blob{.sha256 = part.sha256, .bytes = std::move(bytes)});
  return part;
}

bool HasBytes(const MediaPart& part) {
  return part.blob != nullptr && !part.sha256.empty() && part.blob->sha256 == part.sha256;
}

std::string_view MediaFormat(std::string_view type) {
  const auto* known =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const MediaType& each) { return each.type == type; });
  return known == kTypes.end() ? std::string_view() : known->format;
}

std::string MediaMark(const MediaPart& part) {
  return fmt::format("[{} {}]", MediaKindName(part.kind), part.name);
}

std::int64_t AssumedMediaTokens(MediaKind kind) {
  constexpr std::int64_t kMinute = 60;
  if (kind == MediaKind::kFile) return kPageTokens;
  return kind == MediaKind::kAudio ? static_cast<std::int64_t>(kSecondTokens) * kMinute : kImageTokens;
}

std::int64_t MediaTokens(const std::vector<MediaPart>& parts) {
  std::int64_t tokens = 0;
  for (const MediaPart& part : parts) tokens += part.tokens;
  return tokens;
}

}  // namespace assay
