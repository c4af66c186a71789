// Factors: estimates the effect of each parameter in which variants of a run differ (temperature, system
// prompt, effort, limit of tokens, examples, prompt), over all pairs of variants that are equal in everything
// else (spec: statistics 7).
#pragma once

#include <string>
#include <vector>

#include "report/decide/standings.h"

namespace assay {

// What a level does to one model.
struct ModelEffect {
  std::string model;  // as ModelsOf names it
  std::size_t pairs = 0;
  PairedEstimate paired;
  std::string sentence;
};

struct FactorEffect {
  std::string factor;  // "temperature"
  std::string level;   // "temperature 0.8"
  std::string base;    // the level of the first variant that has the factor: "temperature 0"
  std::size_t pairs = 0;
  PairedEstimate paired;  // level - base
  std::string sentence;
  std::vector<ModelEffect> by_model;  // in suite order; empty: the pairs are of one model
};
// Each level against the first one; nothing for factors that do not vary, or of which no two variants are
// equal in the rest.
std::vector<FactorEffect> FactorEffects(const Suite& suite, const CaseScores& scores);

// A factor that varies in a suite, and which of its levels each variant has.
struct FactorLevels {
  std::string name;                       // "temperature"
  std::vector<std::string> levels;        // "temperature 0.8", in suite order
  std::vector<std::string> short_levels;  // "0.8"; texts are named by letters; "–": none
  std::vector<std::size_t> of;            // by variant
};
std::vector<FactorLevels> FactorsOf(const Suite& suite);

// "temperature 0.8, system prompt “You are brief.”": by variant, the parameters that vary in the suite; ""
// each if none does.
std::vector<std::string> VaryingParameters(const Suite& suite);
// What sentences and tables call the variants: their labels, or "echo:a (temperature 0.8, no system prompt)",
// where that tells all of them apart, else their ids; of a matrix as ProfileNames says.
std::vector<std::string> SpokenNames(const Suite& suite);
// What rows of comparisons and gates call them: profiles of a matrix as SpokenNames does, other variants by
// their ids.
std::vector<std::string> TableNames(const Suite& suite);
// The same of one variant, by its SpokenNames.
const std::string& TableNameOf(const Variant& variant, const std::string& spoken);

}  // namespace assay
