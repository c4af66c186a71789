// Reads `response_format`: the JSON Schema that answers have to follow, as it is or as OpenAI's services want
// it wrapped. Ours: weval has no such key.
#include <fmt/core.h>

#include "dialects/blueprint/read/parse.h"

namespace assay::blueprint {

Value AnswerSchemaOf(Value format, std::string_view of, ParseContext& context) {
  if (context.LikeWeval()) {
    context.diagnostics.Warning(
        "blueprint.response-format",
        fmt::format("{}response_format has no effect: --compat weval sends no schema", of), format.span);
    return Value();
  }
  if (format.is_null()) return format;
  const Value* type = format.Find("type");
  const bool is_wrapped = type != nullptr && type->is_string() && type->AsString() == "json_schema";
  const Value* inner = is_wrapped ? format.Find("json_schema") : &format;
  const Value* schema = is_wrapped && inner != nullptr ? inner->Find("schema") : inner;
  if (schema != nullptr && schema->is_map()) return *schema;
  context.diagnostics.Error("blueprint.response-format",
                            fmt::format("{}response_format: expected a JSON Schema, found {}", of,
                                        schema == nullptr ? "none" : KindName(*schema)),
                            format.span, "write {type: object, properties: {...}, required: [...]}");
  return Value();
}

}  // namespace assay::blueprint
