// Tool calls that a model wrote as text, since it knows no other way:
//   <tool_call><function=NAME><parameter=KEY>VALUE ...</tool_call>      or      to=functions.NAME {"KEY":
//   VALUE}
//
// source: asky 0.4.15, spec research 9.5; rows: golden/research/units.jsonl (extract_calls). The first
// form wins where both are there. A scanner in one pass.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/value.h"

namespace assay {

// What becomes of "</parameter>" behind a value: the original keeps it inside the value, where it turns a
// number into junk.
enum class ParameterEnd { kKept, kDropped };

struct TextCall {
  std::string id;  // "xml_call_0", counted from 0; "call_0" of the second form
  std::string name;
  Map arguments;  // texts in the first form, anything in the second
};

// At most limits::kTextCallsMax calls; none if the text holds none that is whole.
std::vector<TextCall> FindTextCalls(std::string_view reply, ParameterEnd parameter_end);

}  // namespace assay
