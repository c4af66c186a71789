// Tells the user which models a run would ask although no option or file names any, and what that costs, and
// asks for consent at a terminal.
#pragma once

#include <string>
#include <string_view>

#include "cli/terminal/ui.h"
#include "engine/plan/priced_plan.h"

namespace assay {

// "no models named: the 33 of CORE, $0.40 to $12"; "" if models are named, or nothing would be asked.
std::string AssumedModelsText(const Plan& plan, const PricedPlan& priced);
// Whether somebody sits at a terminal who can be asked, and whether they want to go on. Signals end the
// program meanwhile.
bool CanAskUser();
bool UserAgrees(Ui& ui, std::string_view question);

}  // namespace assay
