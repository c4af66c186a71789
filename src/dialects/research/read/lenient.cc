// Conversions of JSON members by Python's int(value or 0), float(value or 0) and str(value).
#include "dialects/research/read/lenient.h"

#include "text/python/repr.h"
#include "text/python/text.h"
#include "text/python/truth.h"

namespace assay::research {

bool IsTrue(const Value& owner, std::string_view key) { return IsPythonTrueAt(owner, key); }

std::int64_t CountOf(const Value& value) { return PythonTruth(value) ? PythonInt(value).value_or(0) : 0; }

std::int64_t CountAt(const Value* owner, std::string_view key) {
  const Value* value = owner == nullptr ? nullptr : owner->Find(key);
  return value == nullptr ? 0 : CountOf(*value);
}

double NumberAt(const Value* owner, std::string_view key) {
  const Value* value = owner == nullptr ? nullptr : owner->Find(key);
  return value != nullptr && PythonTruth(*value) ? PythonFloat(*value).value_or(0) : 0;
}

double NumberAt(const Value& owner, std::string_view key) { return NumberAt(&owner, key); }

std::string TextAt(const Value& owner, std::string_view key, std::string_view otherwise) {
  const Value* value = owner.Find(key);
  return value == nullptr ? std::string(otherwise) : PythonStr(*value);
}

std::string ToolName(const Value& call) { return TextAt(call, "tool_name", kUnknownTool); }

}  // namespace assay::research
