// Value: the tree that every reader (YAML, JSON, TOML) yields and every JSON writer takes. Each node
// remembers its place.
//
// Numbers are kDouble under JavaScript rules; Python rules also yield kInt. Strings are WTF-8
// (base/text/utf8.h). Maps keep the order of the rules they were read by: JavaScript's own-key order
// (array-index-like keys ascending, then insertion) or plain insertion. Keys are unique. A JavaScript
// `undefined` is kUndefined: writers skip such members, as JSON.stringify does.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/errors/span.h"

namespace assay {

class Value;

struct Undefined {
  friend bool operator==(Undefined, Undefined) = default;
};
struct Null {
  friend bool operator==(Null, Null) = default;
};
struct Date {
  std::int64_t ms = 0;  // since 1970-01-01 UTC
  friend bool operator==(Date, Date) = default;
};
struct Binary {
  std::string bytes;
  friend bool operator==(const Binary&, const Binary&) = default;
};
using List = std::vector<Value>;
struct Member;

class Map {
 public:
  Map();
  ~Map();
  Map(const Map&);
  Map(Map&&) noexcept;
  Map& operator=(const Map&);
  Map& operator=(Map&&) noexcept;

  const Value* Find(std::string_view key) const;  // null if absent
  Value* Find(std::string_view key);
  const Member* FindMember(std::string_view key) const;
  // Members by kind, with no conversion: one of another kind counts as absent. (What Python and JavaScript
  // take for a text, a number or the truth is in python/ and javascript/.)
  const std::string& TextAt(std::string_view key) const;  // "" if absent
  std::string_view TextAt(std::string_view key, std::string_view otherwise) const;
  std::optional<double> NumberAt(std::string_view key) const;     // of both number kinds
  std::optional<std::int64_t> IntAt(std::string_view key) const;  // a whole number that 64 bits hold
  std::optional<bool> BoolAt(std::string_view key) const;
  const List& ListAt(std::string_view key) const;  // an empty one if absent
  const Map& MapAt(std::string_view key) const;    // an empty one if absent
  // Replaces in place, or appends.
  Value& Set(std::string key, Value value, Span key_span = {});
  // Before many members are appended: growing moves all of them each time.
  void Reserve(std::size_t members);
  // Appends without looking; the caller knows that the key is new.
  Value& Append(std::string key, Value value, Span key_span = {});
  bool Erase(std::string_view key);
  // Array-index-like keys first, ascending; the rest as inserted.
  void SortLikeJavaScript();

  std::size_t size() const;
  bool empty() const { return size() == 0; }
  const Member* begin() const;
  const Member* end() const;
  Member* begin();
  Member* end();

 private:
  std::vector<Member> members_;
};

// Do not renumber: stored with records.
enum class ValueKind : std::uint8_t {
  kUndefined = 0,
  kNull = 1,
  kBool = 2,
  kInt = 3,
  kDouble = 4,
  kString = 5,
  kDate = 6,
  kBinary = 7,
  kList = 8,
  kMap = 9,
};

class Value {
 public:
  Value() : data_(Undefined{}) {}
  Value(Null) : data_(Null{}) {}
  Value(bool value) : data_(value) {}
  Value(std::int64_t value) : data_(value) {}
  Value(int value) : data_(static_cast<double>(value)) {}  // a JavaScript number
  Value(double value) : data_(value) {}
  Value(std::string value) : data_(std::move(value)) {}
  Value(std::string_view value) : data_(std::string(value)) {}
  Value(const char* value) : data_(std::string(value)) {}
  Value(Date value) : data_(value) {}
  Value(Binary value) : data_(std::move(value)) {}
  Value(List value) : data_(std::move(value)) {}
  Value(Map value) : data_(std::move(value)) {}

  ValueKind kind() const { return static_cast<ValueKind>(data_.index()); }
  bool is_undefined() const { return kind() == ValueKind::kUndefined; }
  bool is_null() const { return kind() == ValueKind::kNull; }
  bool is_nullish() const { return is_undefined() || is_null(); }
  bool is_bool() const { return kind() == ValueKind::kBool; }
  bool is_number() const { return kind() == ValueKind::kInt || kind() == ValueKind::kDouble; }
  bool is_string() const { return kind() == ValueKind::kString; }
  bool is_date() const { return kind() == ValueKind::kDate; }
  bool is_list() const { return kind() == ValueKind::kList; }
  bool is_map() const { return kind() == ValueKind::kMap; }

  // Each requires its kind; AsNumber takes both number kinds.
  bool AsBool() const { return std::get<bool>(data_); }
  std::int64_t AsInt() const { return std::get<std::int64_t>(data_); }
  double AsNumber() const {
    return kind() == ValueKind::kInt ? static_cast<double>(std::get<std::int64_t>(data_))
                                     : std::get<double>(data_);
  }
  const std::string& AsString() const { return std::get<std::string>(data_); }
  Date AsDate() const { return std::get<Date>(data_); }
  const Binary& AsBinary() const { return std::get<Binary>(data_); }
  const List& AsList() const { return std::get<List>(data_); }
  List& AsList() { return std::get<List>(data_); }
  const Map& AsMap() const { return std::get<Map>(data_); }
  Map& AsMap() { return std::get<Map>(data_); }

  // The member of a map, or null: also when this is no map.
  const Value* Find(std::string_view key) const { return is_map() ? AsMap().Find(key) : nullptr; }
  // Map's of the same names; what is no map has no members.
  const std::string& TextAt(std::string_view key) const { return Members().TextAt(key); }
  std::string_view TextAt(std::string_view key, std::string_view otherwise) const {
    return Members().TextAt(key, otherwise);
  }
  std::optional<double> NumberAt(std::string_view key) const { return Members().NumberAt(key); }
  std::optional<std::int64_t> IntAt(std::string_view key) const { return Members().IntAt(key); }
  std::optional<bool> BoolAt(std::string_view key) const { return Members().BoolAt(key); }
  const List& ListAt(std::string_view key) const { return Members().ListAt(key); }
  const Map& MapAt(std::string_view key) const { return Members().MapAt(key); }
  // JavaScript's truthiness: undefined, null, false, 0, NaN and "" are false, everything else is true.
  bool Truthy() const;

  Span span;  // place in the source; FileId::kNone for values made in code

 private:
  const Map& Members() const;  // an empty map if this is none

  std::variant<Undefined, Null, bool, std::int64_t, double, std::string, Date, Binary, List, Map> data_;
};

inline bool IsUnset(const Value& value) { return value.is_undefined(); }

struct Member {
  std::string key;
  Value value;
  Span key_span;
};

// Same kinds and contents, places ignored; maps compare without regard to order; NaN equals NaN, -0 differs
// from 0.
bool SameValue(const Value& a, const Value& b);
// "a list", "a number", ... for messages.
std::string_view KindName(const Value& value);

}  // namespace assay
