// StopRule: the questions that may end a run early, bound to its suite: the order in which cases are asked,
// and the places at which their scores are looked at (docs/statistics.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "report/decide/until/stop_gate.h"
#include "spec/ids.h"
#include "spec/run/run_spec.h"
#include "spec/suite/suite.h"
#include "statistics/sequential/race.h"
#include "statistics/sequential/units.h"

namespace assay {

// The cases that one gate is about, in the order of asking.
struct GateCases {
  UnitTable table;                         // of a regression: its units
  std::vector<std::uint64_t> places = {};  // of its looks, in these units
  std::vector<std::uint32_t> order = {};
  std::vector<std::uint64_t> until = {};  // by place in `order`: so many cases of the run are asked with it
  std::vector<bool> has = {};             // by case
  Sample base = {};                       // of a regression: by case
};

struct BoundQuestion {
  // kGate is about a statistical claim; what stands behind it becomes certain.
  enum class Kind { kRace, kPair, kLevel, kGate, kLeast, kFlips, kErrors };
  Kind kind = Kind::kRace;
  std::string text;        // as the user wrote it
  VariantIndex a = 0;      // kPair; of kLevel and gates of one variant that variant
  VariantIndex b = 0;      // kPair
  RaceQuestion race = {};  // kRace
  PairQuestion pair = {};  // kPair, kGate
  double half = 0;         // kLevel: in scores
  // Of gates; of kGate absent where nobody has read its base: a forecast needs none.
  std::shared_ptr<const StopGate> gate = {};
  std::shared_ptr<const GateCases> cases = {};

  bool IsCertain() const { return kind >= Kind::kLeast; }  // no promise is needed
};

struct StopRule {
  UnitTable table;                    // of all questions but gates; of gates alone that of their cases
  std::vector<std::uint64_t> places;  // of looks, in units
  std::vector<std::uint32_t> asking;  // all cases of the suite: those of `table`, then the others
  std::vector<BoundQuestion> questions;
  std::vector<std::string> names;  // of the variants, as people are told them
  std::string seed;
  std::uint64_t batch = 0;
  Promise promise = Promise::kSuite;
  std::optional<double> within = {};  // in scores
  bool is_chosen = false;             // options cut the suite
  std::vector<StopGate> gates = {};   // that may end the run, as it keeps them
  PassRule pass = {};                 // of its attempts
  std::vector<double> weights = {};   // by case

  const UnitTable& TableOf(const BoundQuestion& question) const {
    return question.cases != nullptr ? question.cases->table : table;
  }
  const std::vector<std::uint64_t>& PlacesOf(const BoundQuestion& question) const {
    return question.cases != nullptr ? question.cases->places : places;
  }
  bool IsCertain() const;  // every question is
};

// Nothing: nothing ends the run early. kInvalidInput: this suite cannot be asked the question, and why.
// `suite` as it runs; outlived by nothing. `gates`: what the run keeps of them; absent: no run is there yet.
Result<std::optional<StopRule>> StopRuleOf(const Suite& suite, const RunSpec& spec,
                                           std::optional<std::span<const StopGate>> gates = {});

}  // namespace assay
