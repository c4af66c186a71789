// What scripts of a config know beside the output.
#pragma once

#include "checks/promptfoo/table.h"

namespace assay::promptfoo {

// The prompt as sent: undefined if it is not known.
inline Value ScriptPrompt(const AssertionInput& input) {
  return input.prompt ? Value(*input.prompt) : Value();
}

// `context` of an assertion.
Value ScriptContext(const AssertionCall& call);

}  // namespace assay::promptfoo
