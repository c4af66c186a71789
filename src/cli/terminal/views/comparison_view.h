// Comparisons of runs as the terminal shows them, and as Markdown for a pull request. The sentence that
// answers the question comes first.
#pragma once

#include <string>

#include "report/values/comparisons.h"

namespace assay {

std::string ComparisonText(const ComparisonPage& page, const Screen& screen);
std::string ComparisonMarkdown(const ComparisonPage& page);

}  // namespace assay
