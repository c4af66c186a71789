// The columns of its table that a suite keeps for exports: `keep` of a dataset.
#pragma once

#include <string>
#include <vector>

#include "text/value.h"

namespace assay {

struct Case;
struct Suite;

// In the order in which cases first have them.
std::vector<std::string> KeptColumns(const Suite& suite);
// Adds "row.NAME" for each; null where the case has none.
void AppendKept(const std::vector<std::string>& columns, const Case& the_case, Map& line);
// The text of a column; "" where the case has none.
std::string KeptText(const std::string& column, const Case& the_case);

}  // namespace assay
