// is-json and contains-json: whether the output is JSON, or holds an object, that fits a schema.
//   value   a schema, as a map or as a text of YAML or JSON; nothing or "": no schema
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "base/errors/diagnostics.h"
#include "checks/promptfoo/families.h"
#include "checks/promptfoo/json/objects.h"
#include "checks/promptfoo/json/schema.h"
#include "text/json/json.h"
#include "text/yaml/yaml.h"

namespace assay::promptfoo {
namespace {

using Schema = std::shared_ptr<const StrictSchema>;

bool HasSchema(const AssertionCall& call) {
  return !call.value.is_nullish() && !(call.value.is_string() && call.value.AsString().empty());
}

Result<Value> SchemaValue(const AssertionCall& call) {
  if (call.value.is_map() || call.value.is_list()) return call.value;
  if (!call.value.is_string()) return BadValue(call, "a JSON Schema");
  Diagnostics diagnostics;
  std::vector<Value> documents =
      ReadYaml(FileId::kNone, call.value.AsString(), YamlRules::kJsYaml, diagnostics);
  if (diagnostics.ErrorCount() > 0 || documents.size() != 1)
    return BadValue(call, "a JSON Schema as YAML or JSON");
  return std::move(documents.front());
}

Result<Schema> SchemaOf(const AssertionCall& call) {
  ASSAY_TRY(Value value, SchemaValue(call));
  return StrictSchema::Compile(std::move(value));
}

std::string DoesNotConform(const std::vector<std::string>& faults) {
  return fmt::format("JSON does not conform to the provided schema. Errors: {}", fmt::join(faults, ", "));
}

}  // namespace

Result<AssertionResult> RunIsJson(const AssertionCall& call) {
  constexpr std::string_view kNoJson = "Expected output to be valid JSON";
  const Result<Value> parsed = ParseJson(call.text);
  if (!parsed || !HasSchema(call)) return Verdict(call, parsed.has_value(), kNoJson);
  ASSAY_TRY(const Schema schema, SchemaOf(call));
  const std::vector<std::string> faults = schema->Faults(*parsed);
  return Verdict(
      call, faults.empty(),
      call.negated() ? "Output is JSON that conforms to the provided schema" : DoesNotConform(faults));
}

Result<AssertionResult> RunContainsJson(const AssertionCall& call) {
  std::string reason = "Expected output to contain valid JSON";
  bool holds = false;
  Schema schema;
  for (const Value& object : ObjectsIn(call.text)) {
    if (!HasSchema(call)) {
      holds = true;
      break;
    }
    if (schema == nullptr) {
      ASSAY_TRY(schema, SchemaOf(call));
    }
    const std::vector<std::string> faults = schema->Faults(object);
    holds = faults.empty();
    if (holds) break;
    reason = DoesNotConform(faults);
  }
  if (call.negated() && HasSchema(call)) reason = "Output contains JSON conforming to the provided schema";
  return Verdict(call, holds, reason);
}

}  // namespace assay::promptfoo
