// Which run a name means: its id, what begins it alone, or "latest".
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "store/store.h"

namespace assay {

// What a kind of store must be able to list; `text` is a name.
struct RunLists {
  std::function<Result<std::vector<RunRecord>>()> last_worked_on;  // one, or none
  std::function<Result<std::vector<RunRecord>>(std::string_view text)> of_id;
  // Ids alone: the texts of many runs can be long.
  std::function<Result<std::vector<std::string>>(std::string_view text)> ids_that_begin_with;  // oldest first
  std::function<Result<std::vector<std::string>>()> newest_ids;  // to guess what was meant
};

// Store::FindRun.
Result<RunRecord> FindRunByName(std::string_view name, const RunLists& lists);

}  // namespace assay
