// Walks the tables of keys and writes what they say as a JSON Schema.
#include "dialects/keys/schema.h"

#include <fmt/core.h>

#include <cmath>
#include <set>

#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/keys/fixtures.h"
#include "dialects/infibench/keys.h"
#include "dialects/lm_eval/keys.h"
#include "dialects/openai_evals/keys.h"
#include "dialects/openai_hosted/keys.h"
#include "dialects/research/keys.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::string_view kDraft = "https://json-schema.org/draft/2020-12/schema";

constexpr const KeyPlace* kFixtures[] = {&blueprint::kFixtures};
constexpr const KeyPlace* kInfibench[] = {&infibench::kSuite, &infibench::kCase};
constexpr const KeyPlace* kDataset[] = {&research::kDataset};
constexpr const KeyPlace* kMatrix[] = {&research::kMatrix};
constexpr const KeyPlace* kLmEval[] = {&lm_eval::kTask};
constexpr const KeyPlace* kHosted[] = {&hosted::kExport};

constexpr FormatSchema kFormats[] = {
    {.name = "blueprint",
     .title = "Blueprint",
     .description = "A document of a blueprint: its header, a prompt, or a list of prompts. A file may hold "
                    "several, between lines of ---. docs/blueprint.md.",
     .document = blueprint::kDocumentShape,
     .calls = &blueprint::kPoint},
    {.name = "fixtures",
     .title = "Fixtures of a blueprint",
     .description = "Hand-written replies, for --fixtures. docs/formats/fixtures.md.",
     .document = {.members = kFixtures}},
    {.name = "infibench",
     .title = "InfiBench",
     .description = "A suite or a case of InfiBench. docs/authoring-infibench.md.",
     .document = {.members = kInfibench}},
    {.name = "research",
     .title = "Research dataset",
     .description = "Documents, questions, and what the answers have to contain. docs/research.md.",
     .document = {.members = kDataset}},
    {.name = "matrix",
     .title = "Research matrix",
     .description = "Profiles that run over a dataset. docs/research.md.",
     .document = {.members = kMatrix}},
    {.name = "openai-evals",
     .title = "Registry of OpenAI Evals",
     .description = "Entries of the registry, by their names. docs/formats-of-others.md.",
     .document = {.values = &evals::kRegistryEntryShape}},
    {.name = "openai-hosted",
     .title = "Export of a hosted eval",
     .description = "An eval with the data_source of a run. docs/formats-of-others.md.",
     .document = {.members = kHosted}},
    {.name = "lm-eval",
     .title = "Task of lm-evaluation-harness",
     .description = "A task that generates texts. docs/formats-of-others.md.",
     .document = {.members = kLmEval}},
};

Value TextsOf(std::span<const std::string_view> texts) {
  return ArrayOf(texts, [](std::string_view text) { return Value(std::string(text)); });
}

// A whole number without a point.
Value NumberOf(double number) {
  return number == std::trunc(number) ? Value(static_cast<std::int64_t>(number)) : Value(number);
}

Value AddedTo(Value schema, std::string_view key, Value value) {
  schema.AsMap().Append(std::string(key), std::move(value));
  return schema;
}

class Writer {
 public:
  Writer(const KeyPlace* calls, std::span<const CheckHelp> checks) : calls_(calls), checks_(checks) {}

  Value Write(const FormatSchema& format) {
    Value schema = Object{{"$schema", kDraft}, {"title", format.title}, {"description", format.description}};
    Value document = OfShape(format.document);
    for (Member& member : document.AsMap()) schema.AsMap().Append(member.key, std::move(member.value));
    return definitions_.empty() ? schema : AddedTo(std::move(schema), "$defs", std::move(definitions_));
  }

 private:
  // What one of the forms says; {} allows anything, false allows nothing.
  Value OfShape(const ValueShape& shape) {
    if ((shape.kinds & ValueShape::kNever) != 0) return Value(false);
    if ((shape.kinds & ValueShape::kTruth) != 0) return Object{{"examples", Array(true, false)}};
    List forms;
    for (const KeyPlace* place : shape.members) forms.push_back(OfPlace(*place));
    if (shape.items != nullptr) forms.push_back(Object{{"type", "array"}, {"items", OfShape(*shape.items)}});
    if (shape.values != nullptr)
      forms.push_back(Object{{"type", "object"}, {"additionalProperties", OfShape(*shape.values)}});
    if (!shape.words.empty()) forms.push_back(Object{{"enum", TextsOf(shape.words)}});
    AddPlain(shape, forms);
    if ((shape.kinds & ValueShape::kNothing) != 0)
      forms.push_back(Object{{"enum", Array(Null{}, false, 0, "")}});
    Value schema = forms.empty()       ? Value(Map())
                   : forms.size() == 1 ? std::move(forms.front())
                                       : Value(Object{{"anyOf", std::move(forms)}});
    return shape.examples.empty() ? schema : AddedTo(std::move(schema), "examples", TextsOf(shape.examples));
  }

  // The kinds that say no more than their names.
  static void AddPlain(const ValueShape& shape, List& forms) {
    struct Name {
      unsigned kind;
      std::string_view name;
      bool is_said;
    };
    const Name names[] = {{ValueShape::kText, "string", !shape.words.empty()},
                          {ValueShape::kNumber, "number", false},
                          {ValueShape::kWhole, "integer", false},
                          {ValueShape::kBool, "boolean", false},
                          {ValueShape::kNull, "null", false},
                          {ValueShape::kList, "array", shape.items != nullptr},
                          {ValueShape::kMap, "object", !shape.members.empty() || shape.values != nullptr}};
    List kinds;
    for (const Name& each : names) {
      if ((shape.kinds & each.kind) != 0 && !each.is_said) kinds.push_back(Value(std::string(each.name)));
    }
    if (kinds.empty()) return;
    Map plain;
    plain.Append("type", kinds.size() == 1 ? std::move(kinds.front()) : Value(std::move(kinds)));
    if (shape.least) plain.Append("minimum", NumberOf(*shape.least));
    if (shape.most) plain.Append("maximum", NumberOf(*shape.most));
    if (shape.is_filled) plain.Append("minLength", NumberOf(1));
    forms.push_back(Value(std::move(plain)));
  }

  // A place with a name stands once, under it.
  Value OfPlace(const KeyPlace& place) {
    if (place.name.empty()) return KeysOf(place);
    if (begun_.insert(place.name).second) {
      definitions_.Append(std::string(place.name), Value());
      Value keys = KeysOf(place);
      definitions_.Set(std::string(place.name), std::move(keys));
    }
    return Object{{"$ref", fmt::format("#/$defs/{}", place.name)}};
  }

  Value KeysOf(const KeyPlace& place) {
    List required;
    Map keys;
    for (const std::span<const KeyRow> part : place.parts) AddKeys(part, keys, required);
    if (&place == calls_) AddCalls(keys);
    return Object{
        {"type", "object"}, {"required", UnlessEmpty(std::move(required))}, {"properties", std::move(keys)}};
  }

  void AddCalls(Map& keys) {
    for (const CheckHelp& check : checks_) {
      if (!check.is_offered) keys.Append("$" + std::string(check.name), Object{{"description", check.help}});
    }
  }

  std::string_view HelpOfKey(const KeyRow& key) const {
    if (!key.is_check) return key.help;
    const auto check = std::find_if(checks_.begin(), checks_.end(),
                                    [&](const CheckHelp& each) { return each.name == key.name; });
    return check == checks_.end() ? std::string_view() : check->help;
  }

  void AddKeys(std::span<const KeyRow> part, Map& keys, List& required) {
    for (const KeyRow& key : part) {
      const bool is_told = key.IsOffered() || key.shape.kinds == ValueShape::kNever;
      if (!is_told || keys.Find(key.name) != nullptr) continue;
      keys.Append(std::string(key.name), OfKey(key, HelpOfKey(key)));
      for (const std::string_view alias : key.aliases)
        keys.Append(std::string(alias), OfKey(key, fmt::format("The same as {}.", key.name)));
      if (key.is_required) required.push_back(Value(std::string(key.name)));
    }
  }

  Value OfKey(const KeyRow& key, std::string_view help) {
    const Value shape = OfShape(key.shape);
    if (!shape.is_map()) return shape;
    Map said;
    said.Append("description",
                Value(key.since.empty() ? std::string(help) : fmt::format("{} Since {}.", help, key.since)));
    for (const Member& member : shape.AsMap()) said.Append(member.key, member.value);
    return Value(std::move(said));
  }

  const KeyPlace* calls_;
  std::span<const CheckHelp> checks_;
  std::set<std::string_view> begun_;
  Map definitions_;
};

}  // namespace

std::span<const FormatSchema> FormatSchemas() { return kFormats; }

Value SchemaOf(const FormatSchema& format, std::span<const CheckHelp> checks) {
  return Writer(format.calls, checks).Write(format);
}

}  // namespace assay
