// ReadChoiceRules: which choices a question has, as suites write it.
#pragma once

#include "base/errors/result.h"
#include "text/prose/choice.h"
#include "text/value.h"

namespace assay {

// How many there are, their letters, or their texts. kInvalidInput with the place of what is wrong.
Result<ChoiceRules> ReadChoiceRules(const Value& of);

}  // namespace assay
