// The keywords of JSON Schema, draft 7, in the order in which they are looked at.
#pragma once

#include <array>
#include <string_view>

namespace assay::promptfoo {

// What kind of value a keyword looks at.
enum class KeywordGroup { kNumber, kText, kAny, kList, kObject };

// What the keyword itself has to be.
enum class KeywordForm {
  kNumber,
  kPositive,
  kCount,
  kText,
  kPattern,
  kFormat,
  kTruth,
  kTexts,
  kValues,
  kAnything,
  kSchema,
  kSchemas,
  kSchemaOrSchemas,
  kNamedSchemas,
  kDependencies,
  kTypes,
};

struct Keyword {
  std::string_view name;
  KeywordForm form;
};

inline constexpr std::array<Keyword, 5> kNumberKeywords = {{
    {"maximum", KeywordForm::kNumber},
    {"minimum", KeywordForm::kNumber},
    {"exclusiveMaximum", KeywordForm::kNumber},
    {"exclusiveMinimum", KeywordForm::kNumber},
    {"multipleOf", KeywordForm::kPositive},
}};
inline constexpr std::array<Keyword, 3> kTextKeywords = {{
    {"maxLength", KeywordForm::kCount},
    {"minLength", KeywordForm::kCount},
    {"pattern", KeywordForm::kPattern},
}};
inline constexpr std::array<Keyword, 10> kAnyKeywords = {{
    {"$ref", KeywordForm::kText},
    {"const", KeywordForm::kAnything},
    {"enum", KeywordForm::kValues},
    {"not", KeywordForm::kSchema},
    {"anyOf", KeywordForm::kSchemas},
    {"oneOf", KeywordForm::kSchemas},
    {"allOf", KeywordForm::kSchemas},
    {"if", KeywordForm::kSchema},
    {"then", KeywordForm::kSchema},
    {"else", KeywordForm::kSchema},
}};
inline constexpr std::array<Keyword, 6> kListKeywords = {{
    {"maxItems", KeywordForm::kCount},
    {"minItems", KeywordForm::kCount},
    {"uniqueItems", KeywordForm::kTruth},
    {"additionalItems", KeywordForm::kSchema},
    {"items", KeywordForm::kSchemaOrSchemas},
    {"contains", KeywordForm::kSchema},
}};
inline constexpr std::array<Keyword, 8> kObjectKeywords = {{
    {"maxProperties", KeywordForm::kCount},
    {"minProperties", KeywordForm::kCount},
    {"required", KeywordForm::kTexts},
    {"propertyNames", KeywordForm::kSchema},
    {"additionalProperties", KeywordForm::kSchema},
    {"dependencies", KeywordForm::kDependencies},
    {"properties", KeywordForm::kNamedSchemas},
    {"patternProperties", KeywordForm::kNamedSchemas},
}};
// Applies to numbers and texts, after the other keywords.
inline constexpr Keyword kFormatKeyword = {"format", KeywordForm::kFormat};
// What says nothing of values, and `type`, which comes before the groups.
inline constexpr std::array<Keyword, 19> kOtherKeywords = {{
    {"type", KeywordForm::kTypes},
    {"nullable", KeywordForm::kTruth},
    {"$schema", KeywordForm::kText},
    {"$id", KeywordForm::kText},
    {"$defs", KeywordForm::kNamedSchemas},
    {"$vocabulary", KeywordForm::kAnything},
    {"$comment", KeywordForm::kText},
    {"$async", KeywordForm::kTruth},
    {"definitions", KeywordForm::kNamedSchemas},
    {"title", KeywordForm::kText},
    {"description", KeywordForm::kText},
    {"default", KeywordForm::kAnything},
    {"deprecated", KeywordForm::kAnything},
    {"readOnly", KeywordForm::kTruth},
    {"writeOnly", KeywordForm::kAnything},
    {"examples", KeywordForm::kValues},
    {"contentMediaType", KeywordForm::kText},
    {"contentEncoding", KeywordForm::kText},
    {"contentSchema", KeywordForm::kAnything},
}};

}  // namespace assay::promptfoo
