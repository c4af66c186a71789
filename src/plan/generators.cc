// The generators, one row each.
#include <algorithm>
#include <array>

#include "plan/generator.h"

namespace assay {

namespace {

// A turn asks one thing after the other; its own bound is that of its requests.
constexpr std::uint32_t kTurnRoundsMax = 200'000;
constexpr std::string_view kStandard = "conversation";

constexpr auto kRows = std::to_array<GeneratorRow>({
    // The case's turns, each generated one asked for with all that was said before it.
    {.name = kStandard,
     .max_requests = ConversationRequestsMax,
     .next = NextConversation,
     .lacks = ConversationLacks},
    // One turn of a system under test, set up as the variant's profile says.
    {.name = "turn",
     .keeps_transcript = true,
     .max_requests = TurnRequestsMax,
     .max_rounds = kTurnRoundsMax,
     .next = NextTurn,
     .lacks = TurnLacks,
     .words_of = TurnWords,
     .parties = TurnParties},
    // What a document needs before it can be searched.
    {.name = "ingest", .max_requests = IngestRequestsMax, .next = NextIngest, .parties = IngestParties},
});

const GeneratorRow* FindIn(std::span<const GeneratorRow> rows, std::string_view name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [name](const GeneratorRow& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

std::span<const GeneratorRow> GeneratorTable() { return kRows; }

const GeneratorRow* FindGenerator(std::string_view name, std::span<const GeneratorRow> more) {
  if (name.empty()) name = kStandard;
  const GeneratorRow* row = FindIn(more, name);
  return row != nullptr ? row : FindIn(kRows, name);
}

GeneratorVersions VersionsFor(const Suite& suite, std::span<const GeneratorRow> more) {
  GeneratorVersions versions;
  const GeneratorRow* last = nullptr;
  for (const Case& the_case : suite.cases) {
    const GeneratorRow* row = FindGenerator(the_case.generator, more);
    if (row != nullptr && row != last) versions.emplace(row->name, row->version);
    last = row;
  }
  return versions;
}

bool IsMadeWith(const GeneratorRow& row, const GeneratorVersions& versions) {
  constexpr std::uint32_t kBeforeRecorded = 1;
  const auto found = versions.find(row.name);
  return row.version == (found == versions.end() ? kBeforeRecorded : found->second);
}

bool KeepsTranscript(const GeneratorRow& row, const GeneratorVersions& versions) {
  return row.keeps_transcript || !IsMadeWith(row, versions);
}

}  // namespace assay
