// A turn of a system under test: it is set up as the variant's profile says, and tells how it came by its
// answer. A program of the user's own is asked once; of any other model the research agent
// (agent/turn/turn.h) makes the turn. Whatever it answers is a result: an empty answer and a turn that
// stopped early are for the checks and the dialect to judge.
// Source of the rules: spec research 5, 6 and 10.
#include <fmt/core.h>

#include <algorithm>

#include "agent/turn/turn.h"
#include "agent/words/reply_text.h"
#include "plan/generator.h"
#include "plan/steps.h"
#include "spec/exchange/tool_calls.h"
#include "spec/turn/turn_details.h"
#include "spec/turn/turn_trace.h"

namespace assay {

namespace {

// Systems that are set up with a profile, and make their turns themselves.
constexpr std::string_view kProgramProvider = "exec";

PlannedRequest AskTurn(const StepContext& context, const std::string& text) {
  const Variant& variant = context.TheVariant();
  ModelRequest request{variant};
  request.params = variant.params;
  request.messages = {{Role::kUser, text}};
  request.attempt = context.attempt;
  if (variant.provider == kProgramProvider) request.profile = variant.profile;
  if (!request.params.max_tokens) request.room = kNoLimit;
  for (const CaseDocument& document : context.TheCase().documents) {
    if (!document.sha256.empty()) request.inputs.push_back(document.sha256);
  }
  RequestTag tag = TagOf(context, RequestRole::kCandidate);
  tag.is_final_turn = true;
  return {.request = std::move(request), .tag = std::move(tag), .takes_silence = true};
}

void AddTimes(double took_ms, const TurnDetails& details, const TurnEvents& events, AttemptFacts& told) {
  told.timings_ms = {
      {"client_init_ms", details.client_init_ms.value_or(0)},
      {"run_turn_ms", took_ms},
      {"llm_total_ms", events.models.total_ms},
      {"tool_total_ms", events.tools.total_ms},
      {"local_ingestion_ms", events.local_ingestion.total_ms},
      {"shortlist_ms", events.shortlist.total_ms},
      {"llm_calls", static_cast<double>(events.models.pairs)},
      {"tool_calls", static_cast<double>(events.tools.pairs)},
      {"local_ingestion_calls", static_cast<double>(events.local_ingestion.pairs)},
      {"shortlist_calls", static_cast<double>(events.shortlist.pairs)},
  };
}

// What the dialect's rows hold beside the answer. `last`: null if nothing was asked.
Map FactsOf(const Exchange* last, TurnDetails details, const std::string& text) {
  Map facts;
  facts.Append("query", text);
  const std::int64_t ended_us = last == nullptr ? 0 : last->started_ms * 1000 + last->duration_us;
  facts.Append("ended_us", Value(static_cast<double>(ended_us)));
  details.events.clear();  // the exchange has them
  facts.Append("turn", EncodeTurnDetails(details));
  return facts;
}

// Times, calls and whatever else a turn tells beside its answer.
void AddTold(const Exchange* last, double took_ms, TurnDetails details, const std::string& text,
             AttemptFacts& told) {
  TurnEvents events = ReadTurnEvents(details.events);
  AddTimes(took_ms, details, events, told);
  told.usage_by_role = details.usage_by_role;
  Map facts = FactsOf(last, std::move(details), text);
  EncodeTrace(std::move(events), told, facts);
  told.details = Value(std::move(facts));
}

double MillisecondsOf(const Exchange& exchange) {
  constexpr double kMicrosecondsPerMs = 1000;
  return static_cast<double>(exchange.duration_us) / kMicrosecondsPerMs;
}

void TakeReply(const Exchange& exchange, const std::string& text, Transcript& transcript) {
  TurnDetails details;
  if (exchange.error) {
    transcript.error = exchange.error->message;
    transcript.error_class = ErrorCodeName(exchange.error->code);
  } else {
    const auto& reply = std::get<ModelReply>(exchange.reply);
    details = DecodeTurnDetails(reply.details);
    // A bare model has one role, its own.
    if (reply.details.is_undefined() && reply.usage.known) details.usage_by_role = {{"main", reply.usage}};
    transcript.answer = TextWithCalls(reply);
    transcript.is_cut = reply.finish_reason == kCutAtLimit;
    if (details.error) {
      transcript.answer.clear();
      transcript.error = details.error->Text();
      transcript.error_class = ErrorCodeName(ErrorCode::kRefused);
    } else {
      transcript.history.push_back({Role::kAssistant, transcript.answer});
      transcript.generated_indices = {0};
      transcript.generated_texts = {transcript.answer};
      transcript.generated_reasoning = {reply.reasoning};
    }
  }
  AddTold(&exchange, MillisecondsOf(exchange), std::move(details), text, transcript.told);
}

Action NextAgentTurn(const StepContext& context, std::span<const Exchange> so_far, const std::string& text) {
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

}  // namespace

std::string TurnLacks(const Case& the_case, const Variant& variant) {
  if (!variant.problem.empty()) return variant.problem;
  if (!variant.profile) return "it has no profile of a run";
  const SourcedQuery* query = QueryFor(the_case, *variant.profile);
  if (query == nullptr)
    return fmt::format("the case says nothing of sources of the kind {}", variant.profile->source_provider);
  return query->problem;
}

std::uint32_t TurnRequestsMax(const Case&, const Variant& variant) {
  return variant.provider == kProgramProvider ? 1 : AgentRequestsMax(variant);
}

// A model that answers at once is asked once; whom it asks beside, and how often, it decides itself.
std::vector<StepParty> TurnParties(const Suite& suite, const Case& the_case, const Variant& variant) {
  const bool is_program = variant.provider == kProgramProvider;
  std::vector<StepParty> parties = {{.role = RequestRole::kCandidate,
                                     .model = &variant,
                                     .params = &variant.params,
                                     .usual = 1,
                                     .most = is_program ? 1 : AgentModelRequestsMax(variant)}};
  if (is_program) return parties;
  const bool has_tools = !variant.profile->lean;
  if (has_tools && suite.agent.summarizer) {
    parties.push_back({.role = RequestRole::kSummarizer,
                       .model = &*suite.agent.summarizer,
                       .params = &suite.agent.summarizer->params,
                       .usual = 0,
                       .most = AgentModelRequestsMax(variant)});
  }
  if (suite.corpus.endpoint && !the_case.documents.empty())
    parties.push_back(
        {.role = RequestRole::kEmbedding, .model = &*suite.corpus.endpoint, .usual = 1, .most = 1});
  parties.push_back(
      {.role = RequestRole::kTool, .usual = 0, .most = has_tools ? AgentRequestsMax(variant) : 2});
  return parties;
}

// The agent's own words, without what its model thought and called.
std::string TurnWords(const Variant& variant, const ModelReply& reply) {
  return variant.provider == kProgramProvider ? TextWithCalls(reply) : StripThinking(reply.text);
}

bool UsesAgent(const Suite& suite) {
  const auto is_turn = [](const Case& the_case) { return the_case.generator == "turn"; };
  const auto is_ours = [](const Variant& variant) {
    return variant.profile && variant.provider != kProgramProvider;
  };
  return std::any_of(suite.variants.begin(), suite.variants.end(), is_ours) &&
         std::any_of(suite.cases.begin(), suite.cases.end(), is_turn);
}

Action NextTurn(const StepContext& context, std::span<const Exchange> so_far) {
  const Profile& profile = *context.TheVariant().profile;
  const SourcedQuery& query = *QueryFor(context.TheCase(), profile);
  const std::string text = WithAffixes(profile.query_prefix, query.text, profile.query_suffix);
  if (context.TheVariant().provider != kProgramProvider) return NextAgentTurn(context, so_far, text);
  if (so_far.empty()) return Need{{AskTurn(context, text)}};
  Transcript transcript;
  transcript.history.push_back({Role::kUser, text});
  TakeReply(so_far.front(), text, transcript);
  return Done{std::move(transcript)};
}

}  // namespace assay
