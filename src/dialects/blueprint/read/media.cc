// What stands beside the text of a message: `image`, `file`, `audio`. Ours: weval knows none of them.
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/parse.h"
#include "spec/suite/media.h"

namespace assay::blueprint {

namespace {

// A path or an address, or {path: …}; null if it is neither.
const Value* PathOf(const Value& written) {
  const Value* path = &written;
  if (written.is_map()) path = written.AsMap().size() == 1 ? written.Find("path") : nullptr;
  const bool is_path = path != nullptr && path->is_string() && !IsBlank(path->AsString());
  return is_path ? path : nullptr;
}

}  // namespace

bool IsMediaKey(std::string_view key) { return FindKey(kMedia, key) != nullptr; }

List TakeMedia(Map& message, std::string_view prompt, ParseContext& context) {
  List parts;
  if (std::none_of(message.begin(), message.end(), [](const Member& each) { return IsMediaKey(each.key); }))
    return parts;
  Map rest;
  for (Member& member : message) {
    if (!IsMediaKey(member.key)) {
      rest.Append(member.key, std::move(member.value), member.key_span);
      continue;
    }
    if (context.LikeWeval()) {
      context.diagnostics.Warning(
          "blueprint.media",
          fmt::format("{}: {} has no effect: --compat weval sends text alone", prompt, member.key),
          member.value.span);
      continue;
    }
    List written = member.value.is_list() ? std::move(member.value.AsList()) : List{std::move(member.value)};
    for (const Value& each : written) {
      const Value* path = PathOf(each);
      if (path == nullptr || parts.size() == limits::kMediaPartsMax) {
        context.diagnostics.Error(
            "blueprint.media",
            path == nullptr
                ? fmt::format("{}: {}: expected a path or an address, found {}", prompt, member.key,
                              KindName(each))
                : fmt::format("{}: expected at most {} parts in a message", prompt, limits::kMediaPartsMax),
            each.span, "write image: chart.png, or a list of such");
        continue;
      }
      Map part;
      part.Append(member.key, *path, member.key_span);
      Value whole(std::move(part));
      whole.span = path->span;
      parts.push_back(std::move(whole));
    }
  }
  message = std::move(rest);
  return parts;
}

}  // namespace assay::blueprint
