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
  ASSAY_TRY(const std::vector<std::string> matches, lists.ids_that_begin_with(name));
  if (matches.size() == 1) {
    ASSAY_TRY(std::vector<RunRecord> found, lists.of_id(matches.front()));
    if (!found.empty()) return std::move(found.front());
  }
  if (matches.size() < 2) {
    ASSAY_TRY(const std::vector<std::string> newest, lists.newest_ids());
    std::vector<std::string_view> known = {"latest"};
    known.insert(known.end(), newest.begin(), newest.end());
    const std::string_view near = DidYouMean(name, known);
    return Error{ErrorCode::kNotFound, fmt::format("there is no run {}; {}", Quoted(name),
                                                   near.empty() ? "`assay runs` lists them"
                                                                : fmt::format("did you mean {}?", near))};
  }
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{} runs start with {}: {} and {}, for example; write more of it", matches.size(),
                           Quoted(name), matches[0], matches[1])};
}

}  // namespace assay
