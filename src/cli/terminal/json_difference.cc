// Walks two JSON values in parallel and collects their differences.
#include "cli/terminal/json_difference.h"

#include <fmt/core.h>

#include <algorithm>

#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::size_t kShownBefore = 10;  // bytes of a text ahead of its first difference

std::string ShortText(const Value* value, std::size_t skip) {
  if (value == nullptr) return "nothing";
  if (!value->is_string()) return WriteJson(*value, JsonStyle::kJavaScript);
  const std::string_view text = value->AsString();
  return fmt::format("{}\"{}\"", skip > 0 ? "…" : "", text.substr(skip));
}

// Where two texts begin to differ, less a few bytes, at the start of a character.
std::size_t SkipOf(const Value* before, const Value* after) {
  if (before == nullptr || after == nullptr || !before->is_string() || !after->is_string()) return 0;
  const std::string& a = before->AsString();
  const std::string& b = after->AsString();
  std::size_t same = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same]) ++same;
  std::size_t skip = same > kShownBefore ? same - kShownBefore : 0;
  while (skip > 0 && (static_cast<unsigned char>(a[skip]) & 0xC0u) == 0x80u) --skip;
  return skip;
}

class Walk {
 public:
  void Compare(const std::string& path, const Value* before, const Value* after) {
    if (before != nullptr && after != nullptr) {
      if (before->is_map() && after->is_map()) {
        CompareMaps(path, before->AsMap(), after->AsMap());
        return;
      }
      if (before->is_list() && after->is_list()) {
        CompareLists(path, before->AsList(), after->AsList());
        return;
      }
      if (WriteJson(*before, JsonStyle::kJavaScript) == WriteJson(*after, JsonStyle::kJavaScript)) return;
    }
    const std::size_t skip = SkipOf(before, after);
    differences.push_back({path, ShortText(before, skip), ShortText(after, skip)});
  }

  std::vector<JsonDifference> differences;

 private:
  void CompareMaps(const std::string& path, const Map& before, const Map& after) {
    const auto below = [&path](const std::string& key) { return path.empty() ? key : path + "." + key; };
    for (const Member& member : before) Compare(below(member.key), &member.value, after.Find(member.key));
    for (const Member& member : after) {
      if (before.Find(member.key) == nullptr) Compare(below(member.key), nullptr, &member.value);
    }
  }

  void CompareLists(const std::string& path, const List& before, const List& after) {
    for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
      Compare(fmt::format("{}[{}]", path, i), i < before.size() ? &before[i] : nullptr,
              i < after.size() ? &after[i] : nullptr);
    }
  }
};

}  // namespace

std::vector<JsonDifference> DifferencesOf(const Value& before, const Value& after) {
  Walk walk;
  walk.Compare("", &before, &after);
  return std::move(walk.differences);
}

}  // namespace assay
