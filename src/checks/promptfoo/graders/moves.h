// What the graders share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/promptfoo/graders/grader.h"
#include "checks/promptfoo/table.h"

namespace assay::promptfoo {

// One assertion under way, with the replies so far.
struct GraderTurn {
  const AssertionCall& call;
  std::span<const Value> replies;

  const Assertion& assertion() const { return call.assertion; }
  const AssertionInput& input() const { return call.input; }
  // Whether the assertion turns the result around: in the original some types never do.
  bool Turns(bool in_the_original) const {
    return call.negated() && (in_the_original || input().policy.all_graders_turn);
  }
};

Result<GraderMove> NextRubric(const GraderTurn& turn);
Result<GraderMove> NextFactuality(const GraderTurn& turn);
Result<GraderMove> NextClosedQa(const GraderTurn& turn);
Result<GraderMove> NextGEval(const GraderTurn& turn);
Result<GraderMove> NextContextRecall(const GraderTurn& turn);
Result<GraderMove> NextContextRelevance(const GraderTurn& turn);
Result<GraderMove> NextContextFaithfulness(const GraderTurn& turn);
Result<GraderMove> NextAnswerRelevance(const GraderTurn& turn);
Result<GraderMove> NextConversationRelevance(const GraderTurn& turn);

inline constexpr std::string_view kNoOutput = "No output";

GraderMove Ask(std::string_view step, Map names);
GraderMove Done(AssertionResult result);
// A fail, turned around as well: the grader said nothing that counts.
GraderMove Failed(std::string reason);
GraderMove GraderFailed(std::string reason);
// A verdict of yes or no with its score, turned around where `turns`.
AssertionResult Turned(AssertionResult result, bool turns);

bool IsEmptyReply(const Value& reply);
std::string ReplyText(const Value& reply);  // its JSON where it is no text
// The object that a reply is, or the first one in its text; null if there is none.
Value ReplyObject(const Value& reply);
// The lines that are not blank, trimmed.
std::vector<std::string> LinesOf(std::string_view text);
// "share is >= t" or "< t", as the assertions on contexts say it; it passes from the threshold on.
AssertionResult ShareOfContext(const GraderTurn& turn, std::string_view name, double share);

}  // namespace assay::promptfoo
