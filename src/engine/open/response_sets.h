// ResponseSets: joins several sets of recorded answers (--responses given more than once) into one suite
// whose variants are the sets.
#pragma once

#include <memory>
#include <vector>

#include "base/errors/diagnostics.h"
#include "spec/exchange/recording.h"
#include "spec/suite/suite.h"

namespace assay {

class ResponseSets {
 public:
  explicit ResponseSets(const Suite& suite) : of_case_(suite.cases.size()) {}

  // A set whose variants and attempts `suite` has: a copy of the one that is to be run.
  void Add(const Suite& suite, Recording recording, Diagnostics& diagnostics);
  // Gives `suite` the variants of all sets, one after the other, and as many attempts as each has: what some
  // sets have more of is left out with a warning. The recording answers for all of them.
  Recording Join(Suite& suite, Diagnostics& diagnostics) &&;

 private:
  struct Set {
    Recording recording;
    VariantIndex first = 0;  // of its variants
    VariantIndex end = 0;
  };
  // What one set has of a case.
  struct Held {
    AttemptIndex attempts = 0;
    std::vector<VariantIndex> variants;  // of the run; those that were asked
  };

  std::vector<Set> sets_;
  std::vector<Variant> variants_;
  std::vector<std::vector<Held>> of_case_;  // by case and set
};

}  // namespace assay
