// Dialects know no providers: what they take for a program of the user's own is what the table of providers
// starts as one, and what the generators take for one.
#include <doctest/doctest.h>

#include <string>

#include "dialects/names.h"
#include "plan/answers/generator.h"
#include "providers/provider.h"
#include "spec/suite/variant.h"

namespace assay {

TEST_CASE("dialects, providers and generators agree on whose models are programs") {
  std::size_t programs = 0;
  for (const ProviderRow& row : ProviderTable()) {
    CAPTURE(std::string(row.name));
    const bool is_program = row.route == Route::kProgram;
    programs += is_program ? 1 : 0;
    CHECK(NamesProgram(row.name) == is_program);
    Variant variant;
    variant.provider = row.name;
    const GeneratorRow* turn = FindGenerator("turn", variant, {});
    REQUIRE(turn != nullptr);
    CHECK(turn->name == (is_program ? "program_turn" : "agent_turn"));
  }
  CHECK(programs == 1);
}

}  // namespace assay
