// Puts what SplitThoughts finds where a service that keeps thoughts apart would have put them.
#include "providers/shapes/reply/think_tags.h"

namespace assay {

void SeparateThoughts(ModelReply& reply, const AnswerForm* form) {
  SplitAnswer split = SplitThoughts(reply.text, form);
  if (!split.thoughts.empty()) {
    if (!reply.reasoning.empty()) reply.reasoning += "\n\n";
    reply.reasoning += split.thoughts;
  }
  reply.text = std::move(split.answer);
}

}  // namespace assay
