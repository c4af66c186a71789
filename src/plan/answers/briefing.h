// What a program under test is told of its case beside the messages.
#pragma once

#include <memory>
#include <string>

#include "spec/exchange/case_briefing.h"
#include "spec/suite/case.h"

namespace assay {

// `question`: in the case's own words. Nothing of what is expected is in it.
std::shared_ptr<const CaseBriefing> BriefingOf(const Case& the_case, std::string question);

}  // namespace assay
