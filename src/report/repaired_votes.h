// Votes of judges whose first reply could not be read, so that they were asked once more: a member of
// AttemptRecord::details that the fold adds for the page. Never stored.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "spec/suite.h"

namespace assay {

// A list of RepairedVote.
inline constexpr std::string_view kRepairedVotes = "repairedVotes";

inline std::string RepairedVote(CheckIndex check, std::string_view judge_label) {
  return fmt::format("{} {}", check, judge_label);
}

}  // namespace assay
