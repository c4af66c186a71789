// Appends or replaces members of a JSON body.
#include "providers/shapes/request/extra_members.h"

#include "text/python/json.h"

namespace assay {

void AddMembers(const Value& members, std::string& body) {
  if (!members.is_map() || members.AsMap().empty()) return;
  // Python's reader and writer: 1.0 stays 1.0, and large whole numbers keep their digits.
  Result<Value> sent = ParsePythonJson(body);
  if (!sent || !sent->is_map()) return;
  for (const Member& member : members.AsMap()) {
    Value* there = sent->AsMap().Find(member.key);
    const bool is_group = there != nullptr && there->is_map() && member.value.is_map();
    if (!is_group) {
      sent->AsMap().Set(member.key, member.value);
      continue;
    }
    for (const Member& each : member.value.AsMap()) there->AsMap().Set(each.key, each.value);
  }
  if (Result<std::string> text = WritePythonJson(*sent, {.escapes_beyond_ascii = false}))
    body = std::move(*text);
}

}  // namespace assay
