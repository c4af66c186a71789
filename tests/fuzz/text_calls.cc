// Any reply as one with tool calls written in it: names are names, the number is bounded, and a reply without
// marks has none.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "agent/limits.h"
#include "agent/web/addresses.h"
#include "agent/web/local_targets.h"
#include "agent/words/reply_text.h"
#include "agent/words/text_calls.h"
#include "base/errors/assert.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(text_calls)(const std::uint8_t* data, std::size_t size) {
  const std::string_view reply(reinterpret_cast<const char*>(data), size);
  for (const auto end : {assay::ParameterEnd::kKept, assay::ParameterEnd::kDropped}) {
    const std::vector<assay::TextCall> calls = assay::FindTextCalls(reply, end);
    ASSAY_ASSERT(calls.size() <= assay::limits::kTextCallsMax);
    for (const assay::TextCall& call : calls) {
      ASSAY_ASSERT(!call.name.empty() && call.name.find_first_of("<>= \n") == std::string::npos);
      ASSAY_ASSERT(reply.find(call.name) != std::string_view::npos);
    }
  }
  ASSAY_ASSERT(assay::StripThinking(reply).size() <= reply.size());
  ASSAY_ASSERT(assay::LocalTargets(reply).size() <= assay::limits::kPromptTargetsMax);
  ASSAY_ASSERT(assay::LocalTargets(assay::RedactLocalTargets(reply)).size() <=
               assay::limits::kPromptTargetsMax);
  for (const std::string& url : assay::FindPromptAddresses(reply).urls) assay::NormaliseUrl(url);
  return 0;
}
