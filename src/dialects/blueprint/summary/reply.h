// Reads the reply to the request for an executive summary: findings, grades and topics between tags. Source:
// weval 51dc4d3 (spec: blueprint 16).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dialects/blueprint/summary/names.h"
#include "text/value.h"

namespace assay::blueprint {

// "8/10", "8.5", "score 85": the first number, brought to the scale of 10; nothing if there is none.
std::optional<double> GradeNumber(std::string_view text);

struct Grade {
  std::optional<double> score;
  std::string reasoning;
};
// Lines `REASONING: why` and `SCORE: n/10` or `SCORE: N/A`; of several the last counts.
Grade ParseGrade(std::string_view text);

// A key of the thirteen dimensions that models are graded by, and what it means to people.
struct GradeDimension {
  std::string_view key;
  std::string_view meaning;
};
std::span<const GradeDimension> GradeDimensions();

// The names that the readers of result files know topics by.
std::span<const std::string_view> SummaryTopics();

// {keyFindings, strengths, weaknesses, patterns, grades?, autoTags?}, with real names.
Value ParseSummary(std::string_view reply, const OpaqueNames& names);

}  // namespace assay::blueprint
