// Reading what messages name.
#include "dialects/blueprint/lower/media.h"

#include <fmt/core.h>

#include <utility>

#include "base/text/ascii.h"
#include "spec/exchange/keyed_headers.h"

namespace assay::blueprint {

namespace {

bool IsAddress(std::string_view path) { return path.starts_with("https://") || path.starts_with("http://"); }

// What is wrong with a path that is an address of another kind, and what to write; "": it is none.
std::string OtherAddress(std::string_view path) {
  const std::size_t colon = path.find(':');
  if (colon == std::string_view::npos || IsAddress(path)) return {};
  const std::string scheme = AsciiLower(path.substr(0, colon));
  if (scheme == "data") {
    const bool is_svg = AsciiLower(path.substr(0, 40)).starts_with("data:image/svg");
    return fmt::format("what a data: address holds is not read{}; save it as a file, and write its path",
                       is_svg ? ", and SVG is seen by no model: make a PNG of it" : "");
  }
  if (!path.substr(colon).starts_with("://")) return {};
  if (scheme == "file") {
    const std::string_view behind = path.substr(colon + 3);
    const std::size_t slash = behind.find('/');
    return fmt::format("file:// is not read as an address; write the path alone: {}",
                       Quoted(behind.substr(slash == std::string_view::npos ? 0 : slash)));
  }
  return fmt::format("nothing is fetched by {}://; expected a path, https:// or http://", scheme);
}

// What people call it: the last part of the path, of an address without what follows it.
std::string NameOf(std::string_view path) {
  if (IsAddress(path)) path = path.substr(0, path.find_first_of("?#"));
  while (path.ends_with('/')) path.remove_suffix(1);
  return std::string(path.substr(path.rfind('/') + 1));
}

MediaKind KindOf(std::string_view key) {
  for (const MediaKind kind : {MediaKind::kFile, MediaKind::kAudio}) {
    if (MediaKindName(kind) == key) return kind;
  }
  return MediaKind::kImage;
}

MediaPart Unfetched(MediaKind kind, const std::string& address) {
  return {.kind = kind,
          .type = {},
          .sha256 = {},
          .name = NameOf(address),
          .address = address,
          .tokens = AssumedMediaTokens(kind)};
}

}  // namespace

Result<MediaPart> MediaReader::FileAt(MediaKind kind, const std::string& path) {
  const std::string& suite = input_.path;
  const std::string full =
      path.starts_with('/') ? path : suite.substr(0, suite.rfind('/') + 1) + path;  // npos + 1 is the start
  ASSAY_TRY(std::string bytes, input_.files.Read(full));
  bytes_ += bytes.size();
  if (bytes_ > limits::kMediaSuiteBytesMax) {
    return Error{ErrorCode::kLimit, fmt::format("expected at most {} bytes of files in a suite, found more",
                                                limits::kMediaSuiteBytesMax)};
  }
  ASSAY_TRY(MediaPart part, MediaOf(kind, std::move(bytes)));
  part.name = NameOf(path);
  return part;
}

std::vector<MediaPart> MediaReader::PartsOf(const Value& message, std::string_view prompt) {
  std::vector<MediaPart> parts;
  const Value* written = message.Find("parts");
  if (written == nullptr || !written->is_list()) return parts;
  for (const Value& each : written->AsList()) {
    const Member& member = *each.AsMap().begin();
    const MediaKind kind = KindOf(member.key);
    const std::string& path = member.value.AsString();
    if (IsAddress(path)) {
      parts.push_back(Unfetched(kind, path));
      continue;
    }
    if (const std::string problem = OtherAddress(path); !problem.empty()) {
      constexpr std::size_t kShown = 60;
      const std::string shown = path.size() > kShown ? path.substr(0, kShown) + "…" : path;
      input_.diagnostics.Error(
          "blueprint.media",
          fmt::format("prompt {}: {} {}: {}", Quoted(prompt), member.key, Quoted(shown), problem), each.span,
          "a path counts from the folder of the file: image: chart.png");
      continue;
    }
    auto known = read_.find({kind, path});
    if (known == read_.end()) known = read_.emplace(std::pair(kind, path), FileAt(kind, path)).first;
    if (known->second) {
      parts.push_back(*known->second);
      continue;
    }
    input_.diagnostics.Error("blueprint.media",
                             fmt::format("prompt {}: {} {}: {}", Quoted(prompt), member.key, Quoted(path),
                                         known->second.error().message),
                             each.span,
                             "a path counts from the folder of the file; --allow-path grants others");
  }
  return parts;
}

void HideSecrets(Value& prompt) {
  Value* messages = prompt.is_map() ? prompt.AsMap().Find("messages") : nullptr;
  if (messages == nullptr || !messages->is_list()) return;
  for (Value& message : messages->AsList()) {
    Value* parts = message.is_map() ? message.AsMap().Find("parts") : nullptr;
    if (parts == nullptr || !parts->is_list()) continue;
    for (Value& part : parts->AsList()) {
      Value& path = part.AsMap().begin()->value;
      if (IsAddress(path.AsString())) path = Value(KeyedUrl(path.AsString()));
    }
  }
}

}  // namespace assay::blueprint
