// WantedNumber: a number that a suite asks for, how near an answer has to come, and which of the answer's
// numbers counts.
#pragma once

#include <optional>
#include <string_view>

#include "base/errors/result.h"
#include "text/numbers/numbers.h"
#include "text/value.h"

namespace assay {

struct WantedNumber {
  enum class Pick {
    kLast,
    kFirst,
    kOnly,  // the answer names one number and no more
    kAny,   // one that passes, if there is one
  };

  double value = 0;
  double tolerance = 0;  // as a difference
  double relative = 0;   // as a share of |value|
  Pick pick = Pick::kLast;
  bool percents_are_fractions = false;  // "12 %" is 0.12, on both sides
  DecimalMark mark = DecimalMark::kPoint;

  bool Matches(double found) const;
};

// A number, a text that names exactly one, or {value, tolerance, relative, pick, percent, decimal}. Every
// error is kInvalidInput and says what was expected.
Result<WantedNumber> ReadWantedNumber(const Value& argument);

// The number of the text that counts; nothing where there is none, or several and only one may be.
std::optional<FoundNumber> PickNumber(std::string_view text, const WantedNumber& wanted);

}  // namespace assay
