// StopRule: the questions that may end a run early, bound to its suite: the order in which cases are asked,
// and the places at which their scores are looked at (docs/statistics.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "spec/ids.h"
#include "spec/run/run_spec.h"
#include "spec/suite/suite.h"
#include "statistics/sequential/race.h"
#include "statistics/sequential/units.h"

namespace assay {

struct BoundQuestion {
  enum class Kind { kRace, kPair, kLevel };
  Kind kind = Kind::kRace;
  std::string text;        // as the user wrote it
  VariantIndex a = 0;      // kPair; of kLevel the variant
  VariantIndex b = 0;      // kPair
  RaceQuestion race = {};  // kRace
  PairQuestion pair = {};  // kPair
  double half = 0;         // kLevel: in scores
};

struct StopRule {
  UnitTable table;
  std::vector<std::uint64_t> places;  // of looks, in units
  std::vector<BoundQuestion> questions;
  std::vector<std::string> names;  // of the variants, as people are told them
  std::string seed;
  std::uint64_t batch = 0;
  Promise promise = Promise::kSuite;
  std::optional<double> within = {};  // in scores
  bool is_chosen = false;             // options cut the suite
};

// Nothing: the spec asks no question. kInvalidInput: this suite cannot be asked it, and why. `suite` as it
// runs; outlived by nothing.
Result<std::optional<StopRule>> StopRuleOf(const Suite& suite, const RunSpec& spec);

}  // namespace assay
