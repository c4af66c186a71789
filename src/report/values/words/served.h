// Sentences on who answered, where that was another model than the one that was asked.
#pragma once

#include <string>
#include <vector>

#include "spec/report/report.h"

namespace assay {

// "gemini-2.5-flash was answered by gemini-3.5-flash-lite, 312 of 312": a line for each model that was asked
// and each other one that answered; of judges and other helpers with their role.
std::vector<std::string> OtherModelLines(const RunTotals& totals);

// The names by which replies to a variant's requests call who answered, in their order, joined by commas; "":
// they do not say.
std::string ServedNames(const RunTotals& totals, VariantIndex variant);

}  // namespace assay
