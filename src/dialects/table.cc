// The dialects, one row each.
#include "dialects/blueprint/blueprint.h"
#include "dialects/dialect.h"
#include "dialects/infibench/infibench.h"

namespace assay {

namespace {

constexpr DialectRow kDialects[] = {
    {.name = "blueprint",
     .help = "CivicEval / Weval blueprints (.yml, .yaml, .json)",
     .sniff = SniffBlueprint,
     .read = ReadBlueprint,
     .write = WriteBlueprint,
     .write_artefacts = WriteBlueprintArtefacts,
     .read_fixtures = ReadBlueprintFixtures,
     .payload = BlueprintPayload,
     .closing = BlueprintClosing,
     .add_closing = AddBlueprintClosing,
     .index_path = BlueprintIndexPath,
     .add_to_index = AddToBlueprintIndex},
    {.name = "infibench",
     .help = "InfiBench suites: code questions with keywords, blanks, unit tests (.yaml with `cases`)",
     .sniff = SniffInfibench,
     .read = ReadInfibench,
     .write = WriteInfibench,
     .read_fixtures = nullptr,
     .reuses_names = true,
     .read_responses = ReadInfibenchResponses,
     .add_values = AddInfibenchTables,
     .tables = InfibenchTables,
     .index_path = InfibenchBoardPath,
     .add_to_index = AddToInfibenchBoard,
     .index_view_path = InfibenchRecordsPath,
     .index_view = InfibenchRecords},
};

}  // namespace

std::span<const DialectRow> DialectTable() { return kDialects; }

const DialectRow* FindDialect(std::string_view name) {
  for (const DialectRow& row : kDialects) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const DialectRow* SniffDialect(std::string_view path, std::string_view text) {
  const DialectRow* surest = nullptr;
  int best = 0;
  for (const DialectRow& row : kDialects) {
    const int sureness = row.sniff(path, text);
    if (sureness <= best) continue;
    best = sureness;
    surest = &row;
  }
  return surest;
}

}  // namespace assay
