// Looks through a schema before it is used: unknown keywords, values that are none of theirs, patterns,
// references.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "checks/promptfoo/json/formats.h"
#include "checks/promptfoo/json/keywords.h"
#include "checks/promptfoo/json/schema.h"
#include "text/found.h"

namespace assay::promptfoo {
namespace {

constexpr std::size_t kDepthMax = 200;
constexpr std::string_view kTypes[] = {"string", "number", "integer", "boolean", "array", "object", "null"};
constexpr std::string_view kDrafts[] = {"http://json-schema.org/draft-07/schema",
                                        "http://json-schema.org/draft-07/schema#"};

const Keyword* FindKeyword(std::string_view name) {
  const auto in = [&](const auto& keywords) -> const Keyword* {
    const auto found = std::find_if(keywords.begin(), keywords.end(),
                                    [&](const Keyword& keyword) { return keyword.name == name; });
    return found == keywords.end() ? nullptr : &*found;
  };
  if (name == kFormatKeyword.name) return &kFormatKeyword;
  for (const Keyword* found : {in(kNumberKeywords), in(kTextKeywords), in(kAnyKeywords), in(kListKeywords),
                               in(kObjectKeywords), in(kOtherKeywords)}) {
    if (found != nullptr) return found;
  }
  return nullptr;
}

bool IsType(const Value& type) {
  return type.is_string() &&
         std::find(std::begin(kTypes), std::end(kTypes), type.AsString()) != std::end(kTypes);
}

bool IsCount(const Value& value) {
  return value.is_number() && value.AsNumber() >= 0 && std::floor(value.AsNumber()) == value.AsNumber();
}

bool AreTexts(const Value& value) {
  if (!value.is_list()) return false;
  std::set<std::string_view> seen;
  for (const Value& item : value.AsList()) {
    if (!item.is_string() || !seen.insert(item.AsString()).second) return false;
  }
  return true;
}

bool AreTypes(const Value& value) {
  if (!value.is_list()) return IsType(value);
  return AreTexts(value) && !value.AsList().empty() &&
         std::all_of(value.AsList().begin(), value.AsList().end(), IsType);
}

// What a keyword that holds no schemas has to be; "" if the value is that.
std::string_view PlainForm(KeywordForm form, const Value& value) {
  switch (form) {
    case KeywordForm::kNumber:
      return value.is_number() ? "" : "a number";
    case KeywordForm::kPositive:
      return value.is_number() && value.AsNumber() > 0 ? "" : "a number above 0";
    case KeywordForm::kCount:
      return IsCount(value) ? "" : "a whole number from 0 on";
    case KeywordForm::kText:
    case KeywordForm::kPattern:
    case KeywordForm::kFormat:
      return value.is_string() ? "" : "a text";
    case KeywordForm::kTruth:
      return value.is_bool() ? "" : "true or false";
    case KeywordForm::kTexts:
      return AreTexts(value) ? "" : "a list of different texts";
    case KeywordForm::kValues:
      return value.is_list() ? "" : "a list";
    case KeywordForm::kTypes:
      return AreTypes(value) ? "" : "a type of JSON, or a list of them";
    case KeywordForm::kSchemas:
      return value.is_list() && !value.AsList().empty() ? "" : "a list of schemas";
    case KeywordForm::kNamedSchemas:
    case KeywordForm::kDependencies:
      return value.is_map() ? "" : "a map of schemas";
    case KeywordForm::kAnything:
    case KeywordForm::kSchema:
    case KeywordForm::kSchemaOrSchemas:
      return "";
  }
  return "";
}

Error NoSchema(std::string why, Span where) {
  return {ErrorCode::kInvalidInput, "this is no JSON Schema: " + std::move(why), where};
}

}  // namespace

class SchemaCompiler {
 public:
  explicit SchemaCompiler(StrictSchema& into) : into_(into) {}

  Status Read(const Value& schema, std::size_t depth) {
    if (depth > kDepthMax) return NoSchema("it is nested too deeply", schema.span);
    if (schema.is_bool()) return Ok();
    if (!schema.is_map()) return NoSchema("expected a map, true or false", schema.span);
    for (const Member& member : schema.AsMap()) ASSAY_CHECK_OK(ReadMember(member, depth));
    return CheckCompany(schema.AsMap(), schema.span);
  }
  // Once all names are known.
  Status CheckReferences() const {
    for (const auto& [reference, where] : references_) {
      if (into_.Target(reference) == nullptr)
        return NoSchema(fmt::format("\"$ref\": \"{}\" leads nowhere within it", reference), where);
    }
    return Ok();
  }

 private:
  Status ReadMember(const Member& member, std::size_t depth) {
    const Keyword* keyword = FindKeyword(member.key);
    if (keyword == nullptr)
      return NoSchema(fmt::format("\"{}\" is no keyword of draft 7", member.key), member.key_span);
    const Value& value = member.value;
    if (const std::string_view expected = PlainForm(keyword->form, value); !expected.empty())
      return NoSchema(fmt::format("expected {} as \"{}\"", expected, member.key), value.span);
    switch (keyword->form) {
      case KeywordForm::kPattern:
        return AddPattern(value.AsString(), value.span);
      case KeywordForm::kFormat:
        if (IsKnownFormat(value.AsString())) return Ok();
        return NoSchema(fmt::format("the format \"{}\" is not known", value.AsString()), value.span);
      case KeywordForm::kText:
        return ReadText(member);
      case KeywordForm::kSchema:
        return Read(value, depth + 1);
      case KeywordForm::kSchemas:
        return ReadAll(value.AsList(), depth);
      case KeywordForm::kSchemaOrSchemas:
        return value.is_list() ? ReadAll(value.AsList(), depth) : Read(value, depth + 1);
      case KeywordForm::kNamedSchemas:
      case KeywordForm::kDependencies:
        return ReadNamed(member, depth);
      default:
        return Ok();
    }
  }

  Status ReadAll(const List& schemas, std::size_t depth) {
    for (const Value& schema : schemas) ASSAY_CHECK_OK(Read(schema, depth + 1));
    return Ok();
  }

  Status ReadNamed(const Member& member, std::size_t depth) {
    for (const Member& named : member.value.AsMap()) {
      if (member.key == "patternProperties") ASSAY_CHECK_OK(AddPattern(named.key, named.key_span));
      if (member.key == "dependencies" && AreTexts(named.value)) continue;
      ASSAY_CHECK_OK(Read(named.value, depth + 1));
      if (named.value.is_map()) AddName(named.value);
    }
    return Ok();
  }

  void AddName(const Value& schema) {
    const std::string& id = schema.TextAt("$id");
    if (id.starts_with('#')) into_.names_.emplace(id, &schema);
  }

  Status ReadText(const Member& member) {
    const std::string& text = member.value.AsString();
    if (member.key == "$ref") references_.emplace_back(text, member.value.span);
    if (member.key == "$schema" &&
        std::find(std::begin(kDrafts), std::end(kDrafts), text) == std::end(kDrafts))
      return NoSchema(fmt::format("expected draft 7, found \"{}\"", text), member.value.span);
    return Ok();
  }

  Status AddPattern(const std::string& pattern, Span where) {
    if (into_.patterns_.contains(pattern)) return Ok();
    auto compiled = JsRegex::Compile(pattern, JsRegexFlags::kUnicode);
    if (!compiled)
      return NoSchema(fmt::format("\"{}\" is no pattern: {}", pattern, compiled.error().message), where);
    into_.patterns_.emplace(pattern, *std::move(compiled));
    return Ok();
  }

  // Keywords that say nothing without another one, which strict mode refuses.
  static Status CheckCompany(const Map& schema, Span where) {
    const auto has = [&](std::string_view key) { return schema.Find(key) != nullptr; };
    const auto alone = [&](std::string_view key, std::string_view other) {
      return NoSchema(fmt::format("\"{}\" says nothing without {}", key, other), where);
    };
    if (has("if") && !has("then") && !has("else")) return alone("if", "\"then\" or \"else\"");
    if (has("then") && !has("if")) return alone("then", "\"if\"");
    if (has("else") && !has("if")) return alone("else", "\"if\"");
    if (has("additionalItems") && FindList(schema, "items") == nullptr)
      return alone("additionalItems", "a list as \"items\"");
    if (has("nullable") && !has("type")) return alone("nullable", "\"type\"");
    return CheckProperties(schema, where);
  }

  // A property must not match a pattern as well as its own name.
  static Status CheckProperties(const Map& schema, Span where) {
    for (const Member& pattern : schema.MapAt("patternProperties")) {
      const auto compiled = JsRegex::Compile(pattern.key, JsRegexFlags::kUnicode);
      for (const Member& property : schema.MapAt("properties")) {
        RegexSubject subject(property.key);
        if (compiled && (*compiled)->Search(subject).value_or(false))
          return NoSchema(fmt::format("the property \"{}\" fits the pattern \"{}\" as well: name it once",
                                      property.key, pattern.key),
                          where);
      }
    }
    return Ok();
  }

  StrictSchema& into_;
  std::vector<std::pair<std::string, Span>> references_;
};

Result<std::shared_ptr<const StrictSchema>> StrictSchema::Compile(Value schema) {
  const auto made = std::make_shared<StrictSchema>();
  made->schema_ = std::move(schema);
  SchemaCompiler compiler(*made);
  ASSAY_CHECK_OK(compiler.Read(made->schema_, 0));
  ASSAY_CHECK_OK(compiler.CheckReferences());
  return std::shared_ptr<const StrictSchema>(made);
}

}  // namespace assay::promptfoo
