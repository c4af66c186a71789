// The generators, one row each.
#include <algorithm>
#include <array>

#include "plan/answers/generator.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

// A turn asks one thing after the other; its own bound is that of its requests.
constexpr std::uint32_t kTurnRoundsMax = 200'000;
constexpr std::string_view kStandard = "conversation";
// A turn of a system under test, whoever that is.
constexpr std::string_view kTurn = "turn";

constexpr auto kRows = std::to_array<GeneratorRow>({
    // The case's turns, each generated one asked for with all that was said before it.
    {.name = kStandard,
     .max_requests = ConversationRequestsMax,
     .next = NextConversation,
     .lacks = ConversationLacks},
    // One turn of a program of the user's own, set up as the variant's profile says.
    {.name = "program_turn",
     .family = kTurn,
     .takes = IsProgramOfUser,
     .keeps_transcript = true,
     .tells_time = true,
     .max_requests = ProgramTurnRequestsMax,
     .next = NextProgramTurn,
     .lacks = TurnLacks},
    // One turn of the research agent with the variant's model, set up likewise.
    {.name = "agent_turn",
     .family = kTurn,
     .version = 2,  // 1 numbered documents over the whole run
     .keeps_transcript = true,
     .tells_time = true,
     .is_serial = true,
     .asks_what_it_finds = true,
     .has_agent_settings = true,
     .max_requests = AgentTurnRequestsMax,
     .max_rounds = kTurnRoundsMax,
     .next = NextAgentTurn,
     .lacks = TurnLacks,
     .words_of = AgentTurnWords,
     .parties = AgentTurnParties},
    // A service that templates of the variant describe, which the case's row fills in.
    {.name = "http-template",
     .asks_service = true,
     .max_requests = HttpTemplateRequestsMax,
     .next = NextHttpTemplate,
     .lacks = HttpTemplateLacks,
     .parties = HttpTemplateParties},
    // What a document needs before it can be searched.
    {.name = "ingest", .max_requests = IngestRequestsMax, .next = NextIngest, .parties = IngestParties},
});

const GeneratorRow* FindIn(std::span<const GeneratorRow> rows, std::string_view name,
                           const Variant& variant) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const GeneratorRow& row) {
    return row.name == name || (row.family == name && (row.takes == nullptr || row.takes(variant)));
  });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

const GeneratorRow* FindGenerator(std::string_view name, const Variant& variant,
                                  std::span<const GeneratorRow> more) {
  if (name.empty()) name = kStandard;
  const GeneratorRow* row = FindIn(more, name, variant);
  return row != nullptr ? row : FindIn(kRows, name, variant);
}

const GeneratorRow* GeneratorOf(const Case& the_case, const Variant& variant,
                                std::span<const GeneratorRow> more) {
  return FindGenerator(variant.generator.empty() ? *the_case.generator : variant.generator, variant, more);
}

GeneratorVersions VersionsFor(const Suite& suite, std::span<const GeneratorRow> more) {
  GeneratorVersions versions;
  const Case* last = nullptr;
  for (const Case& the_case : suite.cases) {
    if (last != nullptr && last->generator == the_case.generator) continue;
    last = &the_case;
    for (const Variant& variant : suite.variants) {
      const GeneratorRow* row = GeneratorOf(the_case, variant, more);
      if (row != nullptr) versions.emplace(row->name, row->version);
    }
  }
  return versions;
}

bool IsMadeWith(const GeneratorRow& row, const GeneratorVersions& versions) {
  constexpr std::uint32_t kBeforeRecorded = 1;
  auto found = versions.find(row.name);
  if (found == versions.end()) found = versions.find(row.family);
  return row.version == (found == versions.end() ? kBeforeRecorded : found->second);
}

bool KeepsTranscript(const GeneratorRow& row, const GeneratorVersions& versions) {
  return row.keeps_transcript || !IsMadeWith(row, versions);
}

}  // namespace assay
