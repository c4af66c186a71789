// The table of types of assertions.
#include "dialects/promptfoo/assertion_types.h"

#include <algorithm>

namespace assay::promptfoo {

namespace {

constexpr AssertionType kTypes[] = {
    {.name = "agent-rubric"},
    {.name = "answer-relevance", .needs_text = true, .needs_embedding = true},
    {.name = "bleu"},
    {.name = "classifier"},
    {.name = "contains"},
    {.name = "contains-all"},
    {.name = "contains-any"},
    {.name = "contains-html"},
    {.name = "contains-json"},
    {.name = "contains-sql"},
    {.name = "contains-xml"},
    {.name = "context-faithfulness", .needs_text = true},
    {.name = "context-recall", .needs_text = true},
    {.name = "context-relevance", .needs_text = true},
    {.name = "conversation-relevance", .needs_text = true},
    {.name = "cost"},
    {.name = "equals"},
    {.name = "factuality", .needs_text = true},
    {.name = "finish-reason"},
    {.name = "g-eval", .needs_text = true},
    {.name = "gleu"},
    {.name = "guardrails"},
    {.name = "icontains"},
    {.name = "icontains-all"},
    {.name = "icontains-any"},
    {.name = "is-html"},
    {.name = "is-json"},
    {.name = "is-refusal"},
    {.name = "is-sql"},
    {.name = "is-valid-function-call"},
    {.name = "is-valid-openai-function-call"},
    {.name = "is-valid-openai-tools-call"},
    {.name = "is-xml"},
    {.name = "javascript"},
    {.name = "latency"},
    {.name = "levenshtein"},
    {.name = "llm-rubric", .needs_text = true},
    {.name = "meteor"},
    {.name = "model-graded-closedqa", .needs_text = true},
    {.name = "model-graded-factuality", .needs_text = true},
    {.name = "moderation"},
    {.name = "perplexity"},
    {.name = "perplexity-score"},
    {.name = "pi"},
    {.name = "python"},
    {.name = "regex"},
    {.name = "rouge-n"},
    {.name = "ruby"},
    {.name = "search-rubric"},
    {.name = "similar", .needs_embedding = true},
    {.name = "similar:cosine", .needs_embedding = true},
    {.name = "similar:dot", .needs_embedding = true},
    {.name = "similar:euclidean", .needs_embedding = true},
    {.name = "skill-used"},
    {.name = "starts-with"},
    {.name = "tool-call-f1"},
    {.name = "trace-error-spans"},
    {.name = "trace-span-count"},
    {.name = "trace-span-duration"},
    {.name = "trajectory:goal-success"},
    {.name = "trajectory:step-count"},
    {.name = "trajectory:tool-args-match"},
    {.name = "trajectory:tool-sequence"},
    {.name = "trajectory:tool-used"},
    {.name = "webhook"},
    {.name = "word-count"},
    {.name = "assert-set", .is_nameable = false},
    {.name = "human", .is_nameable = false},
    {.name = "max-score", .is_nameable = false},
    {.name = "select-best", .needs_text = true, .is_nameable = false},
};

const AssertionType* FindType(std::string_view name) {
  const auto found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [name](const AssertionType& type) { return type.name == name; });
  return found == std::end(kTypes) ? nullptr : &*found;
}

}  // namespace

std::span<const AssertionType> AssertionTypes() { return kTypes; }

const AssertionType* FindAssertionType(std::string_view name) {
  constexpr std::string_view kNegation = "not-";
  if (!name.starts_with(kNegation)) return FindType(name);
  const AssertionType* type = FindType(name.substr(kNegation.size()));
  return type != nullptr && type->is_nameable ? type : nullptr;
}

}  // namespace assay::promptfoo
