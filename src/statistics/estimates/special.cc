// Student by the regularised incomplete beta function (Lentz's continued fraction), quantiles by Newton's
// method on the logarithm of the tail inside a bracket, binomial terms by Loader's expansion (2000).
#include "statistics/estimates/special.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace assay {

namespace {

constexpr double kTiny = std::numeric_limits<double>::min();

// ln(Gamma(a + 1/2) / Gamma(a)) without the cancellation of two large logarithms.
double LogGammaHalfStep(double a) {
  if (a < 30) {
    int sign = 0;
    return lgamma_r(a + 0.5, &sign) - lgamma_r(a, &sign);
  }
  const double r = 1 / a;
  return 0.5 * std::log(a) +
         r * (-1.0 / 8 + r * r * (1.0 / 192 + r * r * (-1.0 / 640 + r * r * 17.0 / 14336)));
}

// The continued fraction of I_x(a, b); converges fast for x < (a + 1) / (a + b + 2).
double BetaFraction(double a, double b, double x) {
  constexpr int kRoundsMax = 100'000;
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < kTiny ? kTiny : d);
  double fraction = d;
  for (int m = 1; m <= kRoundsMax; ++m) {
    const double m2 = 2.0 * m;
    for (const double term : {m * (b - m) * x / ((a + m2 - 1) * (a + m2)),
                              -(a + m) * (a + b + m) * x / ((a + m2) * (a + m2 + 1))}) {
      d = 1 + term * d;
      d = 1 / (std::abs(d) < kTiny ? kTiny : d);
      c = 1 + term / c;
      if (std::abs(c) < kTiny) c = kTiny;
      fraction *= c * d;
    }
    if (std::abs(c * d - 1) < 1e-16) break;
  }
  return fraction;
}

double StudentDensity(double t, double df) {
  return std::exp(LogGammaHalfStep(df / 2) - 0.5 * std::log(df * std::numbers::pi) -
                  (df + 1) / 2 * std::log1p(t * t / df));
}

// The x > 0 at which tail(x) = target, for a falling tail with tail(0) >= target and -tail' = slope.
template <class Tail, class Slope>
double SolveTail(double target, double start, Tail tail, Slope slope) {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  double x = start;
  for (int i = 0; i < 400; ++i) {
    const double value = tail(x);
    (value > target ? low : high) = x;
    // Newton on ln(tail) over ln(x): both heavy and light tails are nearly straight there.
    const double step = value > 0 ? std::log(value / target) * value / (slope(x) * x)
                                  : -std::numeric_limits<double>::infinity();
    double next = x * std::exp(std::min(step, 2.0));
    if (!(next > low && next < high)) next = std::isinf(high) ? 2 * x : 0.5 * (low + high);
    if (std::abs(next - x) <= 1e-15 * x) return next;
    x = next;
  }
  return x;
}

// ln(n!) - ln(its Stirling approximation).
double StirlingError(double n) {
  if (n < 16) {
    int sign = 0;
    return n == 0
               ? 0
               : lgamma_r(n + 1, &sign) - (n + 0.5) * std::log(n) + n - 0.5 * std::log(2 * std::numbers::pi);
  }
  const double r = 1 / (n * n);
  return (1.0 / 12 - r * (1.0 / 360 - r * (1.0 / 1260 - r * (1.0 / 1680 - r / 1188)))) / n;
}

// x ln(x / mean) + mean - x, without cancellation near the mean.
double Deviance(double x, double mean) {
  if (x == 0) return mean;
  const double v = (x - mean) / (x + mean);
  if (std::abs(v) >= 0.1) return x * std::log(x / mean) + mean - x;
  double sum = (x - mean) * v;
  double power = 2 * x * v;
  for (int j = 1; j < 100; ++j) {
    power *= v * v;
    const double more = sum + power / (2 * j + 1);
    if (more == sum) break;
    sum = more;
  }
  return sum;
}

double LogHalfBinomialTerm(double k, double trials) {
  if (k == 0 || k == trials) return -trials * std::numbers::ln2;
  const double rest = trials - k;
  return StirlingError(trials) - StirlingError(k) - StirlingError(rest) - Deviance(k, trials / 2) -
         Deviance(rest, trials / 2) + 0.5 * std::log(trials / (2 * std::numbers::pi * k * rest));
}

}  // namespace

double NormalBelow(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double NormalQuantile(double q) {
  if (q == 0.5) return 0;
  const double target = std::min(q, 1 - q);
  const double x = SolveTail(
      target, 1.0, [](double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); },
      [](double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); });
  return q < 0.5 ? -x : x;
}

double StudentTwoSidedP(double t, double df) {
  if (t == 0) return 1;
  const double a = df / 2;
  const double square = t * t;
  const double x = df / (df + square);
  const double rest = square / (df + square);
  const double front = std::exp(-a * std::log1p(square / df) + 0.5 * std::log(rest) + LogGammaHalfStep(a)) /
                       std::sqrt(std::numbers::pi);
  if (x < (a + 1) / (a + 2.5)) return front * BetaFraction(a, 0.5, x) / a;
  return 1 - front * BetaFraction(0.5, a, rest) / 0.5;
}

double StudentQuantile(double q, double df) {
  if (q == 0.5) return 0;
  const double target = 2 * std::min(q, 1 - q);
  const double x = SolveTail(
      target, 1.0, [df](double t) { return StudentTwoSidedP(t, df); },
      [df](double t) { return 2 * StudentDensity(t, df); });
  return q < 0.5 ? -x : x;
}

double StudentBelow(double t, double df) {
  const double tail = StudentTwoSidedP(t, df) / 2;
  return t <= 0 ? tail : 1 - tail;
}

double BinomialAtLeast(std::uint64_t k, std::uint64_t trials) {
  if (k == 0) return 1;
  if (2 * k <= trials) return 1 - BinomialAtLeast(trials - k + 1, trials);
  const double n = static_cast<double>(trials);
  double sum = 1;
  double term = 1;
  for (double i = static_cast<double>(k); i < n && term > 1e-18 * sum; ++i) {
    term *= (n - i) / (i + 1);
    sum += term;
  }
  return std::exp(LogHalfBinomialTerm(static_cast<double>(k), n) + std::log(sum));
}

double BinomialTwoSidedP(std::uint64_t k, std::uint64_t trials) {
  return 2 * k <= trials ? 1 : std::min(1.0, 2 * BinomialAtLeast(k, trials));
}

}  // namespace assay
