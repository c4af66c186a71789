// Runs one turn of the research agent from start to end: preload, first message, dialogue, result; also which
// tools are offered and how many requests a turn may need.
#include "agent/turn/turn.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "agent/limits.h"
#include "agent/turn/dialogue.h"
#include "agent/turn/preload.h"
#include "agent/web/local_targets.h"
#include "agent/words/prompts.h"
#include "agent/words/query.h"
#include "corpus/ask/operations.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::uint32_t kRequestsBeside = 64;  // documents, evidence, the shortlist's pages, a final answer
constexpr std::uint32_t kRequestsOfCall = 24;  // pages of one call, and their summaries

// The query in the words that a model sees: handles stand for the paths of documents.
std::string ShownQuery(const TurnState& turn) {
  std::string shown = turn.query;
  const Case& the_case = turn.context.TheCase();
  for (const CaseDocument& document : *the_case.documents) {
    if (document.path.empty()) continue;
    const auto open = std::find_if(turn.documents.begin(), turn.documents.end(),
                                   [&](const OpenDocument& each) { return each.id == document.id; });
    const std::string stand_in = open == turn.documents.end() ? "(not readable)" : open->handle;
    for (std::size_t at = shown.find(document.path); at != std::string::npos;
         at = shown.find(document.path, at + stand_in.size())) {
      shown.replace(at, document.path.size(), stand_in);
    }
  }
  return LocalTargets(shown).empty() ? shown : RedactLocalTargets(shown);
}

// What stands under the query in the first message, blank lines between its parts.
std::string UserText(const TurnState& turn, const Preloaded& preloaded) {
  std::string text = ShownQuery(turn);
  std::string blocks;
  for (const std::string& block : preloaded.blocks) blocks += "\n\n" + block;
  if (blocks.empty()) return text;
  return fmt::format("{}\n\nGathered for this question beforehand:{}\n\n{}", text, blocks,
                     turn.profile().lean ? "Answer from this."
                                         : "Start from this, and check with your tools what you cite.");
}

// What is known before a round of the dialogue.
struct TurnMemory final : StepMemory {
  TurnKnowledge knowledge;
  DialogueState dialogue;
  std::vector<std::string> notices;
};

class TurnWalk {
 public:
  TurnWalk(const StepContext& context, std::span<const Exchange> so_far)
      : state_(context, so_far), so_far_(so_far) {
    state_.query = AskedText(context.TheCase(), context.TheVariant());
  }

  AgentStep Walk() {
    AgentStep step;
    const std::optional<Waited> is_over = Go();
    step.told = state_.walk.NewEvents();
    if (!is_over) {
      step.needed = state_.walk.TakeNeeded();
      return step;
    }
    step.turn = std::move(turn_);
    TurnDetails& details = step.turn.details;
    details.events = state_.walk.events();
    details.role_aliases = {{"main", state_.profile().model_alias}, {"summarizer", SummarizerAlias()}};
    details.usage_by_role = {{"main", state_.used_by_model}, {"summarizer", state_.used_by_summarizer}};
    step.turn.took_ms = state_.walk.elapsed_ms();
    return step;
  }

 private:
  // Without one of the suite's the profile's own model shortens what it reads.
  std::string SummarizerAlias() const {
    const std::optional<Summarizer>& own = state_.suite().agent.summarizer;
    return own ? own->alias : state_.profile().model_alias;
  }

  std::optional<Waited> Go() {
    std::optional<Dialogue> dialogue = Remembered();
    if (!dialogue) {
      ASSAY_AWAIT(const Waited begun, Begin(dialogue));
      static_cast<void>(begun);
    }
    if (!dialogue) return Waited{};  // nothing can be asked
    const std::optional<Waited> is_over =
        dialogue->Run([this](const DialogueState& before_round) { Remember(before_round); });
    if (!is_over) return std::nullopt;
    dialogue->TakeInto(turn_);
    return Waited{};
  }

  std::optional<Waited> Begin(std::optional<Dialogue>& dialogue) {
    const Profile& profile = state_.profile();
    ASSAY_AWAIT(Preloaded preloaded, Preload(state_));
    turn_.details.notices = preloaded.notices;
    if (preloaded.error) {
      turn_.error = preloaded.error;
      return Waited{};
    }
    const OfferedFor circumstances{.has_corpus = preloaded.has_corpus,
                                   .answers_directly = preloaded.answers_directly};
    dialogue.emplace(state_, OfferedTools(profile, circumstances),
                     SystemPromptParts{.research_mode = profile.research_mode,
                                       .has_corpus = preloaded.has_corpus,
                                       .sums_up = preloaded.sums_up,
                                       .time = PromptTime(state_.context.run.prompts)},
                     UserText(state_, preloaded));
    return Waited{};
  }

  std::optional<Dialogue> Remembered() {
    const std::unique_ptr<StepMemory>* memory = state_.context.memory;
    const auto* kept = memory == nullptr ? nullptr : dynamic_cast<const TurnMemory*>(memory->get());
    if (kept == nullptr || kept->knowledge.walk.taken() > so_far_.size()) return std::nullopt;
    static_cast<TurnKnowledge&>(state_) = kept->knowledge;
    state_.walk.GoOnWith(so_far_);
    turn_.details.notices = kept->notices;
    return std::optional<Dialogue>(std::in_place, state_, kept->dialogue);
  }

  void Remember(const DialogueState& before_round) {
    std::unique_ptr<StepMemory>* memory = state_.context.memory;
    if (memory == nullptr) return;
    const auto* kept = dynamic_cast<const TurnMemory*>(memory->get());
    if (kept != nullptr && kept->dialogue.round == before_round.round) return;
    auto remembered = std::make_unique<TurnMemory>();
    remembered->knowledge = state_;
    remembered->dialogue = before_round;
    remembered->notices = turn_.details.notices;
    *memory = std::move(remembered);
  }

  TurnState state_;
  std::span<const Exchange> so_far_;
  AgentTurn turn_;
};

}  // namespace

AgentStep WalkAgentTurn(const StepContext& context, std::span<const Exchange> so_far) {
  return TurnWalk(context, so_far).Walk();
}

std::uint32_t AgentModelRequestsMax(const Variant& variant) {
  constexpr std::uint32_t kFinalTries = 2;
  return std::min(variant.agent.max_turns, limits::kTurnsMax) + kFinalTries;
}

std::uint32_t AgentRequestsMax(const Variant& variant) {
  const std::uint32_t turns = AgentModelRequestsMax(variant);
  const auto calls = static_cast<std::uint32_t>(limits::kCallsPerReplyMax);
  return kRequestsBeside + turns * (1 + calls * kRequestsOfCall);
}

std::vector<const ToolRow*> OfferedTools(const Profile& profile, const OfferedFor& circumstances) {
  std::vector<const ToolRow*> offered;
  if (profile.lean) return offered;
  for (const ToolRow& row : ToolTable()) {
    const bool is_of_mode = profile.research_mode ? row.in_research : row.in_standard;
    const bool is_disabled =
        std::binary_search(profile.disabled_tools.begin(), profile.disabled_tools.end(), row.name);
    const bool is_idle =
        (row.reach == ToolReach::kLinks && circumstances.has_corpus && profile.research_mode) ||
        (row.reach == ToolReach::kWeb && circumstances.answers_directly && !profile.research_mode);
    if (is_of_mode && !is_disabled && !is_idle) offered.push_back(&row);
  }
  return offered;
}

}  // namespace assay
