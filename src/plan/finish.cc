// Puts options, prices and the machine's toolchains into a suite, before it is planned.
#include "plan/finish.h"

#include <algorithm>

#include "plan/model_requests.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

// A turn that stops at a cost has to know what it costs.
void PriceTurn(const ModelBook& models, Variant& variant) {
  constexpr double kTokensOfPrice = 1e6;
  if (!variant.agent.limits.usd) return;
  const std::optional<Price> price = models.PriceOf(variant.provider, variant.model);
  if (!price) return;
  variant.agent.usd_per_input_token = price->input_usd / kTokensOfPrice;
  variant.agent.usd_per_output_token = price->output_usd / kTokensOfPrice;
}

}  // namespace

Suite Finish(Suite suite, const Machine& machine, const RunSpec& spec) {
  suite.toolchains = machine.toolchains;
  if (spec.accept_partial) suite.completeness.accepts_partial = true;
  suite.programs.strict = spec.strict_programs;
  suite.programs.memo = !spec.no_memo;
  const bool has_media = std::any_of(suite.cases.begin(), suite.cases.end(), [](const Case& the_case) {
    return std::any_of(the_case.turns.begin(), the_case.turns.end(),
                       [](const Turn& turn) { return !turn.media->empty(); });
  });
  for (Judge& judge : suite.judges) judge.sees = has_media ? MediaTakenBy(judge, machine.models) : judge.sees;
  if (suite.backup_judge && has_media)
    suite.backup_judge->sees = MediaTakenBy(*suite.backup_judge, machine.models);
  for (Variant& variant : suite.variants) PriceTurn(machine.models, variant);
  return suite;
}

}  // namespace assay
