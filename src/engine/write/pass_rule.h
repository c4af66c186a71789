// Which attempts and cases of a run pass: what its spec says, else what its dialect has.
#pragma once

#include <string_view>

#include "spec/run/run_spec.h"
#include "spec/score/passing.h"

namespace assay {

PassRule PassRuleOf(const RunSpec& spec, std::string_view dialect);

}  // namespace assay
