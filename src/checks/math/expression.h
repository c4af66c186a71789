// MathExpression: an expression in LaTeX or plain notation, evaluated at given values of its names.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/errors/result.h"

namespace assay {

namespace limits {
inline constexpr std::size_t kMathBytesMax = 4'096;   // of an expression
inline constexpr std::size_t kMathDepthMax = 64;      // of its nesting
inline constexpr std::size_t kMathStepsMax = 10'000;  // parts that it is made of
}  // namespace limits

class MathExpression {
 public:
  // + - × ÷ ^ ! \frac \sqrt[n] \binom |x| \log_b ln exp, the trigonometric functions and their inverses, π,
  // e, i, products without a sign, mixed numbers. kInvalidInput for anything else, kLimit beyond the limits.
  static Result<MathExpression> Read(std::string_view text);

  // At the point with this number, from 0 to kPoints - 1: every name has a positive value of its own there.
  // Not finite where the expression has no value.
  static constexpr std::size_t kPoints = 6;
  std::complex<double> At(std::size_t point) const;

 private:
  friend class MathReader;
  enum class Kind : unsigned char;
  struct Node {
    Kind kind;
    std::complex<double> value = {};  // of a number
    std::size_t name = 0;             // a hash of the name
    std::size_t left = 0;             // places of parts
    std::size_t right = 0;
  };
  std::complex<double> ValueOf(const Node& node, const std::vector<std::complex<double>>& values,
                               std::size_t point) const;

  std::vector<Node> nodes_;  // parts before the whole; the last one is the whole
};

// Whether both have the same value at all points where both are finite, and there are at least three of them.
bool SameExpressions(const MathExpression& a, const MathExpression& b);
// Whether one is the other times a number other than 0, by their values.
bool ProportionalExpressions(const MathExpression& a, const MathExpression& b);

}  // namespace assay
