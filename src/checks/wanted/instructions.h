// The instructions of IFEval: what each asks of an answer, by its id and arguments as the published file has
// them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "text/value.h"

namespace assay {

// Whether an answer follows an instruction. kLimit where a pattern takes too long for this answer,
// kInvalidInput where the rule cannot decide it. Immutable; any thread.
using Instruction = std::function<Result<bool>(std::string_view answer)>;

// `kwargs` is a map; null, empty and 0 among its members count as not given. kInvalidInput for an id that
// IFEval lacks, and for arguments that it needs and that are not given or are of another kind.
Result<Instruction> MakeInstruction(std::string_view id, const Value& kwargs);

}  // namespace assay
