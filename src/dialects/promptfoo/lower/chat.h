// The messages that the text of a prompt has, as services for chats get them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "spec/suite/case.h"

namespace assay::promptfoo {

// Without the answer; empty: the text is one message of the user's. kInvalidInput for what looks like
// messages and cannot be read. One rule for all services, where promptfoo has one of each. Spec: promptfoo 3.
Result<std::vector<Turn>> MessagesIn(std::string_view text);

}  // namespace assay::promptfoo
