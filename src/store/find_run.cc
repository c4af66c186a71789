// Finds a run, and guesses what was meant where there is none.
#include "store/find_run.h"

#include <fmt/core.h>

#include "base/errors/diagnostics.h"

namespace assay {

namespace {

constexpr std::string_view kOfId = "WHERE id = ?1";

}  // namespace

Result<RunRecord> FindRunByName(std::string_view name, const RunSelection& select) {
  ASSAY_TRY(const std::vector<RunRecord> latest, select.runs(select.last_worked_on, {}));
  if (latest.empty())
    return Error{ErrorCode::kNotFound, "the store has no runs yet; `assay run FILE` makes one"};
  if (name == "latest") return latest.front();
  ASSAY_TRY(const std::vector<RunRecord> exact, select.runs(kOfId, name));
  if (!exact.empty()) return exact.front();
  ASSAY_TRY(const std::vector<std::string> matches,
            select.ids(fmt::format("WHERE {} ORDER BY number", select.begins_with), name));
  if (matches.size() == 1) {
    ASSAY_TRY(std::vector<RunRecord> found, select.runs(kOfId, matches.front()));
    if (!found.empty()) return std::move(found.front());
  }
  if (matches.size() < 2) {
    ASSAY_TRY(const std::vector<std::string> newest, select.ids("ORDER BY number DESC LIMIT 1000", {}));
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

Status ChangeRunOfId(const std::string& run_id, const RunSelection& select, const Store::RunChange& change,
                     const std::function<Status(const RunRecord&)>& update, RunRecord& run) {
  ASSAY_TRY(std::vector<RunRecord> found, select.runs(fmt::format("{}{}", kOfId, select.to_change), run_id));
  if (found.empty()) return Error{ErrorCode::kNotFound, fmt::format("the store has no run {}", run_id)};
  run = std::move(found.front());
  ASSAY_CHECK_OK(change(run));
  return update(run);
}

}  // namespace assay
