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
     .max_requests = TurnRequestsMax,
     .max_rounds = kTurnRoundsMax,
     .next = NextTurn,
     .lacks = TurnLacks,
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
  const GeneratorRow* row = FindIn(kRows, name);
  return row != nullptr ? row : FindIn(more, name);
}

}  // namespace assay
