// Finds a run, and guesses what was meant where there is none.
#include "store/find_run.h"

#include <fmt/core.h>

#include "base/errors/diagnostics.h"

namespace assay {

Result<RunRecord> FindRunByName(std::string_view name, const RunLists& lists) {
  ASSAY_TRY(const std::vector<RunRecord> latest, lists.last_worked_on());
  if (latest.empty())
    return Error{ErrorCode::kNotFound, "the store has no runs yet; `assay run FILE` makes one"};
  if (name == "latest") return latest.front();
  ASSAY_TRY(const std::vector<RunRecord> exact, lists.of_id(name));
  if (!exact.empty()) return exact.front();
  ASSAY_TRY(const std::vector<RunRecord> matches, lists.that_begin_with(name));
  if (matches.size() == 1) return matches.front();
  if (matches.empty()) {
    ASSAY_TRY(const std::vector<RunRecord> newest, lists.newest());
    std::vector<std::string_view> known = {"latest"};
    for (const RunRecord& run : newest) known.push_back(run.context.run_id);
    const std::string_view near = DidYouMean(name, known);
    return Error{ErrorCode::kNotFound, fmt::format("there is no run {}; {}", Quoted(name),
                                                   near.empty() ? "`assay runs` lists them"
                                                                : fmt::format("did you mean {}?", near))};
  }
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{} runs start with {}: {} and {}, for example; write more of it", matches.size(),
                           Quoted(name), matches[0].context.run_id, matches[1].context.run_id)};
}

}  // namespace assay
