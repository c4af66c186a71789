// GeneratorRow: how the answer of an attempt comes about. Each generator is one file and one row of
// generators.cc; a case names its row (Case::generator), and nothing but the row knows whom it asks in how
// many rounds.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "spec/run/generator_versions.h"
#include "spec/run/step.h"

namespace assay {

struct GeneratorRow {
  std::string_view name;
  // A name for several rows, each with its own kind of variant: whoever says it gets the first row that takes
  // the variant. Runs that were begun before these rows were told apart recorded their version by it.
  std::string_view family = {};
  bool (*takes)(const Variant& variant) = nullptr;  // null: every variant
  // Raised by whoever changes what it makes of the same exchanges, or which it asks for: runs of another
  // version are told by what was stored of them.
  std::uint32_t version = 1;
  // Whether what was said is stored with the scores: its code changes too often to tell it again.
  bool keeps_transcript = false;
  // Its prompts tell the time: a run tells the time of the run before, to ask in the same words.
  bool tells_time = false;
  // It asks one thing after the other for long: of cells no more are begun than models may be asked at once,
  // so that those which have begun come to their end.
  bool is_serial = false;
  // What it asks depends on what it reads on its way: before a run nobody knows whether a recording lacks it.
  bool asks_what_it_finds = false;
  // It asks a service that its variant describes, and no model.
  bool asks_service = false;
  // It is our own research agent, which the user's settings of the agent are for.
  bool has_agent_settings = false;
  // Requests of one attempt at most, leaving out those that find a model down: each of the variant's
  // fallbacks may cost one more.
  std::uint32_t (*max_requests)(const Case& the_case, const Variant& variant);
  // Rounds of requests of one attempt at most.
  std::uint32_t max_rounds = limits::kStepRoundsMax;
  // Need, or Done{Transcript}: what was said until it failed, and why in Transcript::error. The context has
  // no inputs.
  Action (*next)(const StepContext& context, std::span<const Exchange> so_far);
  // What it needs of the variant: why this one cannot answer the case, a sentence that becomes the error of
  // its attempts; "" if it can. Null: every variant can.
  std::string (*lacks)(const Case& the_case, const Variant& variant) = nullptr;
  // What of a reply is its answer, where nobody can tell the whole attempt again. Null: all that it says.
  std::string (*words_of)(const Variant& variant, const ModelReply& reply) = nullptr;
  // Whom it asks, where that is not the variant alone, in the step's own role. Null: it is. Never called of
  // what the row lacks.
  std::vector<StepParty> (*parties)(const Suite& suite, const Case& the_case,
                                    const Variant& variant) = nullptr;
};

// By a row's name or a family's, among `more` and the table's; "" is a conversation. Null if there is none
// that takes the variant.
const GeneratorRow* FindGenerator(std::string_view name, const Variant& variant,
                                  std::span<const GeneratorRow> more);
// Who answers the case for the variant: the row that the variant names, else the case's.
const GeneratorRow* GeneratorOf(const Case& the_case, const Variant& variant,
                                std::span<const GeneratorRow> more);
// Of the rows that answer the suite's cases.
GeneratorVersions VersionsFor(const Suite& suite, std::span<const GeneratorRow> more = {});
// Whether a run of these versions was made with the row as it is.
bool IsMadeWith(const GeneratorRow& row, const GeneratorVersions& versions);
// Whether what it says is stored in a run of these versions: as the row says, and where the run began with
// another version of it.
bool KeepsTranscript(const GeneratorRow& row, const GeneratorVersions& versions);

// conversation.cc
std::string ConversationLacks(const Case& the_case, const Variant& variant);
std::uint32_t ConversationRequestsMax(const Case& the_case, const Variant& variant);
Action NextConversation(const StepContext& context, std::span<const Exchange> so_far);

// turn.cc: of every system under test
std::string TurnLacks(const Case& the_case, const Variant& variant);

// program_turn.cc
bool IsProgramOfUser(const Variant& variant);
std::uint32_t ProgramTurnRequestsMax(const Case& the_case, const Variant& variant);
Action NextProgramTurn(const StepContext& context, std::span<const Exchange> so_far);

// agent_turn.cc
std::uint32_t AgentTurnRequestsMax(const Case& the_case, const Variant& variant);
std::vector<StepParty> AgentTurnParties(const Suite& suite, const Case& the_case, const Variant& variant);
std::string AgentTurnWords(const Variant& variant, const ModelReply& reply);
Action NextAgentTurn(const StepContext& context, std::span<const Exchange> so_far);

// http_template.cc
std::string HttpTemplateLacks(const Case& the_case, const Variant& variant);
std::uint32_t HttpTemplateRequestsMax(const Case& the_case, const Variant& variant);
std::vector<StepParty> HttpTemplateParties(const Suite& suite, const Case& the_case, const Variant& variant);
Action NextHttpTemplate(const StepContext& context, std::span<const Exchange> so_far);

// ingest.cc
std::uint32_t IngestRequestsMax(const Case& the_case, const Variant& variant);
std::vector<StepParty> IngestParties(const Suite& suite, const Case& the_case, const Variant& variant);
Action NextIngest(const StepContext& context, std::span<const Exchange> so_far);

}  // namespace assay
