// Evaluates the expectations of a case: a tree of checks (all of, any of), each of which passes or fails by a
// threshold.
#pragma once

#include <optional>
#include <span>

#include "spec/score/score.h"

namespace assay {

struct Case;
struct Check;

// From which score on a check passes: `threshold` among its arguments, else 0.5 of a judge's, else 1.
double ThresholdOf(const Check& check);
// Whether one check passes, its inversion taken into account: as its score says, else by the threshold.
// Nothing if it has no score.
std::optional<bool> Holds(const Check& check, const Score& score);
// kAll: all of its parts, kAny: one of them at least. Nothing if what is missing may decide it.
std::optional<bool> Holds(const Case& the_case, std::span<const Score> scores);

}  // namespace assay
