// A turn of the research agent (agent/turn/turn.h) with the variant's model, which decides on its way what to
// ask. Whatever it answers is a result: an empty answer and a turn that stopped early are for the checks and
// the dialect to judge.
// Source of the rules: spec research 5, 6 and 10.
#include "agent/turn/turn.h"

#include "agent/words/reply_text.h"
#include "plan/answers/generator.h"
#include "plan/answers/turn.h"
#include "spec/suite/suite.h"

namespace assay {

std::uint32_t AgentTurnRequestsMax(const Case&, const Variant& variant) { return AgentRequestsMax(variant); }

// A model that answers at once is asked once; whom it asks beside, and how often, it decides itself.
std::vector<StepParty> AgentTurnParties(const Suite& suite, const Case& the_case, const Variant& variant) {
  std::vector<StepParty> parties = {{.role = RequestRole::kCandidate,
                                     .model = &variant,
                                     .id = variant.id,
                                     .params = &variant.params,
                                     .usual = 1,
                                     .most = AgentModelRequestsMax(variant)}};
  const bool has_tools = !variant.profile->lean;
  if (has_tools && suite.agent.summarizer) {
    parties.push_back({.role = RequestRole::kSummarizer,
                       .model = &*suite.agent.summarizer,
                       .id = suite.agent.summarizer->model_id,
                       .params = &suite.agent.summarizer->params,
                       .usual = 0,
                       .most = AgentModelRequestsMax(variant)});
  }
  if (suite.corpus.endpoint && !the_case.documents->empty()) {
    parties.push_back({.role = RequestRole::kEmbedding,
                       .model = &*suite.corpus.endpoint,
                       .id = suite.corpus.endpoint->model_id,
                       .usual = 1,
                       .most = 1});
  }
  parties.push_back(
      {.role = RequestRole::kTool, .usual = 0, .most = has_tools ? AgentRequestsMax(variant) : 2});
  return parties;
}

// The agent's own words, without what its model thought and called.
std::string AgentTurnWords(const Variant&, const ModelReply& reply) { return StripThinking(reply.text); }

Action NextAgentTurn(const StepContext& context, std::span<const Exchange> so_far) {
  const std::string text = AskedText(context.TheCase(), context.TheVariant());
  AgentStep step = WalkAgentTurn(context, so_far);
  if (!step.needed.empty()) return Need{.requests = std::move(step.needed), .told = std::move(step.told)};
  AgentTurn& turn = step.turn;
  Transcript transcript;
  transcript.history.push_back({Role::kUser, text});
  if (turn.error) {
    transcript.error = turn.error->message;
    transcript.error_class = ErrorCodeName(turn.error->code);
  } else {
    transcript.answer = turn.answer;
    transcript.is_cut = turn.is_cut;
    transcript.history.push_back({Role::kAssistant, turn.answer});
    transcript.generated_indices = {0};
    transcript.generated_texts = {std::move(turn.answer)};
    transcript.generated_reasoning = {std::move(turn.reasoning)};
  }
  AddTold(so_far.empty() ? nullptr : &so_far.back(), turn.took_ms, std::move(turn.details), text,
          transcript.told);
  return Done{.value = std::move(transcript), .told = std::move(step.told)};
}

}  // namespace assay
