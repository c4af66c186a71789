// Lists the pairs of a run that did not pass, each with its reason: for tables, and as JSON values
// (docs/cli.md, `failed`).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "spec/report/pair.h"
#include "spec/report/report.h"
#include "spec/score/passing.h"
#include "text/value.h"

namespace assay {

// Whether all of it is scored and enough of its attempts pass; an answer that nobody scores passes too.
bool PairPassed(const Pair& pair, const Suite& suite, const PassRule& pass);

// A pair that did not pass, and why.
struct FailedPair {
  CaseIndex case_index = 0;
  VariantIndex variant = 0;
  CellState state = CellState::kError;
  std::optional<double> score;
  std::size_t missing = 0;
  std::string error_class;  // where there is no answer: "refusal"
  std::string reason;       // as it is, not escaped
};
// Of one case, or of all: unscored pairs are left out.
Result<std::vector<FailedPair>> FailedPairs(const Report& report, std::optional<CaseIndex> only,
                                            const PassRule& pass);

// [{case, variant, state, score, missing, error_class, reason, command}]; `command_of`: what asks again.
using CommandOfPair = std::function<std::string(const FailedPair& pair)>;
Value FailuresValue(const Suite& suite, const std::vector<FailedPair>& failed,
                    const CommandOfPair& command_of);

}  // namespace assay
