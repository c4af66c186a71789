// Reduces the details of a turn to an answer or an error.
#include "providers/shapes/reply/turn_reply.h"

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "providers/shapes/reply/reply_json.h"
#include "spec/turn/turn_details.h"
#include "text/javascript/text.h"

namespace assay {

Result<ModelReply> AsAsked(const ModelRequest& request, Result<ModelReply> reply) {
  if (!reply || request.profile || reply->details.is_undefined()) return reply;
  const TurnDetails details = DecodeTurnDetails(reply->details);
  if (details.error)
    return Error{ErrorCode::kRefused, fmt::format("the program reports {}", Quoted(details.error->Text()))};
  if (details.halted && JsTrim(reply->text).empty()) {
    return Error{ErrorCode::kRefused, fmt::format("the program stopped before it answered: {}",
                                                  Quoted(details.halt_reason.value_or("")))};
  }
  reply->details = {};
  ASSAY_TRY(ModelReply named, NamedReply(std::move(*reply)));
  return SpokenReply(std::move(named));
}

}  // namespace assay
