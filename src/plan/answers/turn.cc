// What turns of all systems under test have in common: what they need of a variant, and what of a turn
// becomes the facts of its attempt.
// Source of the rules: spec research 5, 6 and 10.
#include "plan/answers/turn.h"

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "plan/answers/generator.h"
#include "spec/suite/case.h"
#include "spec/suite/variant.h"
#include "spec/turn/turn_trace.h"
#include "text/object.h"

namespace assay {

namespace {

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
  const std::int64_t ended_us = last == nullptr ? 0 : last->started_ms * 1000 + last->duration_us;
  Map facts = Object{{"query", text}, {"ended_us", Number(ended_us)}};
  details.events.clear();  // the exchange has them
  facts.Append("turn", EncodeTurnDetails(details));
  return facts;
}

}  // namespace

void AddTold(const Exchange* last, double took_ms, TurnDetails details, const std::string& text,
             AttemptFacts& told) {
  TurnEvents events = ReadTurnEvents(details.events);
  AddTimes(took_ms, details, events, told);
  told.usage_by_role = details.usage_by_role;
  Map facts = FactsOf(last, std::move(details), text);
  EncodeTrace(std::move(events), told, facts);
  told.details = Value(std::move(facts));
}

std::string TurnLacks(const Case& the_case, const Variant& variant) {
  if (!variant.problem.empty()) return variant.problem;
  if (!variant.profile) return "it has no profile of a run";
  const CaseAsking* asking = AskingOf(the_case, variant);
  if (asking == nullptr && !variant.asking.empty())
    return fmt::format("the case has no asking named {}", Quoted(variant.asking));
  if (asking == nullptr)
    return fmt::format("the case says nothing of sources of the kind {}", variant.profile->source_provider);
  if (asking->problem.empty() && !asking->turns.empty()) return "a turn is asked for in one message";
  return asking->problem;
}

}  // namespace assay
