// Formats comparisons of runs for the terminal, and as Markdown for pull requests; the sentence with the
// verdict comes first.
#pragma once

#include <string>

#include "cli/terminal/screen.h"
#include "report/values/comparisons.h"

namespace assay {

std::string ComparisonText(const ComparisonPage& page, const Screen& screen);
std::string ComparisonMarkdown(const ComparisonPage& page);

}  // namespace assay
