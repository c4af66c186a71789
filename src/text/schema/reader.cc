// Compiles a JSON Schema: checks what its keywords hold, finds what `$id` and `$anchor` name, and where each
// `$ref` leads.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/errors/diagnostics.h"
#include "base/text/percent.h"
#include "text/schema/json_schema.h"
#include "text/schema/uri.h"

namespace assay {

namespace {

namespace drafts = schema_drafts;

// What a keyword holds.
enum class Holds {
  kSchema,
  kSchemas,       // a list of them, not empty
  kSchemaMap,     // by names of members
  kByPattern,     // by regular expressions
  kItems,         // a schema, or a list of them
  kDependencies,  // by names of members: schemas, or lists of names
  kText,
  kTexts,
  kTextLists,  // by names of members
  kType,
  kList,
  kBool,
  kNumber,
  kPositive,
  kCount,
  kPattern,
};

struct Shape {
  std::string_view keyword;
  unsigned drafts;
  Holds holds;
};
constexpr Shape kShapes[] = {
    {"$ref", drafts::kBoth, Holds::kText},
    {"$dynamicRef", drafts::k2020, Holds::kText},
    {"$defs", drafts::kBoth, Holds::kSchemaMap},
    {"definitions", drafts::kBoth, Holds::kSchemaMap},
    {"properties", drafts::kBoth, Holds::kSchemaMap},
    {"patternProperties", drafts::kBoth, Holds::kByPattern},
    {"additionalProperties", drafts::kBoth, Holds::kSchema},
    {"unevaluatedProperties", drafts::k2020, Holds::kSchema},
    {"propertyNames", drafts::kBoth, Holds::kSchema},
    {"dependentSchemas", drafts::k2020, Holds::kSchemaMap},
    {"dependencies", drafts::k7, Holds::kDependencies},
    {"prefixItems", drafts::k2020, Holds::kSchemas},
    {"items", drafts::k7, Holds::kItems},
    {"items", drafts::k2020, Holds::kSchema},
    {"additionalItems", drafts::k7, Holds::kSchema},
    {"unevaluatedItems", drafts::k2020, Holds::kSchema},
    {"contains", drafts::kBoth, Holds::kSchema},
    {"allOf", drafts::kBoth, Holds::kSchemas},
    {"anyOf", drafts::kBoth, Holds::kSchemas},
    {"oneOf", drafts::kBoth, Holds::kSchemas},
    {"not", drafts::kBoth, Holds::kSchema},
    {"if", drafts::kBoth, Holds::kSchema},
    {"then", drafts::kBoth, Holds::kSchema},
    {"else", drafts::kBoth, Holds::kSchema},
    {"type", drafts::kBoth, Holds::kType},
    {"enum", drafts::kBoth, Holds::kList},
    {"multipleOf", drafts::kBoth, Holds::kPositive},
    {"maximum", drafts::kBoth, Holds::kNumber},
    {"exclusiveMaximum", drafts::kBoth, Holds::kNumber},
    {"minimum", drafts::kBoth, Holds::kNumber},
    {"exclusiveMinimum", drafts::kBoth, Holds::kNumber},
    {"maxLength", drafts::kBoth, Holds::kCount},
    {"minLength", drafts::kBoth, Holds::kCount},
    {"pattern", drafts::kBoth, Holds::kPattern},
    {"maxItems", drafts::kBoth, Holds::kCount},
    {"minItems", drafts::kBoth, Holds::kCount},
    {"uniqueItems", drafts::kBoth, Holds::kBool},
    {"maxContains", drafts::k2020, Holds::kCount},
    {"minContains", drafts::k2020, Holds::kCount},
    {"maxProperties", drafts::kBoth, Holds::kCount},
    {"minProperties", drafts::kBoth, Holds::kCount},
    {"required", drafts::kBoth, Holds::kTexts},
    {"dependentRequired", drafts::k2020, Holds::kTextLists},
};

constexpr std::string_view kTypes[] = {"null", "boolean", "number", "integer", "string", "array", "object"};

bool IsTypeName(const Value& value) {
  return value.is_string() &&
         std::find(std::begin(kTypes), std::end(kTypes), value.AsString()) != std::end(kTypes);
}

bool IsType(const Value& value) {
  if (!value.is_list()) return IsTypeName(value);
  return !value.AsList().empty() && std::all_of(value.AsList().begin(), value.AsList().end(), IsTypeName);
}

bool AreTexts(const Value& value) {
  return value.is_list() && std::all_of(value.AsList().begin(), value.AsList().end(),
                                        [](const Value& each) { return each.is_string(); });
}

bool AreTextLists(const Value& value) {
  return value.is_map() && std::all_of(value.AsMap().begin(), value.AsMap().end(),
                                       [](const Member& each) { return AreTexts(each.value); });
}

bool IsCount(const Value& value) {
  return value.is_number() && value.AsNumber() >= 0 && value.AsNumber() == std::floor(value.AsNumber());
}

Error Broken(std::string message, const Value& at) {
  return {.code = ErrorCode::kInvalidInput, .message = std::move(message), .where = at.span};
}

std::optional<unsigned> DraftOf(std::string_view uri) {
  if (uri.ends_with('#')) uri.remove_suffix(1);
  if (uri.starts_with("https:")) uri.remove_prefix(std::string_view("https:").size());
  if (uri.starts_with("http:")) uri.remove_prefix(std::string_view("http:").size());
  if (uri == "//json-schema.org/draft-07/schema") return drafts::k7;
  if (uri == "//json-schema.org/draft/2020-12/schema") return drafts::k2020;
  return std::nullopt;
}

// A step of a JSON pointer: the member, or the item, of that name; null if there is none.
const Value* Step(const Value& from, std::string_view name) {
  if (from.is_map()) return from.Find(name);
  if (!from.is_list() || name.empty() || (name.size() > 1 && name[0] == '0')) return nullptr;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  const bool is_index =
      error == std::errc() && end == name.data() + name.size() && index < from.AsList().size();
  return is_index ? &from.AsList()[index] : nullptr;
}

std::string Unescaped(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_pair = name[i] == '~' && i + 1 < name.size() && (name[i + 1] == '0' || name[i + 1] == '1');
    out += !is_pair ? name[i] : name[i + 1] == '0' ? '~' : '/';
    if (is_pair) ++i;
  }
  return out;
}

}  // namespace

class SchemaReader {
 public:
  explicit SchemaReader(JsonSchema& out) : out_(out), draft_(out.draft_) {}

  Result<void> Read() {
    out_.resources_.push_back({.uri = {}, .root = &out_.schema_, .anchors = {}, .dynamic_anchors = {}});
    by_uri_.emplace("", 0);
    ASSAY_CHECK_OK(Part(out_.schema_, 0));
    // What a reference leads to may hold references of its own.
    for (std::size_t i = 0; i < referring_.size(); ++i) ASSAY_CHECK_OK(Link(referring_[i]));
    return {};
  }

 private:
  // A part that is a schema, with all that it holds.
  Result<void> Part(const Value& part, std::size_t resource) {
    if (out_.resource_of_.contains(&part)) return {};
    if (part.is_bool()) {
      out_.resource_of_.emplace(&part, resource);
      return {};
    }
    if (!part.is_map()) {
      return Broken(
          fmt::format("expected a JSON Schema (a mapping, true or false), found {}", KindName(part)), part);
    }
    ASSAY_CHECK_OK(Name(part, resource));
    out_.resource_of_.emplace(&part, resource);
    for (const Shape& shape : kShapes) {
      if ((shape.drafts & draft_) == 0) continue;
      const Value* held = part.Find(shape.keyword);
      if (held != nullptr) {
        ASSAY_CHECK_OK(Keyword(shape, *held, resource));
      }
    }
    if (part.Find("unevaluatedItems") != nullptr || part.Find("unevaluatedProperties") != nullptr)
      out_.gathers_ = draft_ == drafts::k2020;
    if (part.Find("$ref") != nullptr || part.Find("$dynamicRef") != nullptr)
      referring_.push_back({&part, resource});
    return {};
  }

  Result<void> Text(const Value& part, std::string_view keyword, const Value*& found) {
    found = part.Find(keyword);
    if (found == nullptr || found->is_string()) return {};
    return Broken(fmt::format("{}: expected a text, found {}", keyword, KindName(*found)), *found);
  }

  // `$id` and anchors: may set `resource` to one of its own.
  Result<void> Name(const Value& part, std::size_t& resource) {
    const Value* id = nullptr;
    ASSAY_CHECK_OK(Text(part, "$id", id));
    // Draft 7 ignores what stands beside a `$ref`.
    if (id != nullptr && (draft_ != drafts::k7 || part.Find("$ref") == nullptr)) {
      const SplitUri split = SplitFragment(id->AsString());
      if (!split.whole.empty()) {
        const std::string uri = ResolveUri(out_.resources_[resource].uri, split.whole);
        if (&part == &out_.schema_) {
          out_.resources_[0].uri = uri;
        } else {
          resource = out_.resources_.size();
          out_.resources_.push_back({.uri = uri, .root = &part, .anchors = {}, .dynamic_anchors = {}});
        }
        by_uri_.emplace(uri, resource);
      }
      if (draft_ == drafts::k7 && !split.fragment.empty())
        out_.resources_[resource].anchors.emplace(split.fragment, SchemaPart{&part, resource});
    }
    if (draft_ == drafts::k7) return {};
    const Value* anchor = nullptr;
    ASSAY_CHECK_OK(Text(part, "$anchor", anchor));
    if (anchor != nullptr)
      out_.resources_[resource].anchors.emplace(anchor->AsString(), SchemaPart{&part, resource});
    ASSAY_CHECK_OK(Text(part, "$dynamicAnchor", anchor));
    if (anchor == nullptr) return {};
    out_.resources_[resource].anchors.insert_or_assign(anchor->AsString(), SchemaPart{&part, resource});
    out_.resources_[resource].dynamic_anchors.insert(anchor->AsString());
    return {};
  }

  Result<void> Keyword(const Shape& shape, const Value& held, std::size_t resource) {
    const auto expected = [&](std::string_view what) {
      return Broken(fmt::format("{}: expected {}, found {}", shape.keyword, what, KindName(held)), held);
    };
    switch (shape.holds) {
      case Holds::kSchema:
        return Part(held, resource);
      case Holds::kItems:
        return held.is_list() ? Parts(held.AsList(), resource) : Part(held, resource);
      case Holds::kSchemas:
        if (!held.is_list() || held.AsList().empty()) return expected("a list of schemas");
        return Parts(held.AsList(), resource);
      case Holds::kSchemaMap:
      case Holds::kByPattern:
      case Holds::kDependencies:
        if (!held.is_map()) return expected("a mapping of schemas");
        return Members(shape, held.AsMap(), resource);
      case Holds::kText:
        if (!held.is_string()) return expected("a text");
        return {};
      case Holds::kTexts:
        if (!AreTexts(held)) return expected("a list of texts");
        return {};
      case Holds::kTextLists:
        if (!AreTextLists(held)) return expected("a mapping of lists of texts");
        return {};
      case Holds::kType:
        if (!IsType(held))
          return expected("null, boolean, number, integer, string, array, object or a list of these");
        return {};
      case Holds::kList:
        if (!held.is_list()) return expected("a list");
        return {};
      case Holds::kBool:
        if (!held.is_bool()) return expected("true or false");
        return {};
      case Holds::kNumber:
        if (!held.is_number()) return expected("a number");
        return {};
      case Holds::kPositive:
        if (!held.is_number() || !(held.AsNumber() > 0)) return expected("a number above 0");
        return {};
      case Holds::kCount:
        if (!IsCount(held)) return expected("a whole number of at least 0");
        return {};
      case Holds::kPattern:
        if (!held.is_string()) return expected("a regular expression");
        return Pattern(held.AsString(), held);
    }
    return {};
  }

  Result<void> Parts(const List& parts, std::size_t resource) {
    for (const Value& part : parts) ASSAY_CHECK_OK(Part(part, resource));
    return {};
  }

  Result<void> Members(const Shape& shape, const Map& members, std::size_t resource) {
    for (const Member& member : members) {
      if (shape.holds == Holds::kByPattern) {
        ASSAY_CHECK_OK(Pattern(member.key, member.value));
      }
      if (shape.holds == Holds::kDependencies && AreTexts(member.value)) continue;
      ASSAY_CHECK_OK(Part(member.value, resource));
    }
    return {};
  }

  Result<void> Pattern(const std::string& pattern, const Value& at) {
    if (out_.patterns_.contains(pattern)) return {};
    auto compiled = JsRegex::Compile(pattern, JsRegexFlags::kUnicode);
    if (!compiled) compiled = JsRegex::Compile(pattern, JsRegexFlags::kNone);
    if (!compiled)
      return Broken(fmt::format("pattern {}: {}", Quoted(pattern), compiled.error().message), at);
    out_.patterns_.emplace(pattern, *std::move(compiled));
    return {};
  }

  Result<void> Link(SchemaPart from) {
    JsonSchema::Links links;
    if (const Value* ref = from.schema->Find("$ref")) {
      ASSAY_TRY(links.ref, Target(*ref, from.resource));
    }
    const Value* dynamic = draft_ == drafts::k2020 ? from.schema->Find("$dynamicRef") : nullptr;
    if (dynamic != nullptr) {
      ASSAY_TRY(links.dynamic, Target(*dynamic, from.resource));
      const std::string anchor = PercentDecoded(SplitFragment(dynamic->AsString()).fragment);
      if (out_.resources_[links.dynamic->resource].dynamic_anchors.contains(anchor))
        links.dynamic_anchor = anchor;
    }
    out_.links_.insert_or_assign(from.schema, std::move(links));
    return {};
  }

  // Where a reference leads.
  Result<SchemaPart> Target(const Value& reference, std::size_t from) {
    const SplitUri split = SplitFragment(reference.AsString());
    const auto found = by_uri_.find(ResolveUri(out_.resources_[from].uri, split.whole));
    if (found == by_uri_.end()) {
      return Error{.code = ErrorCode::kUnsupported,
                   .message = fmt::format("{} leads to another document, and none is ever fetched",
                                          Quoted(reference.AsString())),
                   .where = reference.span};
    }
    const std::string fragment = PercentDecoded(split.fragment);
    const JsonSchema::Resource& resource = out_.resources_[found->second];
    SchemaPart part{resource.root, found->second};
    if (!fragment.empty() && fragment[0] != '/') {
      const auto anchor = resource.anchors.find(fragment);
      if (anchor != resource.anchors.end()) return anchor->second;
      part.schema = nullptr;
    }
    for (std::size_t at = 0; part.schema != nullptr && at < fragment.size();) {
      const std::size_t end = std::min(fragment.find('/', at + 1), fragment.size());
      part.schema = Step(*part.schema, Unescaped(std::string_view(fragment).substr(at + 1, end - at - 1)));
      const auto known = out_.resource_of_.find(part.schema);
      if (known != out_.resource_of_.end()) part.resource = known->second;
      at = end;
    }
    if (part.schema == nullptr) {
      return Broken(fmt::format("{} leads to nothing in the schema", Quoted(reference.AsString())),
                    reference);
    }
    ASSAY_CHECK_OK(Part(*part.schema, part.resource));
    part.resource = out_.resource_of_.at(part.schema);
    return part;
  }

  JsonSchema& out_;
  unsigned draft_;
  std::map<std::string, std::size_t, std::less<>> by_uri_;
  std::vector<SchemaPart> referring_;
};

Result<std::shared_ptr<const JsonSchema>> JsonSchema::Compile(Value schema) {
  struct Made : JsonSchema {};
  const std::shared_ptr<JsonSchema> compiled = std::make_shared<Made>();
  compiled->schema_ = std::move(schema);
  if (const Value* draft = compiled->schema_.Find("$schema")) {
    const auto known = draft->is_string() ? DraftOf(draft->AsString()) : std::nullopt;
    if (!known) {
      return Error{.code = ErrorCode::kUnsupported,
                   .message =
                       "$schema: expected draft 7 or 2020-12 (http://json-schema.org/draft-07/schema#, "
                       "https://json-schema.org/draft/2020-12/schema)",
                   .where = draft->span};
    }
    compiled->draft_ = *known;
  }
  ASSAY_CHECK_OK(SchemaReader(*compiled).Read());
  return std::shared_ptr<const JsonSchema>(compiled);
}

}  // namespace assay
