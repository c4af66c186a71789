// The unit of the result files: one prompt asked of one model, all attempts together. Files list prompts in
// JavaScript's own-key order and know no attempts: several are shown as the first answered one, with mean
// values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialects/blueprint/write/points.h"
#include "spec/report/pair.h"

namespace assay::blueprint {

// What the writers know before they look at cells.
struct FileFrame {
  explicit FileFrame(const Report& report);

  const Report& report;
  const Suite& suite;
  // One case per prompt id, in JavaScript's own-key order; of cases with one id the last, as the original
  // keeps it.
  std::vector<CaseIndex> cases;
  std::vector<CaseIndex> cases_by_id;     // the same, by the UTF-16 code units of their ids
  std::vector<CaseIndex> cases_in_order;  // the same, by where their ids come first in the suite
  std::vector<std::string>
      effective_models;  // who answered one of these; by UTF-16 code units, with IDEAL_BENCHMARK for ideals
  bool judges_coverage = false;           // evalMethodsUsed has "llm-coverage"
  std::uint64_t pairs = 0;                // at most
  std::vector<double> mean_similarities;  // similarities.h; empty if the run embedded nothing
};

// The last of the files' cases that the variant was asked; nothing if it was asked dropped ones alone.
std::optional<CaseIndex> LastCaseOf(const FileFrame& frame, VariantIndex variant);
// Whether the file shows an ideal answer for the case.
bool HasIdeal(const Case& the_case);
// The loaded config's entry of the case as kept_prompts.h keeps it; undefined if there is none.
const Value& KeptPromptOf(const Suite& suite, const Case& the_case);
// An empty value if the map has no such member.
const Value& Detail(const Value& map, std::string_view key);

// The system prompt of a variant at a case; nothing if none is sent. What the case says wins.
std::optional<std::string> SystemPromptOf(const Case& the_case, const Variant& variant);

// Whether there is anything to say of its points: the original leaves out what could not be graded.
bool HasCoverage(const Suite& suite, const Pair& pair);
// {keyPointsCount, avgCoverageExtent?, sampleCount?, stdDev?, pointAssessments, judgeAgreement?} or {error}.
void WriteCoverage(const Suite& suite, const std::vector<PointPlace>& order, const Pair& pair,
                   JsonStream& json);
// The same as core files keep it.
void WriteCoreCoverage(const Suite& suite, const std::vector<PointPlace>& order, const Pair& pair,
                       JsonStream& json);
// Its members that statistics read: why there are no points ("" if there are), and what they came to.
std::string CoverageErrorOf(const Suite& suite, const Pair& pair);
std::optional<double> CoverageScoreOf(const Pair& pair);
// [{role, content, answeredBy?}]; of a failed generation what was to be said, then the failure. An answer
// that calls itself an error is an answer here.
void WriteHistory(const Suite& suite, const Pair& pair, JsonStream& json);
std::string AnswerOf(const Suite& suite, const Pair& pair);

}  // namespace assay::blueprint
