// Looks up the definitions that points refer to by `$ref`, and limits how much they are copied.
#include <algorithm>
#include <vector>

#include "dialects/blueprint/read/parse.h"
#include "dialects/limits.h"

namespace assay::blueprint {

namespace {

constexpr std::size_t kSuggestedNamesMax = 100;  // a suggestion costs time for each name that it looks at

// Roughly what a copy of the value takes.
std::size_t CopyBytes(const Value& value) {
  std::size_t bytes = sizeof(Value);
  if (value.is_string()) bytes += value.AsString().size();
  if (value.kind() == ValueKind::kBinary) bytes += value.AsBinary().bytes.size();
  if (value.is_list()) {
    for (const Value& item : value.AsList()) bytes += CopyBytes(item);
  }
  if (value.is_map()) {
    for (const Member& member : value.AsMap())
      bytes += sizeof(Member) + member.key.size() + CopyBytes(member.value);
  }
  return bytes;
}

}  // namespace

Definitions::Definitions(Map members) : members_(std::move(members)) {
  for (const Member& member : members_) by_name_.emplace(member.key, &member.value);
}

const Value* Definitions::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

std::string_view Definitions::NearestName(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const Member& member : members_) {
    if (names.size() < kSuggestedNamesMax) names.push_back(member.key);
  }
  return DidYouMean(name, names);
}

bool Definitions::CountCopy(const Value& definition) {
  const std::size_t room = limits::kReferenceBytesMax - std::min(copied_bytes_, limits::kReferenceBytesMax);
  // Once the room is gone nothing is measured any more: measuring costs as much as copying.
  if (room == 0) return false;
  const std::size_t bytes = CopyBytes(definition);
  copied_bytes_ += bytes;
  return bytes <= room;
}

}  // namespace assay::blueprint
