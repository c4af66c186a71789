// Changes the ending of a run's row, and its models that were given up.
#include "engine/run/note_ending.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <set>
#include <vector>

#include "report/values/runs.h"

namespace assay {

void AddGivenUp(std::span<const std::string> more, RunRecord& record) {
  const std::vector<std::string> before = GivenUpModels(record);
  std::set<std::string> models(before.begin(), before.end());
  models.insert(more.begin(), more.end());
  record.given_up = fmt::format("{}", fmt::join(models, "\n"));
}

Status NoteEnding(Store& store, const RunRecord& run, RunEnding ending) {
  const Result<RunRecord> noted = store.ChangeRun(run.context.run_id, [&](RunRecord& now) {
    if (now.state == RunState::kFinished) return Ok();
    if (!IsOfLimit(now.ending) || IsOfLimit(ending)) now.ending = StoredEnding(ending);
    AddGivenUp(GivenUpModels(run), now);
    return Ok();
  });
  if (!noted) return noted.error();
  return Ok();
}

void NoteError(Store& store, const RunRecord& run, const Error& error) {
  if (error.code == ErrorCode::kRefused) return;
  static_cast<void>(NoteEnding(store, run, RunEnding::kError).has_value());
}

}  // namespace assay
