// The questions of --until: when each is decided, a run asks no more.
#pragma once

#include <string>
#include <string_view>

#include "base/errors/result.h"

namespace assay {

struct StopQuestion {
  enum class Kind {
    kFirst,  // "decided": which variant is first?
    kAhead,  // "A>B", "A>B+3": is A better than B, by at least so many points?
    kLevel,  // "±5": the mean of each variant to within so many points
    kGate,   // "gate": did a variant get worse than in the base of --fail-on-regression?
  };
  Kind kind = Kind::kFirst;
  std::string a = {};  // kAhead: as the user names it
  std::string b = {};  // likewise, with what stands behind it: a name may end in "+3" itself
  double half = 0;     // kLevel: points
};

// From 0.1 to `most` points; a share such as 0.03 is told to be one.
Result<double> ParsePoints(std::string_view text, double most);

// kInvalidInput: no such question.
Result<StopQuestion> ParseStopQuestion(std::string_view text);

// "B+3" as B and 3 points; 0 points: it has no such end.
struct NameAndPoints {
  std::string_view name;
  double points = 0;
};
NameAndPoints SplitPoints(std::string_view text);

}  // namespace assay
