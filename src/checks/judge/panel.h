// NextOfPanel: decides whom of the panel to ask next. All judges are asked on every criterion of an answer at
// once; then those again whose replies could not be read; then the backup, where a judge failed. Pure.
//
// Rules: weval 51dc4d3 (spec blueprint 12.2, 12.5, 12.6); the repair turn is ours.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "checks/check.h"
#include "checks/judge/judge.h"

namespace assay {

// What to ask next, or the score of each criterion.
using PanelAction = std::variant<Need, std::vector<Score>>;

// `replies`: to what the panel has asked, in order, by whole rounds. Criterion i is asked for as check
// `input.tag.check` + i.
PanelAction NextOfPanel(const AskInput& input, std::span<const std::string> criteria,
                        std::span<const Exchange> replies);
// Whom it may ask on so many criteria at most.
std::vector<StepParty> PanelParties(const JudgePanel& panel, std::uint32_t criteria_max);

}  // namespace assay
