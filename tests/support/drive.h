// Drives the steps of a cell without store or executor: every request to a model is answered at once by a
// function, every other fails. For
// tests that care about what is said, not about how it travels.
#pragma once

#include <functional>

#include "plan/plan.h"
#include "spec/exchange/request.h"
#include "spec/report/report.h"

namespace assay {

// A reply or the final error of a request.
using AnswerFn = std::function<Result<ModelReply>(const ModelRequest&, const RequestTag&)>;

// The graded cell, its transcript included.
AttemptRecord DriveCell(const Plan& plan, const CellAddress& address, const AnswerFn& answer,
                        WorkerState& worker);

}  // namespace assay
