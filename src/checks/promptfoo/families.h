// The functions behind the rows of the table, by family.
#pragma once

#include "checks/promptfoo/table.h"

namespace assay::promptfoo {

// words/
Result<AssertionResult> RunContains(const AssertionCall& call);
Result<AssertionResult> RunIcontains(const AssertionCall& call);
Result<AssertionResult> RunContainsAny(const AssertionCall& call);
Result<AssertionResult> RunIcontainsAny(const AssertionCall& call);
Result<AssertionResult> RunContainsAll(const AssertionCall& call);
Result<AssertionResult> RunIcontainsAll(const AssertionCall& call);
Result<AssertionResult> RunEquals(const AssertionCall& call);
Result<AssertionResult> RunStartsWith(const AssertionCall& call);
Result<AssertionResult> RunRegex(const AssertionCall& call);
Result<AssertionResult> RunIsRefusal(const AssertionCall& call);

// shares/
Result<AssertionResult> RunLevenshtein(const AssertionCall& call);
Result<AssertionResult> RunRougeN(const AssertionCall& call);
Result<AssertionResult> RunBleu(const AssertionCall& call);
Result<AssertionResult> RunGleu(const AssertionCall& call);
Result<AssertionResult> RunMeteor(const AssertionCall& call);

// numbers/
Result<AssertionResult> RunWordCount(const AssertionCall& call);
Result<AssertionResult> RunLatency(const AssertionCall& call);
Result<AssertionResult> RunCost(const AssertionCall& call);
Result<AssertionResult> RunPerplexity(const AssertionCall& call);
Result<AssertionResult> RunPerplexityScore(const AssertionCall& call);

// json/
Result<AssertionResult> RunIsJson(const AssertionCall& call);
Result<AssertionResult> RunContainsJson(const AssertionCall& call);

// markup/
Result<AssertionResult> RunIsXml(const AssertionCall& call);
Result<AssertionResult> RunContainsXml(const AssertionCall& call);
Result<AssertionResult> RunIsHtml(const AssertionCall& call);
Result<AssertionResult> RunContainsHtml(const AssertionCall& call);

// reply/
Result<AssertionResult> RunFinishReason(const AssertionCall& call);
Result<AssertionResult> RunGuardrails(const AssertionCall& call);
Result<AssertionResult> RunToolCallF1(const AssertionCall& call);

// models/
Result<AssertionResult> RunSimilar(const AssertionCall& call);
Result<AssertionResult> RunClassifier(const AssertionCall& call);

// script/
Result<AssertionResult> RunJavaScript(const AssertionCall& call);

}  // namespace assay::promptfoo
