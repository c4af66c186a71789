// Asks a value about every keyword of a JSON Schema: one function and one row for each.
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "base/errors/diagnostics.h"
#include "base/text/utf8.h"
#include "text/cpu_budget.h"
#include "text/json/json.h"
#include "text/schema/json_schema.h"
#include "text/schema/limits.h"

namespace assay {

namespace {

namespace drafts = schema_drafts;

// Which members and items of one value some part of the schema has looked at: what unevaluatedProperties and
// unevaluatedItems leave alone.
struct Seen {
  std::vector<bool> members;
  std::vector<bool> items;

  static void Mark(std::vector<bool>& marks, std::size_t at) {
    if (marks.size() <= at) marks.resize(at + 1);
    marks[at] = true;
  }
  static bool Has(const std::vector<bool>& marks, std::size_t at) { return at < marks.size() && marks[at]; }
  void Add(const Seen& other) {
    for (std::size_t i = 0; i < other.members.size(); ++i)
      if (other.members[i]) Mark(members, i);
    for (std::size_t i = 0; i < other.items.size(); ++i)
      if (other.items[i]) Mark(items, i);
  }
};

std::string_view TypeOf(const Value& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return "boolean";
  if (value.is_number()) return "number";
  if (value.is_string()) return "string";
  return value.is_list() ? "array" : "object";
}

bool IsWhole(const Value& value) {
  return value.is_number() && std::isfinite(value.AsNumber()) &&
         value.AsNumber() == std::floor(value.AsNumber());
}

bool HasType(const Value& value, std::string_view type) {
  return type == "integer" ? IsWhole(value) : TypeOf(value) == type;
}

// As JSON has it: 1 is 1.0, and members have no order.
bool AreEqual(const Value& a, const Value& b) {
  if (TypeOf(a) != TypeOf(b)) return false;
  if (a.is_number()) return a.AsNumber() == b.AsNumber();
  if (a.is_bool()) return a.AsBool() == b.AsBool();
  if (a.is_string()) return a.AsString() == b.AsString();
  if (a.is_list())
    return std::equal(a.AsList().begin(), a.AsList().end(), b.AsList().begin(), b.AsList().end(), AreEqual);
  if (!a.is_map()) return true;
  return a.AsMap().size() == b.AsMap().size() &&
         std::all_of(a.AsMap().begin(), a.AsMap().end(), [&](const Member& member) {
           const Value* other = b.AsMap().Find(member.key);
           return other != nullptr && AreEqual(member.value, *other);
         });
}

// Of numbers as people write them: 19.99 is a multiple of 0.01, though not of the double that stands for it.
bool IsMultiple(double number, double of) {
  const double quotient = number / of;
  if (!std::isfinite(quotient)) return std::fmod(number, of) == 0;
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  return std::abs(quotient - std::nearbyint(quotient)) <= kRounding * std::abs(quotient);
}

std::string Shown(const Value& value) { return Quoted(WriteJson(value, JsonStyle::kJavaScript)); }

}  // namespace

// One value asked about one schema. Used once.
class SchemaWalk {
 public:
  explicit SchemaWalk(const JsonSchema& schema) : schema_(schema) {}

  Result<std::vector<SchemaFault>> Run(const Value& value) {
    Seen seen;
    Fits({&schema_.schema_, 0}, value, seen);
    if (faults_.empty() && limit_) return *std::move(limit_);
    return std::move(faults_);
  }

 private:
  // A keyword, what it holds, and of which value of which part it is asked.
  struct KeywordUse {
    const Value& held;
    const SchemaPart part;
    const Value& value;
    Seen& seen;
    std::string_view keyword;
    const Value* Beside(std::string_view name) const { return part.schema->Find(name); }
    double Number() const { return held.AsNumber(); }
  };
  struct Row {
    std::string_view keyword;
    unsigned drafts;
    bool (SchemaWalk::*ask)(const KeywordUse&);
  };
  static std::span<const Row> Rows();

  // Undoes what it did, so that places and scopes are as they were.
  template <class Undo>
  struct AtEnd {
    Undo undo;
    ~AtEnd() { undo(); }
  };
  template <class Undo>
  AtEnd(Undo) -> AtEnd<Undo>;

  bool Fits(SchemaPart part, const Value& value, Seen& seen) {
    if (limit_) return false;
    // A few parts of a schema speak of each value, unless it goes round in circles.
    if (depth_ >= limits::kSchemaDepthMax) {
      constexpr std::size_t kDeep = limits::kSchemaDepthMax / 16;
      return Stop("its parts refer to each other without end",
                  place_.size() < kDeep ? ErrorCode::kInvalidInput : ErrorCode::kLimit);
    }
    if (cpu_.Exhausted()) return Stop("it takes too long");
    if (part.schema->is_bool())
      return part.schema->AsBool() || Fail("nothing is allowed here", "nothing", Shown(value));
    ++depth_;
    scope_.push_back(part.resource);
    const AtEnd leave{[this] {
      --depth_;
      scope_.pop_back();
    }};
    const bool is_alone = schema_.draft_ == drafts::k7 && part.schema->Find("$ref") != nullptr;
    Seen own;
    bool fits = true;
    for (const Row& row : Rows()) {
      if ((row.drafts & schema_.draft_) == 0) continue;
      if (is_alone && row.keyword != "$ref") continue;
      // What did not fit was not looked at to its end.
      if (!fits && row.keyword.starts_with("unevaluated")) continue;
      const Value* held = part.schema->Find(row.keyword);
      if (held != nullptr) fits = (this->*row.ask)({*held, part, value, own, row.keyword}) && fits;
      if (!fits && !LooksOn()) return false;
    }
    if (schema_.gathers_) seen.Add(own);
    return fits && !limit_;
  }

  // Whether more faults of the value are looked for.
  bool LooksOn() const { return quiet_ == 0 && !limit_ && faults_.size() < limits::kSchemaFaultsMax; }

  // The same without a word on why not.
  bool FitsQuietly(SchemaPart part, const Value& value, Seen& seen) {
    ++quiet_;
    const bool fits = Fits(part, value, seen);
    --quiet_;
    return fits;
  }

  // A part within another: in the same resource, unless it is one of its own.
  SchemaPart Within(const Value& part) const { return {&part, schema_.resource_of_.at(&part)}; }

  bool FitsMember(const Value& part, const Member& member) {
    place_.push_back({&member.key, 0});
    const AtEnd leave{[this] { place_.pop_back(); }};
    Seen seen;
    return Fits(Within(part), member.value, seen);
  }
  bool FitsItem(const Value& part, const Value& list, std::size_t index) {
    place_.push_back({nullptr, index});
    const AtEnd leave{[this] { place_.pop_back(); }};
    Seen seen;
    return Fits(Within(part), list.AsList()[index], seen);
  }

  bool Stop(std::string_view why, ErrorCode code = ErrorCode::kLimit) {
    if (!limit_)
      limit_ = Error{.code = code, .message = fmt::format("the JSON Schema cannot be asked: {}", why)};
    return false;
  }

  bool Fail(std::string words, std::string expected, std::string found) {
    if (!LooksOn()) return false;
    SchemaFault fault{
        .place = {}, .words = std::move(words), .expected = std::move(expected), .found = std::move(found)};
    for (const Place& place : place_) {
      fault.place += '/';
      if (place.key == nullptr) {
        fault.place += std::to_string(place.index);
        continue;
      }
      for (const char c : *place.key) fault.place += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    }
    faults_.push_back(std::move(fault));
    return false;
  }

  bool Expected(const std::string& expected, const std::string& found) {
    return Fail(fmt::format("expected {}, found {}", expected, found), expected, found);
  }
  bool Bounded(const KeywordUse& asked, const std::string& found) {
    const std::string bound = fmt::format("{}: {}", asked.keyword, Shown(asked.held));
    return Fail(fmt::format("{}, found {}", bound, found), bound, found);
  }

  bool Matches(const std::string& pattern, std::string_view text) {
    RegexSubject subject(text);
    const Result<bool> found = schema_.patterns_.find(pattern)->second->Search(subject);
    return found ? *found : Stop(found.error().message);
  }

  // Where references lead.
  bool AskRef(const KeywordUse& asked) {
    return Fits(*schema_.links_.at(asked.part.schema).ref, asked.value, asked.seen);
  }
  bool AskDynamicRef(const KeywordUse& asked) {
    const JsonSchema::Links& links = schema_.links_.at(asked.part.schema);
    if (!links.dynamic_anchor.empty()) {
      for (const std::size_t resource : scope_) {
        const JsonSchema::Resource& entered = schema_.resources_[resource];
        if (entered.dynamic_anchors.contains(links.dynamic_anchor))
          return Fits(entered.anchors.find(links.dynamic_anchor)->second, asked.value, asked.seen);
      }
    }
    return Fits(*links.dynamic, asked.value, asked.seen);
  }

  // Any value.
  bool AskType(const KeywordUse& asked) {
    const List one{asked.held};
    const List& types = asked.held.is_list() ? asked.held.AsList() : one;
    std::vector<std::string_view> names;
    for (const Value& type : types) {
      if (HasType(asked.value, type.AsString())) return true;
      names.push_back(type.AsString());
    }
    return Expected(fmt::format("{}", fmt::join(names, " or ")), std::string(TypeOf(asked.value)));
  }
  bool AskEnum(const KeywordUse& asked) {
    const List& values = asked.held.AsList();
    if (std::any_of(values.begin(), values.end(),
                    [&](const Value& each) { return AreEqual(each, asked.value); }))
      return true;
    return Expected("one of " + Shown(asked.held), Shown(asked.value));
  }
  bool AskConst(const KeywordUse& asked) {
    return AreEqual(asked.held, asked.value) || Expected(Shown(asked.held), Shown(asked.value));
  }

  // Schemas of the same value.
  bool AskAllOf(const KeywordUse& asked) {
    bool fits = true;
    for (const Value& part : asked.held.AsList()) {
      fits = Fits(Within(part), asked.value, asked.seen) && fits;
      if (!fits && !LooksOn()) return false;
    }
    return fits;
  }
  bool AskAnyOf(const KeywordUse& asked) {
    bool fits = false;
    for (const Value& part : asked.held.AsList()) {
      fits = FitsQuietly(Within(part), asked.value, asked.seen) || fits;
      if (fits && !schema_.gathers_) return true;
    }
    return fits || Fail("fits none of the schemas of anyOf", "what one of anyOf allows", Shown(asked.value));
  }
  bool AskOneOf(const KeywordUse& asked) {
    std::size_t fitting = 0;
    for (const Value& part : asked.held.AsList())
      fitting += FitsQuietly(Within(part), asked.value, asked.seen) ? 1 : 0;
    return fitting == 1 ||
           Fail(fmt::format("fits {} of the schemas of oneOf", fitting == 0 ? "none" : "more than one"),
                "what exactly one of oneOf allows", Shown(asked.value));
  }
  bool AskNot(const KeywordUse& asked) {
    Seen seen;
    return !FitsQuietly(Within(asked.held), asked.value, seen) ||
           Fail("is what `not` excludes", "anything that `not` does not exclude", Shown(asked.value));
  }
  bool AskIf(const KeywordUse& asked) {
    const bool holds = FitsQuietly(Within(asked.held), asked.value, asked.seen);
    const Value* part = asked.Beside(holds ? "then" : "else");
    return part == nullptr || Fits(Within(*part), asked.value, asked.seen);
  }

  // Numbers.
  bool AskBound(const KeywordUse& asked) {
    if (!asked.value.is_number()) return true;
    const double number = asked.value.AsNumber();
    const bool is_lower = asked.keyword == "minimum" || asked.keyword == "exclusiveMinimum";
    const bool fits = (is_lower ? number > asked.Number() : number < asked.Number()) ||
                      (number == asked.Number() && !asked.keyword.starts_with("exclusive"));
    return fits || Bounded(asked, Shown(asked.value));
  }
  bool AskMultipleOf(const KeywordUse& asked) {
    return !asked.value.is_number() || IsMultiple(asked.value.AsNumber(), asked.Number()) ||
           Fail(fmt::format("{} is no multiple of {}", Shown(asked.value), Shown(asked.held)),
                "a multiple of " + Shown(asked.held), Shown(asked.value));
  }

  // How long, how many.
  bool AskSize(const KeywordUse& asked) {
    const Value& value = asked.value;
    std::size_t size = 0;
    if (asked.keyword.ends_with("Length") && value.is_string()) {
      size = CountCodePoints(value.AsString());
    } else if (asked.keyword.ends_with("Items") && value.is_list()) {
      size = value.AsList().size();
    } else if (asked.keyword.ends_with("Properties") && value.is_map()) {
      size = value.AsMap().size();
    } else {
      return true;
    }
    const bool fits = asked.keyword.starts_with("max") ? static_cast<double>(size) <= asked.Number()
                                                       : static_cast<double>(size) >= asked.Number();
    return fits || Bounded(asked, std::to_string(size));
  }
  bool AskPattern(const KeywordUse& asked) {
    return !asked.value.is_string() || Matches(asked.held.AsString(), asked.value.AsString()) ||
           Fail(fmt::format("{} does not match {}", Shown(asked.value), Quoted(asked.held.AsString())),
                "a match of " + Quoted(asked.held.AsString()), Shown(asked.value));
  }

  // Lists.
  bool Items(const Value& part, const KeywordUse& asked, std::size_t from) {
    bool fit = true;
    for (std::size_t i = from; i < asked.value.AsList().size(); ++i) {
      fit = FitsItem(part, asked.value, i) && fit;
      if (!fit && !LooksOn()) return false;
      Seen::Mark(asked.seen.items, i);
    }
    return fit;
  }
  bool Prefix(const List& parts, const KeywordUse& asked) {
    bool fit = true;
    for (std::size_t i = 0; i < std::min(parts.size(), asked.value.AsList().size()); ++i) {
      fit = FitsItem(parts[i], asked.value, i) && fit;
      if (!fit && !LooksOn()) return false;
      Seen::Mark(asked.seen.items, i);
    }
    return fit;
  }
  bool AskPrefixItems(const KeywordUse& asked) {
    return !asked.value.is_list() || Prefix(asked.held.AsList(), asked);
  }
  bool AskItems(const KeywordUse& asked) {
    if (!asked.value.is_list()) return true;
    if (asked.held.is_list()) return Prefix(asked.held.AsList(), asked);
    const Value* prefix = schema_.draft_ == drafts::k7 ? nullptr : asked.Beside("prefixItems");
    return Items(asked.held, asked, prefix == nullptr ? 0 : prefix->AsList().size());
  }
  bool AskAdditionalItems(const KeywordUse& asked) {
    const Value* items = asked.Beside("items");
    if (!asked.value.is_list() || items == nullptr || !items->is_list()) return true;
    return Items(asked.held, asked, items->AsList().size());
  }
  bool AskContains(const KeywordUse& asked) {
    if (!asked.value.is_list()) return true;
    double count = 0;
    ++quiet_;
    for (std::size_t i = 0; i < asked.value.AsList().size(); ++i) {
      if (!FitsItem(asked.held, asked.value, i)) continue;
      Seen::Mark(asked.seen.items, i);
      ++count;
    }
    --quiet_;
    const bool counts = schema_.draft_ == drafts::k2020;
    const Value* least = counts ? asked.Beside("minContains") : nullptr;
    const Value* most = counts ? asked.Beside("maxContains") : nullptr;
    const bool fits =
        count >= (least == nullptr ? 1 : least->AsNumber()) && (most == nullptr || count <= most->AsNumber());
    return fits || Fail(fmt::format("{} of its items fit `contains`", count), "items that fit `contains`",
                        fmt::format("{} of them", count));
  }
  bool AskUniqueItems(const KeywordUse& asked) {
    if (!asked.value.is_list() || !asked.held.AsBool()) return true;
    std::set<std::string> texts;
    for (const Value& item : asked.value.AsList()) {
      if (!texts.insert(WriteJson(item, JsonStyle::kCanonical)).second)
        return Fail(fmt::format("has {} twice", Shown(item)), "each item once", Shown(item) + " twice");
    }
    return true;
  }
  bool AskUnevaluatedItems(const KeywordUse& asked) {
    if (!asked.value.is_list()) return true;
    for (std::size_t i = 0; i < asked.value.AsList().size(); ++i) {
      if (Seen::Has(asked.seen.items, i)) continue;
      if (!FitsItem(asked.held, asked.value, i)) return false;
      Seen::Mark(asked.seen.items, i);
    }
    return true;
  }

  // Objects.
  bool AskRequired(const KeywordUse& asked) {
    return !asked.value.is_map() || HasAll(asked.held.AsList(), asked);
  }
  bool HasAll(const List& names, const KeywordUse& asked) {
    bool has_all = true;
    for (const Value& name : names) {
      if (asked.value.Find(name.AsString()) != nullptr) continue;
      const std::string member = Quoted(name.AsString());
      has_all = Fail("lacks " + member, "a member " + member, "");
      if (!LooksOn()) return false;
    }
    return has_all;
  }
  bool AskDependencies(const KeywordUse& asked) {
    if (!asked.value.is_map()) return true;
    for (const Member& member : asked.held.AsMap()) {
      if (asked.value.Find(member.key) == nullptr) continue;
      const bool fits = member.value.is_list() ? HasAll(member.value.AsList(), asked)
                                               : Fits(Within(member.value), asked.value, asked.seen);
      if (!fits) return false;
    }
    return true;
  }
  bool AskProperties(const KeywordUse& asked) {
    if (!asked.value.is_map()) return true;
    bool fit = true;
    std::size_t i = 0;
    for (const Member& member : asked.value.AsMap()) {
      const Value* part = asked.held.Find(member.key);
      if (part != nullptr) {
        fit = FitsMember(*part, member) && fit;
        if (!fit && !LooksOn()) return false;
        Seen::Mark(asked.seen.members, i);
      }
      ++i;
    }
    return fit;
  }
  bool AskPatternProperties(const KeywordUse& asked) {
    if (!asked.value.is_map()) return true;
    bool fit = true;
    std::size_t i = 0;
    for (const Member& member : asked.value.AsMap()) {
      for (const Member& pattern : asked.held.AsMap()) {
        if (!Matches(pattern.key, member.key)) continue;
        fit = FitsMember(pattern.value, member) && fit;
        if (!fit && !LooksOn()) return false;
        Seen::Mark(asked.seen.members, i);
      }
      ++i;
    }
    return fit;
  }
  bool AskAdditionalProperties(const KeywordUse& asked) {
    if (!asked.value.is_map()) return true;
    const Value* properties = asked.Beside("properties");
    const Value* patterns = asked.Beside("patternProperties");
    bool fit = true;
    std::size_t i = 0;
    for (const Member& member : asked.value.AsMap()) {
      const bool is_named = (properties != nullptr && properties->Find(member.key) != nullptr) ||
                            (patterns != nullptr &&
                             std::any_of(patterns->AsMap().begin(), patterns->AsMap().end(),
                                         [&](const Member& each) { return Matches(each.key, member.key); }));
      if (!is_named) {
        fit = FitsMember(asked.held, member) && fit;
        if (!fit && !LooksOn()) return false;
        Seen::Mark(asked.seen.members, i);
      }
      ++i;
    }
    return fit;
  }
  bool AskUnevaluatedProperties(const KeywordUse& asked) {
    if (!asked.value.is_map()) return true;
    std::size_t i = 0;
    for (const Member& member : asked.value.AsMap()) {
      if (!Seen::Has(asked.seen.members, i)) {
        if (!FitsMember(asked.held, member)) return false;
        Seen::Mark(asked.seen.members, i);
      }
      ++i;
    }
    return true;
  }
  bool AskPropertyNames(const KeywordUse& asked) {
    if (!asked.value.is_map()) return true;
    for (const Member& member : asked.value.AsMap()) {
      Seen seen;
      if (!FitsQuietly(Within(asked.held), Value(member.key), seen))
        return Fail(fmt::format("may have no member {}", Quoted(member.key)), "other names of members",
                    Quoted(member.key));
    }
    return true;
  }

  struct Place {
    const std::string* key;  // of a member; null: of an item
    std::size_t index;
  };

  const JsonSchema& schema_;
  CpuBudget cpu_{limits::kSchemaTime};
  std::size_t depth_ = 0;
  std::vector<std::size_t> scope_;  // the resources of the parts that are being asked, the first one first
  std::vector<Place> place_;
  int quiet_ = 0;
  std::vector<SchemaFault> faults_;
  std::optional<Error> limit_;
};

// In this order: the last two look at what all others have evaluated.
std::span<const SchemaWalk::Row> SchemaWalk::Rows() {
  static constexpr Row kRows[] = {
      {"$ref", drafts::kBoth, &SchemaWalk::AskRef},
      {"$dynamicRef", drafts::k2020, &SchemaWalk::AskDynamicRef},
      {"type", drafts::kBoth, &SchemaWalk::AskType},
      {"enum", drafts::kBoth, &SchemaWalk::AskEnum},
      {"const", drafts::kBoth, &SchemaWalk::AskConst},
      {"multipleOf", drafts::kBoth, &SchemaWalk::AskMultipleOf},
      {"maximum", drafts::kBoth, &SchemaWalk::AskBound},
      {"exclusiveMaximum", drafts::kBoth, &SchemaWalk::AskBound},
      {"minimum", drafts::kBoth, &SchemaWalk::AskBound},
      {"exclusiveMinimum", drafts::kBoth, &SchemaWalk::AskBound},
      {"maxLength", drafts::kBoth, &SchemaWalk::AskSize},
      {"minLength", drafts::kBoth, &SchemaWalk::AskSize},
      {"pattern", drafts::kBoth, &SchemaWalk::AskPattern},
      {"maxItems", drafts::kBoth, &SchemaWalk::AskSize},
      {"minItems", drafts::kBoth, &SchemaWalk::AskSize},
      {"uniqueItems", drafts::kBoth, &SchemaWalk::AskUniqueItems},
      {"maxProperties", drafts::kBoth, &SchemaWalk::AskSize},
      {"minProperties", drafts::kBoth, &SchemaWalk::AskSize},
      {"required", drafts::kBoth, &SchemaWalk::AskRequired},
      {"dependentRequired", drafts::k2020, &SchemaWalk::AskDependencies},
      {"dependentSchemas", drafts::k2020, &SchemaWalk::AskDependencies},
      {"dependencies", drafts::k7, &SchemaWalk::AskDependencies},
      {"propertyNames", drafts::kBoth, &SchemaWalk::AskPropertyNames},
      {"properties", drafts::kBoth, &SchemaWalk::AskProperties},
      {"patternProperties", drafts::kBoth, &SchemaWalk::AskPatternProperties},
      {"additionalProperties", drafts::kBoth, &SchemaWalk::AskAdditionalProperties},
      {"prefixItems", drafts::k2020, &SchemaWalk::AskPrefixItems},
      {"items", drafts::kBoth, &SchemaWalk::AskItems},
      {"additionalItems", drafts::k7, &SchemaWalk::AskAdditionalItems},
      {"contains", drafts::kBoth, &SchemaWalk::AskContains},
      {"allOf", drafts::kBoth, &SchemaWalk::AskAllOf},
      {"anyOf", drafts::kBoth, &SchemaWalk::AskAnyOf},
      {"oneOf", drafts::kBoth, &SchemaWalk::AskOneOf},
      {"not", drafts::kBoth, &SchemaWalk::AskNot},
      {"if", drafts::kBoth, &SchemaWalk::AskIf},
      {"unevaluatedItems", drafts::k2020, &SchemaWalk::AskUnevaluatedItems},
      {"unevaluatedProperties", drafts::k2020, &SchemaWalk::AskUnevaluatedProperties},
  };
  return kRows;
}

Result<std::vector<SchemaFault>> JsonSchema::Check(const Value& value) const {
  return SchemaWalk(*this).Run(value);
}

}  // namespace assay
