// Which run a name means: its id, what begins it alone, or "latest".
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "store/store.h"

namespace assay {

// How a kind of store selects runs. `where`: all after the table, with ?1 for `text`.
struct RunSelection {
  std::function<Result<std::vector<RunRecord>>(std::string_view where, std::string_view text)> runs;
  // Ids alone: the texts of many runs can be long.
  std::function<Result<std::vector<std::string>>(std::string_view where, std::string_view text)> ids;
  std::string_view last_worked_on;  // where: one, or none
  std::string_view begins_with;     // condition of an id
  std::string_view to_change = {};  // behind what selects a run that is then changed
};

// Store::FindRun.
Result<RunRecord> FindRunByName(std::string_view name, const RunSelection& select);
// Store::ChangeRun, within a transaction. `update`: Store::UpdateRun.
Status ChangeRunOfId(const std::string& run_id, const RunSelection& select, const Store::RunChange& change,
                     const std::function<Status(const RunRecord&)>& update, RunRecord& run);

}  // namespace assay
