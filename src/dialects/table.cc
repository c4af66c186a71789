// The dialects, one row each.
#include <array>

#include "dialects/blueprint/blueprint.h"
#include "dialects/dialect.h"

namespace assay {

namespace {

constexpr std::array<DialectRow, 1> kDialects = {{
    {"blueprint", "CivicEval / Weval blueprints (.yml, .yaml, .json)", SniffBlueprint, ReadBlueprint,
     WriteBlueprint, ReadBlueprintFixtures, BlueprintPayload, BlueprintClosing, AddBlueprintClosing,
     BlueprintIndexPath, AddToBlueprintIndex},
}};

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
