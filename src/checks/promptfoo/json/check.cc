// Walks along a value and its schema together, and words the faults.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text/percent.h"
#include "base/text/utf8.h"
#include "checks/promptfoo/json/formats.h"
#include "checks/promptfoo/json/keywords.h"
#include "checks/promptfoo/json/schema.h"
#include "text/found.h"
#include "text/javascript/number.h"
#include "text/javascript/own_keys.h"
#include "text/javascript/values.h"

namespace assay::promptfoo {
namespace {

constexpr std::size_t kFaultsMax = 100;  // reported for one value
constexpr std::size_t kCheckDepthMax = 500;
constexpr std::size_t kCheckStepsMax = 200'000;  // schemas that are asked, one within the other or again

std::string Escaped(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string Unescaped(std::string_view token) {
  std::string out;
  for (std::size_t at = 0; at < token.size(); ++at) {
    const bool is_escape = token[at] == '~' && at + 1 < token.size();
    if (!is_escape) {
      out += token[at];
      continue;
    }
    out += token[++at] == '1' ? '/' : '~';
  }
  return out;
}

bool IsFinite(const Value& value) { return value.is_number() && std::isfinite(value.AsNumber()); }

bool IsOfType(const Value& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "number") return IsFinite(value);
  if (type == "integer") return IsFinite(value) && std::floor(value.AsNumber()) == value.AsNumber();
  if (type == "boolean") return value.is_bool();
  if (type == "array") return value.is_list();
  if (type == "object") return value.is_map();
  return value.is_null();
}

bool AreEqual(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number())
    return a.AsNumber() == b.AsNumber() || (std::isnan(a.AsNumber()) && std::isnan(b.AsNumber()));
  if (a.is_list() && b.is_list())
    return std::equal(a.AsList().begin(), a.AsList().end(), b.AsList().begin(), b.AsList().end(), AreEqual);
  if (!a.is_map() || !b.is_map()) return SameValue(a, b);
  return a.AsMap().size() == b.AsMap().size() &&
         std::all_of(a.AsMap().begin(), a.AsMap().end(), [&](const Member& member) {
           const Value* other = b.Find(member.key);
           return other != nullptr && AreEqual(member.value, *other);
         });
}

std::vector<std::string> TypesOf(const Value& schema) {
  std::vector<std::string> types;
  if (const std::string* type = FindText(schema, "type")) types.push_back(*type);
  for (const Value& type : schema.ListAt("type")) types.push_back(type.AsString());
  if (schema.BoolAt("nullable").value_or(false)) types.emplace_back("null");
  return types;
}

std::string_view GroupType(KeywordGroup group) {
  switch (group) {
    case KeywordGroup::kNumber:
      return "number";
    case KeywordGroup::kText:
      return "string";
    case KeywordGroup::kList:
      return "array";
    case KeywordGroup::kObject:
      return "object";
    case KeywordGroup::kAny:
      return "";
  }
  return "";
}

bool HasAny(const Value& schema, KeywordGroup group) {
  const auto any = [&](const auto& keywords) {
    return std::any_of(keywords.begin(), keywords.end(),
                       [&](const Keyword& keyword) { return schema.Find(keyword.name) != nullptr; });
  };
  switch (group) {
    case KeywordGroup::kNumber:
      return any(kNumberKeywords) || schema.Find("format") != nullptr;
    case KeywordGroup::kText:
      return any(kTextKeywords) || schema.Find("format") != nullptr;
    case KeywordGroup::kAny:
      return any(kAnyKeywords);
    case KeywordGroup::kList:
      return any(kListKeywords);
    case KeywordGroup::kObject:
      return any(kObjectKeywords);
  }
  return false;
}

constexpr KeywordGroup kGroups[] = {KeywordGroup::kNumber, KeywordGroup::kText, KeywordGroup::kAny,
                                    KeywordGroup::kList, KeywordGroup::kObject};

}  // namespace

// One value under check. A fault ends it, but for what is tried inside choices, whose faults are gathered.
class SchemaCheck {
 public:
  SchemaCheck(const StrictSchema& schema) : schema_(schema) {}

  // Where the value stands, and whether its faults are one choice of several.
  struct At {
    std::string path;
    bool in_choice = false;
    std::size_t depth = 0;

    At Into(std::string_view key) const { return {path + "/" + Escaped(key), in_choice, depth + 1}; }
    At Into(std::size_t index) const { return {fmt::format("{}/{}", path, index), in_choice, depth + 1}; }
    At Same() const { return {path, in_choice, depth + 1}; }
    At AsChoice() const { return {path, true, depth + 1}; }
  };

  bool Fits(const Value& schema, const Value& data, const At& at) {
    if (at.depth > kCheckDepthMax) return Fault(at, "is nested too deeply to be checked");
    if (++steps_ > kCheckStepsMax) return Fault(at, "takes too long to be checked");
    if (schema.is_bool()) return schema.AsBool() || Fault(at, "boolean schema is false");
    const std::vector<std::string> types = TypesOf(schema);
    const bool is_of_type =
        types.empty() ||
        std::any_of(types.begin(), types.end(), [&](const std::string& t) { return IsOfType(data, t); });
    const bool later =
        types.size() == 1 && std::any_of(std::begin(kGroups), std::end(kGroups), [&](auto group) {
          return GroupType(group) == types.front() && HasAny(schema, group);
        });
    if (!is_of_type && !later) return WrongType(at, types);
    for (const KeywordGroup group : kGroups) {
      if (!HasAny(schema, group)) continue;
      const std::string_view type = GroupType(group);
      if (type.empty() || IsOfType(data, type)) {
        if (!FitsGroup(group, schema, data, at)) return false;
      } else if (types.size() == 1 && types.front() == type) {
        return WrongType(at, types);
      }
    }
    return true;
  }

  std::vector<std::string> Take() && { return std::move(faults_); }

 private:
  bool FitsGroup(KeywordGroup group, const Value& schema, const Value& data, const At& at) {
    switch (group) {
      case KeywordGroup::kNumber:
        return FitsNumber(schema, data.AsNumber(), at) && FitsFormatOf(schema, data, at);
      case KeywordGroup::kText:
        return FitsText(schema, data.AsString(), at) && FitsFormatOf(schema, data, at);
      case KeywordGroup::kAny:
        return FitsAny(schema, data, at);
      case KeywordGroup::kList:
        return FitsList(schema, data.AsList(), at);
      case KeywordGroup::kObject:
        return FitsObject(schema, data.AsMap(), at);
    }
    return true;
  }

  // A fault that stands alone, unless choices are gathered.
  bool Fault(const At& at, std::string words) {
    if (!at.in_choice) faults_.clear();
    return More(at, std::move(words));
  }
  // A fault behind those that led to it.
  bool More(const At& at, std::string words) {
    if (faults_.size() < kFaultsMax) faults_.push_back(fmt::format("data{} {}", at.path, words));
    return false;
  }
  bool WrongType(const At& at, const std::vector<std::string>& types) {
    return Fault(at, fmt::format("must be {}", fmt::join(types, ",")));
  }
  // Tries a schema without a word of its faults.
  bool FitsSilently(const Value& schema, const Value& data, const At& at) {
    const std::size_t before = faults_.size();
    const bool fits = Fits(schema, data, at.AsChoice());
    faults_.resize(before);
    return fits;
  }

  bool FitsNumber(const Value& schema, double number, const At& at) {
    struct Limit {
      std::string_view keyword;
      std::string_view sign;
      bool (*holds)(double number, double limit);
    };
    constexpr Limit kLimits[] = {
        {"maximum", "<=", [](double n, double limit) { return n <= limit; }},
        {"minimum", ">=", [](double n, double limit) { return n >= limit; }},
        {"exclusiveMaximum", "<", [](double n, double limit) { return n < limit; }},
        {"exclusiveMinimum", ">", [](double n, double limit) { return n > limit; }},
    };
    for (const Limit& row : kLimits) {
      const std::optional<double> limit = schema.NumberAt(row.keyword);
      if (limit && !row.holds(number, *limit))
        return Fault(at, fmt::format("must be {} {}", row.sign, JsNumberText(*limit)));
    }
    const std::optional<double> unit = schema.NumberAt("multipleOf");
    if (!unit) return true;
    const double times = number / *unit;
    return std::floor(times) == times || Fault(at, "must be multiple of " + JsNumberText(*unit));
  }

  bool FitsCount(const Value& schema, std::string_view of, std::string_view what, std::size_t count,
                 const At& at) {
    const auto number = static_cast<double>(count);
    const std::optional<double> most = schema.NumberAt(fmt::format("max{}", of));
    if (most && number > *most)
      return Fault(at, fmt::format("must NOT have more than {} {}", JsNumberText(*most), what));
    const std::optional<double> least = schema.NumberAt(fmt::format("min{}", of));
    if (least && number < *least)
      return Fault(at, fmt::format("must NOT have fewer than {} {}", JsNumberText(*least), what));
    return true;
  }

  bool FitsText(const Value& schema, const std::string& text, const At& at) {
    if (!FitsCount(schema, "Length", "characters", CountCodePoints(text), at)) return false;
    const std::string* pattern = FindText(schema, "pattern");
    return pattern == nullptr || IsMatch(*pattern, text) ||
           Fault(at, fmt::format("must match pattern \"{}\"", *pattern));
  }

  bool FitsFormatOf(const Value& schema, const Value& data, const At& at) {
    const std::string* format = FindText(schema, "format");
    return format == nullptr || FitsFormat(*format, data) ||
           Fault(at, fmt::format("must match format \"{}\"", *format));
  }

  bool IsMatch(std::string_view pattern, std::string_view text) const {
    const auto found = schema_.patterns_.find(pattern);
    if (found == schema_.patterns_.end()) return false;
    RegexSubject subject(text);
    return found->second->Search(subject).value_or(false);
  }

  bool FitsAny(const Value& schema, const Value& data, const At& at) {
    if (const std::string* reference = FindText(schema, "$ref")) {
      const Value* target = schema_.Target(*reference);
      if (target != nullptr && !Fits(*target, data, at.Same())) return false;
    }
    if (const Value* constant = schema.Find("const"))
      if (!AreEqual(*constant, data)) return Fault(at, "must be equal to constant");
    if (const List* values = FindList(schema, "enum")) {
      const bool is_one = std::any_of(values->begin(), values->end(),
                                      [&](const Value& value) { return AreEqual(value, data); });
      if (!is_one) return Fault(at, "must be equal to one of the allowed values");
    }
    const Value* other = schema.Find("not");
    if (other != nullptr && FitsSilently(*other, data, at)) return Fault(at, "must NOT be valid");
    if (!FitsAnyOf(schema, data, at) || !FitsOneOf(schema, data, at)) return false;
    for (const Value& part : schema.ListAt("allOf")) {
      if (!Fits(part, data, at.Same())) return false;
    }
    return FitsIf(schema, data, at);
  }

  bool FitsAnyOf(const Value& schema, const Value& data, const At& at) {
    const List* choices = FindList(schema, "anyOf");
    if (choices == nullptr) return true;
    const std::size_t before = faults_.size();
    for (const Value& choice : *choices) {
      if (!Fits(choice, data, at.AsChoice())) continue;
      faults_.resize(before);
      return true;
    }
    return More(at, "must match a schema in anyOf");
  }

  bool FitsOneOf(const Value& schema, const Value& data, const At& at) {
    const List* choices = FindList(schema, "oneOf");
    if (choices == nullptr) return true;
    const std::size_t before = faults_.size();
    std::size_t fitting = 0;
    for (const Value& choice : *choices) {
      if (Fits(choice, data, at.AsChoice()) && ++fitting > 1) break;
    }
    if (fitting != 1) return More(at, "must match exactly one schema in oneOf");
    faults_.resize(before);
    return true;
  }

  bool FitsIf(const Value& schema, const Value& data, const At& at) {
    const Value* condition = schema.Find("if");
    if (condition == nullptr) return true;
    const std::string_view branch = FitsSilently(*condition, data, at) ? "then" : "else";
    const Value* part = schema.Find(branch);
    if (part == nullptr || Fits(*part, data, at.Same())) return true;
    return at.in_choice && More(at, fmt::format("must match \"{}\" schema", branch));
  }

  bool FitsList(const Value& schema, const List& list, const At& at) {
    if (!FitsCount(schema, "Items", "items", list.size(), at)) return false;
    if (schema.BoolAt("uniqueItems").value_or(false) && !AreUnique(schema, list, at)) return false;
    return FitsItems(schema, list, at) && FitsContains(schema, list, at);
  }

  bool AreUnique(const Value& schema, const List& list, const At& at) {
    const auto same = [&](std::size_t i, std::size_t j) {
      return Fault(at, fmt::format("must NOT have duplicate items (items ## {} and {} are identical)", j, i));
    };
    const Value* items = schema.Find("items");
    const std::vector<std::string> types = items == nullptr ? std::vector<std::string>() : TypesOf(*items);
    const bool is_flat =
        !types.empty() && std::none_of(types.begin(), types.end(), [](const std::string& type) {
          return type == "object" || type == "array";
        });
    for (std::size_t i = list.size(); i-- > 0;) {
      if (is_flat) {  // of plain values the nearest one behind
        for (std::size_t j = i + 1; j < list.size(); ++j) {
          if (AreEqual(list[i], list[j])) return same(i, j);
        }
        continue;
      }
      for (std::size_t j = i; j-- > 0;) {
        if (AreEqual(list[i], list[j])) return same(i, j);
      }
    }
    return true;
  }

  bool FitsItems(const Value& schema, const List& list, const At& at) {
    const List* items = FindList(schema, "items");
    if (items == nullptr) return FitsEach(schema, list, at);
    const std::size_t own = items->size();
    const Value* more = schema.Find("additionalItems");
    if (!schema.BoolAt("additionalItems").value_or(true) && list.size() > own)
      return Fault(at, fmt::format("must NOT have more than {} items", own));
    for (std::size_t i = own; more != nullptr && i < list.size(); ++i) {
      if (!Fits(*more, list[i], at.Into(i))) return false;
    }
    for (std::size_t i = 0; i < std::min(own, list.size()); ++i) {
      if (!Fits((*items)[i], list[i], at.Into(i))) return false;
    }
    return true;
  }

  // One schema for all items.
  bool FitsEach(const Value& schema, const List& list, const At& at) {
    const Value* items = schema.Find("items");
    for (std::size_t i = 0; items != nullptr && i < list.size(); ++i) {
      if (!Fits(*items, list[i], at.Into(i))) return false;
    }
    return true;
  }

  bool FitsContains(const Value& schema, const List& list, const At& at) {
    const Value* wanted = schema.Find("contains");
    if (wanted == nullptr) return true;
    const std::size_t before = faults_.size();
    for (std::size_t i = 0; i < list.size(); ++i) {
      At item = at.Into(i);
      item.in_choice = true;
      if (!Fits(*wanted, list[i], item)) continue;
      faults_.resize(before);
      return true;
    }
    return Fault(at, "must contain at least 1 valid item(s)");
  }

  bool FitsObject(const Value& schema, const Map& map, const At& at) {
    if (!FitsCount(schema, "Properties", "properties", map.size(), at)) return false;
    for (const Value& name : schema.ListAt("required")) {
      if (map.Find(name.AsString()) == nullptr)
        return Fault(at, fmt::format("must have required property '{}'", name.AsString()));
    }
    if (!FitNames(schema, map, at) || !FitMore(schema, map, at) || !FitDependencies(schema, map, at))
      return false;
    for (const Member& property : schema.MapAt("properties")) {
      const Value* value = map.Find(property.key);
      if (value != nullptr && !Fits(property.value, *value, at.Into(property.key))) return false;
    }
    for (const Member& pattern : schema.MapAt("patternProperties")) {
      for (const Member& member : map) {
        if (IsMatch(pattern.key, member.key) && !Fits(pattern.value, member.value, at.Into(member.key)))
          return false;
      }
    }
    return true;
  }

  bool FitNames(const Value& schema, const Map& map, const At& at) {
    const Value* names = schema.Find("propertyNames");
    if (names == nullptr) return true;
    for (const Member& member : map) {
      if (!Fits(*names, Value(member.key), at.AsChoice())) return More(at, "property name must be valid");
    }
    return true;
  }

  // The members that neither `properties` nor `patternProperties` names.
  bool FitMore(const Value& schema, const Map& map, const At& at) {
    const Value* more = schema.Find("additionalProperties");
    if (more == nullptr) return true;
    const Map& named = schema.MapAt("properties");
    const Map& patterns = schema.MapAt("patternProperties");
    for (const Member& member : map) {
      const bool is_named = named.Find(member.key) != nullptr ||
                            std::any_of(patterns.begin(), patterns.end(), [&](const Member& pattern) {
                              return IsMatch(pattern.key, member.key);
                            });
      if (is_named) continue;
      if (!schema.BoolAt("additionalProperties").value_or(true))
        return Fault(at, "must NOT have additional properties");
      if (!Fits(*more, member.value, at.Into(member.key))) return false;
    }
    return true;
  }

  bool FitDependencies(const Value& schema, const Map& map, const At& at) {
    const Map& dependencies = schema.MapAt("dependencies");
    for (const Member& row : dependencies) {
      if (map.Find(row.key) == nullptr || !row.value.is_list()) continue;
      const List& wanted = row.value.AsList();
      const bool has_all = std::all_of(wanted.begin(), wanted.end(), [&](const Value& name) {
        return map.Find(name.AsString()) != nullptr;
      });
      if (has_all) continue;
      std::vector<std::string> names;
      for (const Value& name : wanted) names.push_back(name.AsString());
      return Fault(
          at, fmt::format("must have {} {} when property {} is present",
                          names.size() == 1 ? "property" : "properties", fmt::join(names, ", "), row.key));
    }
    for (const Member& row : dependencies) {
      if (map.Find(row.key) == nullptr || row.value.is_list()) continue;
      if (!Fits(row.value, Value(map), at.Same())) return false;
    }
    return true;
  }

  const StrictSchema& schema_;
  std::vector<std::string> faults_;
  std::size_t steps_ = 0;
};

const Value* StrictSchema::Target(std::string_view reference) const {
  const std::string& id = schema_.TextAt("$id");
  if (!id.empty() && reference.starts_with(id)) reference.remove_prefix(id.size());
  if (reference.empty() || reference == "#") return &schema_;
  if (!reference.starts_with('#')) return nullptr;
  if (const auto named = names_.find(reference); named != names_.end()) return named->second;
  const std::string pointer = PercentDecoded(reference.substr(1));
  const Value* target = &schema_;
  for (std::size_t at = 0; at < pointer.size();) {
    if (pointer[at] != '/') return nullptr;
    const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
    const std::string key = Unescaped(std::string_view(pointer).substr(at + 1, end - at - 1));
    at = end;
    if (target->is_list()) {
      const std::optional<std::uint32_t> index = ArrayIndex(key);
      target = index && *index < target->AsList().size() ? &target->AsList()[*index] : nullptr;
    } else {
      target = target->Find(key);
    }
    if (target == nullptr) return nullptr;
  }
  return target->is_map() || target->is_bool() ? target : nullptr;
}

std::vector<std::string> StrictSchema::Faults(const Value& value) const {
  SchemaCheck check(*this);
  if (check.Fits(schema_, value, {})) return {};
  return std::move(check).Take();
}

}  // namespace assay::promptfoo
