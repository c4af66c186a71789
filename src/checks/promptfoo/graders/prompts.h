// The prompts of graders: ours, or the config's own (`rubricPrompt`). Pure; any thread. Spec: promptfoo 7.2.
#pragma once

#include "checks/promptfoo/graders/grader.h"

namespace assay::promptfoo {

// The messages, each {role, content}, that ask what `request` says. `own` is a text, a list of messages, or
// for context-faithfulness a list of two of these; undefined: ours. Texts are templates over the variables
// and the names of the request, objects among them as JSON. An error where one cannot be filled in.
Result<List> GraderMessages(const GraderRequest& request, const Value& own, const AssertionInput& input);

}  // namespace assay::promptfoo
