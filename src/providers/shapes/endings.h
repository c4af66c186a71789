// How replies end that are no answers: one row for each end, with the class of its error, whether asking
// again can help, and what can be done.
#pragma once

#include <string_view>

#include "base/error.h"

namespace assay {

struct Ending {
  std::string_view finish_reason;  // in our words (FinishReason)
  ErrorCode code;
  bool may_pass = false;  // the same question may get an answer the next time
  std::string_view happened;
  std::string_view remedy;
};

const Ending* FindEnding(std::string_view finish_reason);  // null: such a reply may be an answer
const Ending* FindEnding(ErrorCode code);                  // null: no end has this class
// "what happened: \"what the service says\"; what to do". `said`: "" for nothing.
Error ErrorOfEnding(const Ending& ending, std::string_view said);

}  // namespace assay
