// Adds entries and merges to a mapping, with a hash index once it is large.
#include "text/yaml/map.h"

#include <fmt/core.h>

#include <utility>

namespace assay {

namespace {
constexpr std::size_t kLinearSearchMax = 16;
}

std::size_t IndexedMap::Find(std::string_view key) const {
  if (!index_.empty()) {
    const auto found = index_.find(std::string(key));
    return found == index_.end() ? kNotFound : found->second;
  }
  const Member* member = map_.FindMember(key);
  return member == nullptr ? kNotFound : static_cast<std::size_t>(member - map_.begin());
}

void IndexedMap::Append(std::string key, Value value, Span key_span) {
  map_.Append(std::move(key), std::move(value), key_span);
  if (map_.size() <= kLinearSearchMax) return;
  for (std::size_t i = index_.size(); i < map_.size(); ++i) index_.emplace(map_.begin()[i].key, i);
}

void YamlMapBuilder::Add(std::string key, Value value, Span key_span) {
  const std::size_t found = own_.Find(key);
  if (found == IndexedMap::kNotFound) {
    own_.Append(std::move(key), std::move(value), key_span);
    return;
  }
  Member& member = own_.At(found);
  const bool is_merged = found < is_merged_.size() && is_merged_[found];
  if (!is_merged) {
    const std::string message = fmt::format("the key {} occurs twice in one mapping", Quoted(key));
    if (schema_.is_duplicate_error) {
      diagnostics_.Error("yaml.duplicate-key", message, key_span, "remove or rename one of the two");
      diagnostics_.Note("yaml.duplicate-key", fmt::format("the first {} is here", Quoted(key)),
                        member.key_span);
      return;
    }
    diagnostics_.Warning("yaml.duplicate-key", message, key_span, "the last one counts; remove the other");
    diagnostics_.Note("yaml.duplicate-key", fmt::format("the first {} is here", Quoted(key)),
                      member.key_span);
  }
  member.value = std::move(value);
  member.key_span = key_span;
  if (is_merged) is_merged_[found] = false;
}

void YamlMapBuilder::Merge(const Map& source) {
  for (const Member& member : source) {
    if (schema_.are_merged_keys_first) {
      const std::size_t found = merged_first_.Find(member.key);
      if (found == IndexedMap::kNotFound) {
        merged_first_.Append(member.key, member.value, member.key_span);
      } else {
        merged_first_.At(found).value = member.value;
      }
    } else if (own_.Find(member.key) == IndexedMap::kNotFound) {
      is_merged_.resize(own_.Content().size());
      own_.Append(member.key, member.value, member.key_span);
      is_merged_.push_back(true);
    }
  }
}

Map YamlMapBuilder::Finish() {
  if (!merged_first_.Content().empty()) {
    for (Member& member : own_.Content()) {
      const std::size_t found = merged_first_.Find(member.key);
      if (found == IndexedMap::kNotFound) {
        merged_first_.Append(std::move(member.key), std::move(member.value), member.key_span);
      } else {
        merged_first_.At(found) = std::move(member);
      }
    }
    std::swap(own_, merged_first_);
  }
  Map map = std::move(own_.Content());
  if (schema_.is_script_key_order) map.SortLikeJavaScript();
  return map;
}

}  // namespace assay
