// Puts what SplitThoughts finds where a service that keeps thoughts apart would have put them.
#include "providers/shapes/reply/think_tags.h"

namespace assay {

void SeparateThoughts(ModelReply& reply, IsAnswerStart begins) {
  SplitAnswer split = SplitThoughts(reply.text, begins);
  if (!split.thoughts.empty()) {
    if (!reply.reasoning.empty()) reply.reasoning += "\n\n";
    reply.reasoning += split.thoughts;
  }
  reply.text = std::move(split.answer);
}

}  // namespace assay
