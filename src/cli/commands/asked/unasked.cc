// Plans a stored run again, and walks one of its cells over what the store holds.
#include "cli/commands/asked/unasked.h"

#include <utility>

#include "engine/network/network.h"
#include "engine/run/run_record.h"
#include "plan/plan.h"
#include "report/fold/fold.h"
#include "spec/suite/suite.h"

namespace assay {

Result<std::vector<PreparedRequest>> UnaskedOf(Store& store, const RunRecord& run, CellIndex cell,
                                               const Options& options, CorpusDigests digests) {
  ASSAY_TRY(const RunSpec spec, DecodeRunSpec(run.spec));
  if (!spec.responses.empty() || !spec.fixtures.empty()) return std::vector<PreparedRequest>();
  const Result<std::shared_ptr<const Suite>> suite = SuiteOf(store, run);
  if (!suite) return std::vector<PreparedRequest>();
  Diagnostics diagnostics;
  const Endpoints endpoints = ReadEndpoints(spec, options.granted, diagnostics);
  const std::shared_ptr<const Plan> plan =
      Plan::Build(**suite,
                  {.judging = {.form = spec.json_judges ? VerdictForm::kJson : VerdictForm::kTags,
                               .votes = spec.votes.value_or(1)}},
                  diagnostics);
  if (plan == nullptr || cell >= plan->CellCount()) return std::vector<PreparedRequest>();
  const Router router({}, BaseUrlsOf(endpoints), ModelBook(options.granted.settings.models));
  EpochRange epochs;
  ASSAY_TRY(epochs.last, store.NewestEpoch());
  return MissingRequests(*plan, router, &store, epochs, run.context.prompts, cell, std::move(digests));
}

}  // namespace assay
