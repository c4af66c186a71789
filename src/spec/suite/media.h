// What a user's message holds beside its text: pictures, documents, sound. A request names such a part by its
// digest alone; the bytes travel beside it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"

namespace assay {

struct Blob;  // base/wire/wire.h

// Persisted: do not renumber.
enum class MediaKind { kImage = 0, kFile = 1, kAudio = 2 };
inline constexpr MediaKind kLastMediaKind = MediaKind::kAudio;
std::string_view MediaKindName(MediaKind kind);  // "image", "file", "audio": a suite's own words

// Which of them a model takes beside text, or a protocol has words for.
struct MediaKinds {
  bool image = false;
  bool pdf = false;
  bool audio = false;
  bool Has(MediaKind kind) const {
    return kind == MediaKind::kImage ? image : kind == MediaKind::kFile ? pdf : audio;
  }
};

struct MediaPart {
  MediaKind kind = MediaKind::kImage;
  std::string type;     // "image/png", by the first bytes
  std::string sha256;   // of the bytes, lower-case hex; "" of an address that nobody has fetched
  std::string name;     // for people and judges: "chart.png"
  std::string address;  // where the bytes are fetched before the run; "": they are a file's
  std::int64_t tokens = 0;      // an estimate of what a model reads of it
  std::int64_t size_bytes = 0;  // 0: not known
  std::shared_ptr<const Blob> blob = {};  // null where a run is only shown
  // By what they hold.
  friend bool operator==(const MediaPart& a, const MediaPart& b) {
    return a.kind == b.kind && a.type == b.type && a.sha256 == b.sha256 && a.name == b.name;
  }
};

// The part that these bytes are, with type, digest, estimate and blob; `name` and `address` are the caller's.
// kLimit: more than limits::kMediaBytesMax; kUnsupported: not of a type that the kind has.
Result<MediaPart> MediaOf(MediaKind kind, std::string bytes);
// Whether a message's part may be sent: its bytes are there and are those of its digest.
bool HasBytes(const MediaPart& part);

// "png", "jpeg", "gif", "webp", "pdf", "wav", "mp3" of a type.
std::string_view MediaFormat(std::string_view type);
// "[image chart.png]": where nobody can see it.
std::string MediaMark(const MediaPart& part);
// What is assumed of one that nobody has fetched yet.
std::int64_t AssumedMediaTokens(MediaKind kind);
// Of all parts together.
std::int64_t MediaTokens(const std::vector<MediaPart>& parts);

namespace limits {
inline constexpr std::size_t kMediaBytesMax = 20'000'000;          // of one part
inline constexpr std::size_t kMediaPartsMax = 100;                 // of one message
inline constexpr std::size_t kMediaSuiteBytesMax = 1'000'000'000;  // of all files of a suite
inline constexpr std::size_t kPictureBytesMax = 1'000'000;         // of one that a page shows
inline constexpr std::size_t kPicturesBytesMax = 20'000'000;       // of all on a page
}  // namespace limits

}  // namespace assay
