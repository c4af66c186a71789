// Looks keys up, and says in words what a value may be.
#include "dialects/keys/key.h"

#include <fmt/core.h>

#include <cmath>

#include "base/errors/diagnostics.h"

namespace assay {

namespace {

// What is no number is below and above nothing.
bool IsInRange(const ValueShape& shape, double number) {
  return !(shape.least && number < *shape.least) && !(shape.most && number > *shape.most);
}

bool FitsNumber(const ValueShape& shape, const Value& value) {
  const bool is_whole = (shape.kinds & ValueShape::kWhole) != 0;
  return value.is_number() && IsInRange(shape, value.AsNumber()) &&
         (!is_whole || value.AsNumber() == std::floor(value.AsNumber()));
}

bool FitsText(const ValueShape& shape, const Value& value) {
  if (!value.is_string()) return false;
  const std::string& text = value.AsString();
  if (!shape.words.empty())
    return std::find(shape.words.begin(), shape.words.end(), text) != shape.words.end();
  return shape.is_filled ? !text.empty() : true;
}

bool FitsList(const ValueShape& shape, const Value& value) {
  if (!value.is_list()) return false;
  const bool is_plain = shape.items != nullptr && shape.items->members.empty();
  return !is_plain || std::all_of(value.AsList().begin(), value.AsList().end(),
                                  [&](const Value& item) { return Fits(*shape.items, item); });
}

// "a, b or c"; beyond three "one of a, b, c, d".
std::string Alternatives(std::span<const std::string_view> words) {
  constexpr std::size_t kFew = 3;
  const bool are_few = words.size() <= kFew;
  std::string all = are_few ? "" : "one of ";
  for (std::size_t at = 0; at < words.size(); ++at) {
    const bool is_last = at + 1 == words.size();
    if (at > 0) all += is_last && are_few ? " or " : ", ";
    all += words[at];
  }
  return all;
}

std::string NumberWords(const ValueShape& shape) {
  std::string words = (shape.kinds & ValueShape::kWhole) != 0 ? "a whole number" : "a number";
  if (shape.least && shape.most) return words + fmt::format(" from {} to {}", *shape.least, *shape.most);
  return shape.least ? words + fmt::format(" of at least {}", *shape.least) : words;
}

std::string ListWords(const ValueShape& shape) {
  if (shape.items == nullptr) return "a list";
  const bool are_texts = (shape.items->kinds & ValueShape::kText) != 0;
  const bool are_numbers = (shape.items->kinds & ValueShape::kNumber) != 0;
  return are_texts ? "a list of texts" : are_numbers ? "a list of numbers" : "a list";
}

}  // namespace

const KeyRow* FindKey(const KeyPlace& place, std::string_view name) {
  for (const std::span<const KeyRow> keys : place.parts) {
    const auto found =
        std::find_if(keys.begin(), keys.end(), [name](const KeyRow& key) { return key.IsNamed(name); });
    if (found != keys.end()) return found->shape.kinds == ValueShape::kNever ? nullptr : &*found;
  }
  return nullptr;
}

std::vector<std::string_view> NamesOf(const KeyPlace& place) {
  std::vector<std::string_view> names;
  for (const std::span<const KeyRow> keys : place.parts) {
    for (const KeyRow& key : keys) {
      if (!key.IsOffered()) continue;
      names.push_back(key.name);
      names.insert(names.end(), key.aliases.begin(), key.aliases.end());
    }
  }
  return names;
}

std::string_view NearKey(const KeyPlace& place, std::string_view slip) {
  return DidYouMean(slip, NamesOf(place));
}

bool Fits(const ValueShape& shape, const Value& value) {
  const unsigned kinds = shape.kinds;
  if (kinds == 0 || (kinds & ValueShape::kTruth) != 0) return true;
  if ((kinds & ValueShape::kNothing) != 0 && !value.Truthy()) return true;
  if ((kinds & ValueShape::kNull) != 0 && value.is_null()) return true;
  if ((kinds & ValueShape::kBool) != 0 && value.is_bool()) return true;
  if ((kinds & ValueShape::kMap) != 0 && value.is_map()) return true;
  return ((kinds & (ValueShape::kNumber | ValueShape::kWhole)) != 0 && FitsNumber(shape, value)) ||
         ((kinds & ValueShape::kText) != 0 && FitsText(shape, value)) ||
         ((kinds & ValueShape::kList) != 0 && FitsList(shape, value));
}

std::string ExpectedOf(const ValueShape& shape) {
  std::vector<std::string> words;
  const auto has = [&](unsigned kinds) { return (shape.kinds & kinds) != 0; };
  if (has(ValueShape::kText)) words.push_back(shape.words.empty() ? "a text" : Alternatives(shape.words));
  if (has(ValueShape::kNumber | ValueShape::kWhole)) words.push_back(NumberWords(shape));
  if (has(ValueShape::kBool)) words.emplace_back("true or false");
  if (has(ValueShape::kList)) words.push_back(ListWords(shape));
  if (has(ValueShape::kMap)) words.emplace_back("a mapping");
  return Alternatives(std::vector<std::string_view>(words.begin(), words.end()));
}

}  // namespace assay
