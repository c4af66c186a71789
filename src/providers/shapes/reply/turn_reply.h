// Checks the reply of a program under test when it was asked as a plain model: a turn that failed or gave no
// answer becomes an Error.
#pragma once

#include "base/errors/result.h"
#include "spec/exchange/request.h"

namespace assay {

// The reply as it is, if the request set the program up for a run. Whoever asked the bare program wants an
// answer: a turn that raised, or stopped before it answered, is an error (kRefused), and nothing else is kept
// of it.
Result<ModelReply> AsAsked(const ModelRequest& request, Result<ModelReply> reply);

}  // namespace assay
