// Computes statistics of a finished run from the content of its comparison file, and updates the summary that
// collects the runs of one blueprint. Pure functions over values. Source: spec blueprint 15.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "text/value.h"

namespace assay::blueprint {

// The score that leaderboards use: coverage where it is known, else similarity to the ideal; below 0 counts
// as 0. Absent, null and NaN are unknown.
std::optional<double> HybridScore(const Value& similarity, const Value& coverage);

// What is averaged: models and prompts with their scores, null where there are none.
struct ScoreTable {
  const Value& effective_models;                 // list of ids, the ideal's included
  const Value& prompt_ids;                       // list
  const Value& similarities;                     // prompt -> model -> model -> number
  const Value& coverage;                         // prompt -> model -> {avgCoverageExtent?, error?}
  std::map<std::string, double> prompt_weights;  // only those that the blueprint gives
};

// {average, stddev}: plain over all models and prompts, null where nothing is known. The original sums model
// by model where it compares runs, and prompt by prompt for summaries, which shows in the last bit.
enum class SumOrder { kByModel, kByPrompt };
Value RunAverage(const ScoreTable& table, SumOrder order);
// Model -> {average, stddev} of the hybrid score: the average weighted if any prompt has a weight.
Value HybridPerModel(const ScoreTable& table);
// Model -> {hybrid, similarity, coverage}, each {average, stddev}.
Value ScoresPerModel(const ScoreTable& table);

// The table of a comparison document, which must outlive it.
ScoreTable TableOf(const Value& comparison);

// summary.json with the run of a comparison document added, newest run first; `existing` is the summary
// before, or undefined. A run that it has already (same label and timestamp) is not added again.
Value AddToSummary(const Value& existing, const Value& comparison);

}  // namespace assay::blueprint
