// Value trees: look-up of members, JavaScript's key order, comparison.
#include "text/value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "text/javascript/own_keys.h"

namespace assay {

namespace {

bool SameMap(const Map& a, const Map& b) {
  if (a.size() != b.size()) return false;
  return std::all_of(a.begin(), a.end(), [&b](const Member& member) {
    const Value* other = b.Find(member.key);
    return other != nullptr && SameValue(member.value, *other);
  });
}

const Map& NoMembers() {
  static const Map none;
  return none;
}

// No constant, since clang takes none of libstdc++ 12's strings for one.
const std::string& NoText() {
  static const std::string none;
  return none;
}

constinit const List kNoItems;

}  // namespace

Map::Map() = default;
Map::~Map() = default;
Map::Map(const Map&) = default;
Map::Map(Map&&) noexcept = default;
Map& Map::operator=(const Map&) = default;
Map& Map::operator=(Map&&) noexcept = default;

const Member* Map::FindMember(std::string_view key) const {
  // Prompts are looked through for many keys that they do not have: most differ in size or in the first byte.
  const std::size_t size = key.size();
  const char* const bytes = key.data();
  for (const Member& member : members_) {
    if (member.key.size() != size) continue;
    const char* const own = member.key.data();
    if (size == 0 || (*own == *bytes && std::memcmp(own, bytes, size) == 0)) return &member;
  }
  return nullptr;
}

const Value* Map::Find(std::string_view key) const {
  const Member* member = FindMember(key);
  return member == nullptr ? nullptr : &member->value;
}

Value* Map::Find(std::string_view key) { return const_cast<Value*>(std::as_const(*this).Find(key)); }

const std::string& Map::TextAt(std::string_view key) const {
  const Value* value = Find(key);
  return value != nullptr && value->is_string() ? value->AsString() : NoText();
}

std::string_view Map::TextAt(std::string_view key, std::string_view otherwise) const {
  const Value* value = Find(key);
  return value != nullptr && value->is_string() ? std::string_view(value->AsString()) : otherwise;
}

std::optional<double> Map::NumberAt(std::string_view key) const {
  const Value* value = Find(key);
  return value != nullptr && value->is_number() ? std::optional(value->AsNumber()) : std::nullopt;
}

std::optional<std::int64_t> Map::IntAt(std::string_view key) const {
  constexpr double kBeyond = 9223372036854775808.0;  // 2^63
  const Value* value = Find(key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  if (value->kind() == ValueKind::kInt) return value->AsInt();
  const double number = value->AsNumber();
  const bool fits = number >= -kBeyond && number < kBeyond && std::trunc(number) == number;
  return fits ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

std::optional<bool> Map::BoolAt(std::string_view key) const {
  const Value* value = Find(key);
  return value != nullptr && value->is_bool() ? std::optional(value->AsBool()) : std::nullopt;
}

const List& Map::ListAt(std::string_view key) const {
  const Value* value = Find(key);
  return value != nullptr && value->is_list() ? value->AsList() : kNoItems;
}

const Map& Map::MapAt(std::string_view key) const {
  const Value* value = Find(key);
  return value != nullptr && value->is_map() ? value->AsMap() : NoMembers();
}

Value& Map::Set(std::string key, Value value, Span key_span) {
  if (Value* found = Find(key)) {
    *found = std::move(value);
    return *found;
  }
  return Append(std::move(key), std::move(value), key_span);
}

Value& Map::Append(std::string key, Value value, Span key_span) {
  return members_.emplace_back(std::move(key), std::move(value), key_span).value;
}

void Map::Reserve(std::size_t members) { members_.reserve(members); }

bool Map::Erase(std::string_view key) {
  return std::erase_if(members_, [key](const Member& member) { return member.key == key; }) > 0;
}

void Map::SortLikeJavaScript() {
  const bool any_index = std::any_of(members_.begin(), members_.end(),
                                     [](const Member& member) { return ArrayIndex(member.key).has_value(); });
  if (!any_index) return;
  std::stable_sort(members_.begin(), members_.end(), [](const Member& a, const Member& b) {
    const auto index_a = ArrayIndex(a.key);
    const auto index_b = ArrayIndex(b.key);
    if (index_a && index_b) return *index_a < *index_b;
    return index_a.has_value() && !index_b.has_value();
  });
}

std::size_t Map::size() const { return members_.size(); }
const Member* Map::begin() const { return members_.data(); }
const Member* Map::end() const { return members_.data() + members_.size(); }
Member* Map::begin() { return members_.data(); }
Member* Map::end() { return members_.data() + members_.size(); }

const Map& Value::Members() const { return is_map() ? AsMap() : NoMembers(); }

bool Value::Truthy() const {
  switch (kind()) {
    case ValueKind::kUndefined:
    case ValueKind::kNull:
      return false;
    case ValueKind::kBool:
      return AsBool();
    case ValueKind::kInt:
      return AsInt() != 0;
    case ValueKind::kDouble:
      return AsNumber() != 0 && !std::isnan(AsNumber());
    case ValueKind::kString:
      return !AsString().empty();
    default:
      return true;
  }
}

bool SameValue(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case ValueKind::kUndefined:
    case ValueKind::kNull:
      return true;
    case ValueKind::kBool:
      return a.AsBool() == b.AsBool();
    case ValueKind::kInt:
      return a.AsInt() == b.AsInt();
    case ValueKind::kDouble:
      return (std::isnan(a.AsNumber()) && std::isnan(b.AsNumber())) ||
             std::bit_cast<std::uint64_t>(a.AsNumber()) == std::bit_cast<std::uint64_t>(b.AsNumber());
    case ValueKind::kString:
      return a.AsString() == b.AsString();
    case ValueKind::kDate:
      return a.AsDate() == b.AsDate();
    case ValueKind::kBinary:
      return a.AsBinary() == b.AsBinary();
    case ValueKind::kList:
      return std::equal(a.AsList().begin(), a.AsList().end(), b.AsList().begin(), b.AsList().end(),
                        SameValue);
    case ValueKind::kMap:
      return SameMap(a.AsMap(), b.AsMap());
  }
  return false;
}

std::string_view KindName(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kUndefined:
      return "nothing";
    case ValueKind::kNull:
      return "null";
    case ValueKind::kBool:
      return "a true/false value";
    case ValueKind::kInt:
    case ValueKind::kDouble:
      return "a number";
    case ValueKind::kString:
      return "a text";
    case ValueKind::kDate:
      return "a date";
    case ValueKind::kBinary:
      return "binary data";
    case ValueKind::kList:
      return "a list";
    case ValueKind::kMap:
      return "a mapping";
  }
  return "a value";
}

}  // namespace assay
