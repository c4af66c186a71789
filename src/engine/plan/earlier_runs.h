// What earlier runs of a suite mean for a new one: its time in prompts, and what is requested again.
#pragma once

#include <string>
#include <vector>

#include "engine/plan/planned.h"
#include "store/store.h"

namespace assay {

// Whether the run's suite was asked afresh since, even a part of it: newer answers would make another run.
bool IsOutdated(const RunRecord& run, const std::vector<RunRecord>& runs);

// Its last word is of now. Nothing else that another process writes is lost.
Status MakeLatest(Store& store, RunRecord& run, std::int64_t now_ms);

// The time that prompts tell: a recording's, else that of an earlier run of the suite, so that what was
// answered then is found again whatever changed in its files. 0: of no earlier run, or prompts tell none.
PromptClock EarlierPrompts(const RunSpec& spec, bool fresh, const Planned& planned,
                           const std::vector<RunRecord>& runs);

// For people: why answers or verdicts of the run before are not found again, since this version words its
// requests otherwise. "": it does not.
std::string ChangedPrompts(const Planned& planned, const std::vector<RunRecord>& runs);

}  // namespace assay
