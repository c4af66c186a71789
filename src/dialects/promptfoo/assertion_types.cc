// The table of names of assertions.
#include "dialects/promptfoo/assertion_types.h"

#include <algorithm>

namespace assay::promptfoo {

namespace {

constexpr std::string_view kTypes[] = {
    "agent-rubric",
    "answer-relevance",
    "bleu",
    "classifier",
    "contains",
    "contains-all",
    "contains-any",
    "contains-html",
    "contains-json",
    "contains-sql",
    "contains-xml",
    "context-faithfulness",
    "context-recall",
    "context-relevance",
    "conversation-relevance",
    "cost",
    "equals",
    "factuality",
    "finish-reason",
    "g-eval",
    "gleu",
    "guardrails",
    "icontains",
    "icontains-all",
    "icontains-any",
    "is-html",
    "is-json",
    "is-refusal",
    "is-sql",
    "is-valid-function-call",
    "is-valid-openai-function-call",
    "is-valid-openai-tools-call",
    "is-xml",
    "javascript",
    "latency",
    "levenshtein",
    "llm-rubric",
    "meteor",
    "model-graded-closedqa",
    "model-graded-factuality",
    "moderation",
    "perplexity",
    "perplexity-score",
    "pi",
    "python",
    "regex",
    "rouge-n",
    "ruby",
    "search-rubric",
    "similar",
    "similar:cosine",
    "similar:dot",
    "similar:euclidean",
    "skill-used",
    "starts-with",
    "tool-call-f1",
    "trace-error-spans",
    "trace-span-count",
    "trace-span-duration",
    "trajectory:goal-success",
    "trajectory:step-count",
    "trajectory:tool-args-match",
    "trajectory:tool-sequence",
    "trajectory:tool-used",
    "webhook",
    "word-count",
};
constexpr std::string_view kOthers[] = {"assert-set", "human", "max-score", "select-best"};

bool Has(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::span<const std::string_view> AssertionTypes() { return kTypes; }

bool IsAssertionType(std::string_view type) {
  if (Has(kOthers, type)) return true;
  if (type.starts_with("not-")) type.remove_prefix(4);
  return Has(kTypes, type);
}

}  // namespace assay::promptfoo
