// Replays an attempt's generator over its stored exchanges, and tells the question and the last reply alone
// where a replay cannot be trusted.
#include "plan/answers/retelling.h"

#include <algorithm>

#include "plan/answers/generator.h"
#include "plan/plan.h"
#include "spec/exchange/tool_calls.h"
#include "spec/run/worker_state.h"
#include "spec/suite/case.h"
#include "spec/turn/turn_trace.h"

namespace assay {

namespace {

// As the store has it: not everything comes back as it went in.
AttemptFacts AsStored(const AttemptFacts& told) {
  AttemptRecord record;
  record.transcript.told = told;
  Result<AttemptRecord> stored = DecodeScores(EncodeScores(record));
  return stored ? std::move(stored->transcript.told) : AttemptFacts();
}

// What a turn asked, as its generator put it; "" where that was not told.
std::string QueryOf(const AttemptFacts& told) { return told.details.TextAt("query"); }

// Whether what was stored of a turn has its rounds: then it is what was told of it when it was made. Older
// versions told less, and a replay tells it again.
bool TellsRounds(const AttemptFacts& told) {
  const std::vector<TraceRound> rounds = TraceOf(told).rounds;
  return std::any_of(rounds.begin(), rounds.end(),
                     [](const TraceRound& round) { return round.took_ms.has_value(); });
}

// Whether a replay comes to what was stored of the attempt when it was graded: no answer where there was one,
// or another question, other calls or other tokens, are those of another turn.
bool Agrees(const Transcript& replayed, const Transcript& stored) {
  if (replayed.error.empty() != stored.error.empty()) return false;
  const AttemptFacts& was = stored.told;
  if (was.details.is_undefined() && was.usage_by_role.empty() && was.tool_calls.empty()) return true;
  const AttemptFacts is = AsStored(replayed.told);
  const bool same_query = QueryOf(was).empty() || QueryOf(is) == QueryOf(was);
  const bool same_usage = was.usage_by_role.empty() || is.usage_by_role == was.usage_by_role;
  return same_query && same_usage && is.tool_calls == was.tool_calls;
}

// What was said before the first answer: the question as the generator put it, or the case's own turns.
std::vector<Message> Question(const Case& the_case, const AttemptFacts& told) {
  if (std::string query = QueryOf(told); !query.empty()) return {{Role::kUser, std::move(query)}};
  std::vector<Message> said;
  for (const Turn& turn : the_case.turns) {
    if (turn.kind == TurnKind::kGenerate) break;
    said.push_back({turn.role, turn.text});
  }
  return said;
}

// The words of the last reply of whoever was to answer.
Transcript LastWords(const StepContext& context, std::span<const Exchange> so_far, const Transcript& stored,
                     const GeneratorRow* row) {
  Transcript said = stored;
  said.history = Question(context.TheCase(), stored.told);
  const RequestRole role = RowOf(context.part).answers_as;
  for (auto exchange = so_far.rbegin(); exchange != so_far.rend() && stored.error.empty(); ++exchange) {
    const auto* reply = std::get_if<ModelReply>(&exchange->reply);
    if (exchange->error || exchange->role != role || reply == nullptr) continue;
    const bool has_own_words = row != nullptr && row->words_of != nullptr;
    said.answer = has_own_words ? row->words_of(context.TheVariant(), *reply) : TextWithCalls(*reply);
    said.history.push_back({Role::kAssistant, said.answer});
    said.generated_indices = {0};
    said.generated_texts = {said.answer};
    said.generated_reasoning = {reply->reasoning};
    said.citations = reply->citations.is_list() ? reply->citations.AsList() : List();
    break;
  }
  return said;
}

Result<RetoldAnswer> Retell(const GeneratorVersions& versions, std::span<const GeneratorRow> more,
                            const StepContext& context, std::span<const Exchange> so_far,
                            const Transcript& stored) {
  const GeneratorRow* row = GeneratorOf(context.TheCase(), context.TheVariant(), more);
  const bool is_same = row != nullptr && IsMadeWith(*row, versions);
  if (is_same) {
    Action action = ReplayAnswer(*row, context, so_far);
    if (auto* done = std::get_if<Done>(&action)) {
      auto& replayed = std::get<Transcript>(done->value);
      if (Agrees(replayed, stored)) {
        if (TellsRounds(stored.told)) replayed.told = stored.told;
        return RetoldAnswer{.transcript = std::move(replayed)};
      }
    } else if (!stored.error.empty()) {
      // A request that was refused unasked is not in the store; every other one is.
      return RetoldAnswer{.transcript = stored};
    }
  }
  if (so_far.empty() && stored.error.empty() && is_same)
    return Error{ErrorCode::kCorrupt, "the store is damaged: an answer that was graded is not there"};
  return RetoldAnswer{.transcript = LastWords(context, so_far, stored, row), .is_whole = false};
}

}  // namespace

Retelling RetellingOf(std::string_view generators, std::span<const GeneratorRow> more) {
  const GeneratorVersions versions = DecodeGeneratorVersions(generators).value_or(GeneratorVersions());
  return {.answer = [versions, more](const StepContext& context, std::span<const Exchange> so_far,
                                     const Transcript& stored) {
    return Retell(versions, more, context, so_far, stored);
  }};
}

}  // namespace assay
