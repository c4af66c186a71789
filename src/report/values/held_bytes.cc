// Counts texts, and for each value its own size.
#include "report/values/held_bytes.h"

#include <fmt/core.h>

#include "base/errors/diagnostics.h"

namespace assay {

std::size_t HeldBytes(const Value& value) {
  std::size_t bytes = sizeof(Value);
  if (value.is_string()) bytes += value.AsString().size();
  if (value.is_list()) {
    for (const Value& each : value.AsList()) bytes += HeldBytes(each);
  }
  if (value.is_map()) {
    for (const Member& each : value.AsMap()) bytes += sizeof(std::string) + HeldBytes(each.value);
  }
  return bytes;
}

std::size_t HeldBytes(const Transcript& transcript) {
  std::size_t bytes = transcript.answer.size() + transcript.error.size();
  if (transcript.system) bytes += transcript.system->size();
  for (const Message& message : transcript.history) {
    bytes += sizeof(Message) + message.text.size();
    for (const ToolCall& call : message.calls) bytes += sizeof(ToolCall) + call.arguments.size();
  }
  for (const std::string& text : transcript.generated_texts) bytes += text.size();
  for (const std::string& text : transcript.generated_reasoning) bytes += text.size();
  return bytes;
}

Status GatheredBytes::Add(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ <= kGatheredBytesMax) return Ok();
  return Error{ErrorCode::kLimit, fmt::format("the answers to case {} take more than {} MB together",
                                              Quoted(case_id_), kGatheredBytesMax >> 20)};
}

}  // namespace assay
