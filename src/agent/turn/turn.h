// A turn of the research agent: assay's own system under test, of profiles that no program of the user's
// answers.
//   documents and pages at hand -> prompt -> requests and tools in turns -> an answer, or why there is none
// source: asky 0.4.15, spec research 9. Its own: documents come of the case, never of the prompt; a
// forced final answer is counted and has the profile's parameters; titles of sessions, interface models,
// plugins and section tools are left out.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agent/tool.h"
#include "spec/run/step.h"

namespace assay {

struct AgentTurn {
  std::string answer;
  std::string reasoning;       // of the reply that is the answer
  bool is_cut = false;         // the answer ended where its limit of tokens did
  std::optional<Error> error;  // why there is no answer
  TurnDetails details;         // events, notices, use of tools and tokens
  double took_ms = 0;          // all of it, documents and pages included
};

struct AgentStep {
  std::vector<PlannedRequest> needed;  // empty: the turn is over
  std::vector<std::string> told;       // events since the last round
  AgentTurn turn;                      // if it is over
};
// The variant has a profile, the case a query for its source provider.
AgentStep WalkAgentTurn(const StepContext& context, std::span<const Exchange> so_far);

// Requests of one turn at most.
std::uint32_t AgentRequestsMax(const Variant& variant);
// Of the variant's own model, at most.
std::uint32_t AgentModelRequestsMax(const Variant& variant);

// The tools that the profile is offered, in order.
struct OfferedFor {
  bool has_corpus = false;        // sources are at hand before the first request
  bool answers_directly = false;  // what the pages at hand say is enough: no tool of the web
};
std::vector<const ToolRow*> OfferedTools(const Profile& profile, const OfferedFor& circumstances);

}  // namespace assay
