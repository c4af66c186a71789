// Talks with the models that grade an answer: what to ask next of each, and what comes of their replies.
#pragma once

#include <string>
#include <vector>

#include "checks/check.h"
#include "checks/promptfoo/row/rule.h"

namespace assay {
struct Judge;
}  // namespace assay

namespace assay::promptfoo {

// One assertion, and what was said about it so far.
struct LeafTalk {
  const Assertion& assertion;
  const Judge* grader = nullptr;
  const Judge* embedder = nullptr;
  std::vector<Value> replies = {};
  std::vector<std::string> asked = {};  // the messages of each request, as JSON
  std::string last_words = {};          // of the grader
  Embeddings embeddings = {};
  std::vector<std::string> open_texts = {};        // that the open requests embed
  std::vector<PlannedRequest> open_requests = {};  // of this round
  // How it ended: a result, an error of the test, or somebody who cannot be reached.
  std::optional<AssertionResult> result = {};
  bool grader_failed = false;
  std::optional<Error> error = {};
  std::string unreachable = {};

  bool HasEnded() const { return result || error || !unreachable.empty(); }
};

// Talks that ask somebody and have not ended get their open requests; false: all have ended.
bool CarryOnTalks(const AskInput& ask, const AssertionInput& input, std::vector<LeafTalk>& talks);

}  // namespace assay::promptfoo
