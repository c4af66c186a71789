// Comparing ids by their names.
#include "base/errors/near_id.h"

#include <algorithm>
#include <vector>

#include "base/errors/diagnostics.h"

namespace assay {

namespace {

constexpr std::size_t kLookedAtMax = 10'000;  // a comparison costs time for each id
constexpr std::size_t kNamedMax = 5;
constexpr std::size_t kHeldWordMin = 3;  // bytes; a shorter word is in an id by chance

}  // namespace

std::string_view NameOfId(std::string_view id) {
  const std::size_t start = id.find_last_of("/:");
  std::string_view name = start == std::string_view::npos ? id : id.substr(start + 1);
  for (const std::string_view ending : {".yaml", ".yml", ".json"})
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  return name;
}

std::string_view NearestId(std::string_view word, std::span<const std::string_view> all) {
  const std::span<const std::string_view> ids = all.first(std::min(all.size(), kLookedAtMax));
  std::vector<std::string_view> names;
  for (const std::string_view id : ids) names.push_back(NameOfId(id));
  const auto by_name = std::find(names.begin(), names.end(), word);
  if (by_name != names.end()) return ids[static_cast<std::size_t>(by_name - names.begin())];
  if (const std::string_view near = DidYouMean(word, ids); !near.empty()) return near;
  if (const std::string_view near = DidYouMean(NameOfId(word), names); !near.empty())
    return ids[static_cast<std::size_t>(std::find(names.begin(), names.end(), near) - names.begin())];
  const auto holds = [word](std::string_view id) { return id.find(word) != std::string_view::npos; };
  const auto found = std::find_if(ids.begin(), ids.end(), holds);
  const bool is_only =
      word.size() >= kHeldWordMin && found != ids.end() && std::none_of(found + 1, ids.end(), holds);
  return is_only ? *found : std::string_view();
}

std::string IdHint(std::string_view word, std::span<const std::string_view> ids) {
  if (ids.empty()) return {};
  if (const std::string_view near = NearestId(word, ids); !near.empty())
    return ", did you mean " + Quoted(near) + "?";
  std::string text;
  const std::size_t named = std::min(ids.size(), kNamedMax);
  for (std::size_t i = 0; i < named; ++i) {
    const bool is_last = i + 1 == ids.size();
    text += (i == 0 ? "" : is_last ? " and " : ", ") + Quoted(ids[i]);
  }
  if (ids.size() > named) text += " and " + std::to_string(ids.size() - named) + " more";
  return (ids.size() == 1 ? "; there is " : "; there are ") + text;
}

}  // namespace assay
