// KeyRow: a key of a format at one place, a row of a table. The readers' checks and warnings, the JSON
// Schemas of `assay schema` and docs/reference/keys.md come from these rows.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/assert.h"
#include "text/value.h"

namespace assay {

struct KeyPlace;

// What a value may be. Without a kind, it may be anything.
struct ValueShape {
  enum Kind : unsigned {
    kText = 1U << 0U,
    kNumber = 1U << 1U,
    kWhole = 1U << 2U,
    kBool = 1U << 3U,
    kNull = 1U << 4U,
    kList = 1U << 5U,
    kMap = 1U << 6U,
    kNothing = 1U << 7U,  // what JavaScript takes for absent: null, false, 0, ""
    kTruth = 1U << 8U,    // any value, which counts as true or false
    kNever = 1U << 9U,    // the key may not stand here
  };
  unsigned kinds = 0;
  std::optional<double> least = {};  // of numbers
  std::optional<double> most = {};
  bool is_filled = false;                           // a text is not empty
  std::span<const std::string_view> words = {};     // a text is one of them
  std::span<const std::string_view> examples = {};  // for editors alone
  const ValueShape* items = nullptr;                // of a list
  std::span<const KeyPlace* const> members = {};    // a mapping has the keys of one of these places
  const ValueShape* values = nullptr;               // of a mapping with names of the author's own
};

struct KeyRow {
  std::string_view name = {};
  std::string_view help = {};  // one line for editors and documents; "": neither schemas nor hints offer it
  std::span<const std::string_view> aliases = {};
  ValueShape shape = {};
  std::string_view since = {};    // the version of assay that added it; "": the original format has it
  std::string_view instead = {};  // the key has no effect at this place: what to write in place of it
  std::string_view code = {};     // of the error where the value does not fit, and the hint of it
  std::string_view hint = {};
  bool is_required = false;
  bool is_check = false;  // it is the name of a check, whose row says what it does

  // Whether schemas and hints offer it.
  bool IsOffered() const { return is_check || !help.empty(); }

  bool IsNamed(std::string_view other) const {
    return name == other || std::find(aliases.begin(), aliases.end(), other) != aliases.end();
  }
};

// Where keys stand: one kind of mapping of a format.
struct KeyPlace {
  std::string_view name = {};   // of the definition in the schema, in which it stands once; "": in its place
  std::string_view words = {};  // in messages: "a judge"
  // Some places share keys. Of two keys with one name, the first counts.
  std::array<std::span<const KeyRow>, 4> parts = {};
};

// By name or alias; null if the place has none.
const KeyRow* FindKey(const KeyPlace& place, std::string_view name);
// Names and aliases that a hint may offer.
std::vector<std::string_view> NamesOf(const KeyPlace& place);
// The one that is meant by a slip; "" if none is.
std::string_view NearKey(const KeyPlace& place, std::string_view slip);

// The row of a key that the table has.
consteval const KeyRow& RowOf(std::span<const KeyRow> keys, std::string_view name) {
  for (const KeyRow& key : keys) {
    if (key.name == name) return key;
  }
  throw "the table has no such key";  // does not compile
}

// Whether the value is of one of the kinds, and in the range. What lists and mappings contain is not checked,
// but for lists of texts and of numbers.
bool Fits(const ValueShape& shape, const Value& value);
// "a number from 0.1 to 10", for errors; null is not named, which stands for no value.
std::string ExpectedOf(const ValueShape& shape);

template <std::size_t size>
struct KeyLiteral {
  constexpr KeyLiteral(const char (&characters)[size]) { std::copy_n(characters, size, text); }
  char text[size];
};
// Words of a row: kWords<"should", "points">.
template <KeyLiteral... words>
inline constexpr std::array<std::string_view, sizeof...(words)> kWords{std::string_view(words.text)...};

}  // namespace assay
