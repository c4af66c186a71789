// What turns of all systems under test (program_turn.cc, agent_turn.cc) have in common: what of a turn
// becomes the facts of its attempt.
#pragma once

#include <string>

#include "spec/run/step.h"
#include "spec/turn/turn_details.h"

namespace assay {

// Puts times, calls and whatever else a turn tells beside its answer into `told`. `last`: the turn's last
// exchange, which ends it; null if nothing was asked.
void AddTold(const Exchange* last, double took_ms, TurnDetails details, const std::string& text,
             AttemptFacts& told);

}  // namespace assay
