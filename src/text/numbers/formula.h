// Formula: a number that is made of others: + - * / ^, brackets, numbers, names, and functions such as
// min(a, b) and sqrt(a).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"

namespace assay {

class Formula {
 public:
  // kInvalidInput says what was expected where. Every name has to be one of `names`.
  static Result<Formula> Read(std::string_view text, std::span<const std::string> names);
  // `values` by the places of the names. Not finite where something is divided by 0.
  double Of(std::span<const double> values) const;

 private:
  friend class FormulaReader;
  // In the order in which a stack of numbers takes them.
  struct Step {
    enum class Kind { kNumber, kName, kAdd, kSubtract, kMultiply, kDivide, kPower, kNegate, kCall };
    Kind kind = Kind::kNumber;
    double number = 0;
    std::size_t name = 0;  // kName: of the names; kCall: of the functions
  };
  std::vector<Step> steps_;
};

}  // namespace assay
