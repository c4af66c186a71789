// What turns of all systems under test have in common (program_turn.cc, agent_turn.cc): what of a turn becomes
// the facts of its attempt.
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
