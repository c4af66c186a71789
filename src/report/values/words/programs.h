// Programs of checks as JSON values: the part of an answer that they were made of, and what they came to
// (docs/formats/view.md, block and outputs).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

// {rule, lines, text}; null: nothing of the answer was run, or nobody knows.
Value BlockValue(const std::optional<GradedBlock>& block, std::string_view answer);
// [{stdout, stderr, exit, signal, ms, sandbox, limit, error}] of those that this check ran.
Value OutputsValue(const std::vector<ProgramOutcome>& outcomes, CheckIndex check);

}  // namespace assay
