// Tests of the cheapest designs, against a search of all designs.
#include "statistics/decisions/design.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "statistics/decisions/smallest_count.h"
#include "statistics/estimates/special.h"

namespace assay {
namespace {

struct DesignRow {
  VarianceParts parts;
  DesignPrices prices;
  double half = 0;
  RunDesign most = {.cases = 3'000, .attempts = 6, .judges = 4, .votes = 4};
  RunDesign least = {};

  DesignLimits limits() const { return {.least = least, .most = most}; }
};

// Variances of cases, attempts, judges and votes, what each costs, and how close the mean has to be.
constexpr DesignRow kDesignRows[] = {
    {{0.05, 0.03, 0.01, 0.01}, {0, 1, 0, 1}, 0.03},
    {{0.05, 0.03, 0.01, 0.01}, {0, 1, 0, 1}, 0.05},
    {{0.05, 0.03, 0.01, 0.01}, {0, 1, 0, 1}, 0.1},
    {{0.05, 0.03, 0.01, 0.01}, {0, 1, 0, 0.1}, 0.03},
    {{0.05, 0.03, 0.01, 0.01}, {0, 1, 0, 0.01}, 0.03},
    {{0.05, 0.03, 0.01, 0.01}, {0, 0.1, 0, 1}, 0.05},
    {{0.05, 0.03, 0.01, 0.01}, {10, 1, 0, 1}, 0.05},
    {{0.05, 0.03, 0.01, 0.01}, {10, 1, 1, 0.1}, 0.05},
    {{0.05, 0.03, 0.01, 0.01}, {100, 1, 0.5, 0.1}, 0.03},
    {{0.01, 0.09, 0.01, 0.01}, {1, 1, 0, 1}, 0.03},
    {{0.01, 0.09, 0.01, 0.01}, {5, 1, 0, 0.2}, 0.03},
    {{0.01, 0.09, 0.01, 0.01}, {50, 1, 0, 0.2}, 0.05},
    {{0.01, 0.01, 0.09, 0.01}, {0, 1, 0, 0.3}, 0.03},
    {{0.01, 0.01, 0.09, 0.01}, {2, 3, 0, 0.3}, 0.05},
    {{0.01, 0.01, 0.09, 0.01}, {2, 3, 1, 0.3}, 0.05},
    {{0.01, 0.01, 0.01, 0.09}, {0, 1, 0, 0.3}, 0.03},
    {{0.01, 0.01, 0.01, 0.09}, {2, 3, 1, 0.05}, 0.05},
    {{0.01, 0.01, 0.01, 0.09}, {2, 3, 5, 0.05}, 0.1},
    {{0.2, 0, 0, 0}, {0, 1, 0, 0}, 0.05},
    {{0.2, 0, 0, 0}, {1, 0, 0, 0}, 0.1},
    {{0, 0.2, 0, 0}, {1, 1, 0, 0}, 0.05},
    {{0, 0.2, 0, 0}, {10, 1, 0, 0.5}, 0.1},
    {{0, 0, 0.2, 0}, {1, 2, 0.1, 0.1}, 0.05},
    {{0, 0, 0, 0.2}, {1, 2, 3, 0.1}, 0.05},
    {{0, 0, 0, 0}, {1, 1, 1, 1}, 0.05},
    {{0.16, 0.05, 0.02, 0.02}, {0, 0.004, 0, 0.001}, 0.03},
    {{0.16, 0.05, 0.02, 0.02}, {0.002, 0.004, 0, 0.001}, 0.03},
    {{0.16, 0.05, 0.02, 0.02}, {0.02, 0.004, 0, 0.0005}, 0.05},
    {{0.16, 0.05, 0.02, 0.02}, {0.02, 0.004, 0.002, 0.0005}, 0.08},
    {{0.02, 0.12, 0.04, 0.02}, {0.3, 0.05, 0, 0.01}, 0.04},
    {{0.02, 0.12, 0.04, 0.02}, {0.3, 0.05, 0, 0.01}, 0.2},
    {{0.02, 0.12, 0.04, 0.02}, {0.03, 0.05, 0.01, 0.01}, 0.04},
    {{0.1, 0.1, 0.1, 0.1}, {1, 1, 1, 1}, 0.04},
    {{0.1, 0.1, 0.1, 0.1}, {4, 3, 2, 1}, 0.06},
    {{0.1, 0.1, 0.1, 0.1}, {1, 2, 3, 4}, 0.06},
    {{0.25, 0, 0.0001, 0.0001}, {0, 1, 0, 10}, 0.05},
    {{0.04, 0.04, 0.02, 0.02}, {1, 1, 0, 0.5}, 0.01, {3'000, 3, 2, 2}},
    {{0.04, 0.04, 0.02, 0.02}, {1, 1, 0, 0.5}, 0.01, {500, 6, 4, 4}},
    {{0.04, 0.04, 0.02, 0.02}, {8, 1, 0, 0.5}, 0.03, {100, 6, 1, 4}},
    {{0.04, 0.04, 0.02, 0.02}, {8, 1, 0, 0.5}, 0.02, {2'000, 1, 1, 1}},
    {{0.04, 0.04, 0.02, 0.02}, {8, 1, 0, 0.5}, 0.03, {2'000, 6, 4, 4}, {1, 3, 1, 1}},
    {{0.04, 0.04, 0.02, 0.02}, {1, 1, 0, 0.5}, 0.03, {2'000, 6, 4, 4}, {1, 1, 2, 1}},
    {{0.04, 0.04, 0.02, 0.02}, {1, 1, 0.2, 0.1}, 0.04, {2'000, 6, 4, 4}, {1, 1, 1, 3}},
    {{0.04, 0.12, 0.02, 0.06}, {5, 1, 0.2, 0.1}, 0.03, {2'000, 6, 3, 3}, {1, 2, 3, 3}},
    {{0.04, 0.04, 0.02, 0.02}, {0, 1, 0, 0.5}, 0.05, {2'000, 2, 2, 2}, {200, 2, 2, 2}},
    {{0.01, 0.02, 0.01, 0.2}, {0, 1, 0, 0.01}, 0.02, {3'000, 4, 3, 9}},
};
static_assert(std::size(kDesignRows) >= 40);

// Of all designs within the limits the first three: nothing is left out, and cases are counted up one by one.
std::vector<PricedDesign> SearchedThroughout(const DesignRow& row) {
  std::vector<double> quantiles(row.most.cases + 1);
  for (std::uint64_t n = 2; n <= row.most.cases; ++n)
    quantiles[n] = StudentQuantile(0.975, static_cast<double>(n - 1));
  std::vector<PricedDesign> all;
  for (std::uint64_t a = row.least.attempts; a <= row.most.attempts; ++a) {
    for (std::uint64_t j = row.least.judges; j <= row.most.judges; ++j) {
      for (std::uint64_t v = row.least.votes; v <= row.most.votes; ++v) {
        const double tries = static_cast<double>(a);
        const double judged = tries * static_cast<double>(j);
        const double voted = judged * static_cast<double>(v);
        const double variance = row.parts.cases + row.parts.attempts / tries + row.parts.judges / judged +
                                row.parts.votes * VarianceOfMedian(v) / judged;
        std::uint64_t n = std::max<std::uint64_t>(2, row.least.cases);
        const auto width = [&] { return quantiles[n] * std::sqrt(variance / static_cast<double>(n)); };
        while (n < row.most.cases && width() > row.half) ++n;
        if (width() > row.half) continue;
        const double price = row.prices.per_case + row.prices.per_attempt * tries +
                             row.prices.per_judge * judged + row.prices.per_vote * voted;
        all.push_back({.design = {.cases = n, .attempts = a, .judges = j, .votes = v},
                       .price = price * static_cast<double>(n),
                       .half_width = width()});
      }
    }
  }
  std::sort(all.begin(), all.end(),
            [](const PricedDesign& x, const PricedDesign& y) { return x.price < y.price; });
  all.resize(std::min<std::size_t>(all.size(), 3));
  return all;
}

TEST_CASE("the cheapest designs are those of a search of all designs") {
  for (const DesignRow& row : kDesignRows) {
    CAPTURE(&row - kDesignRows);
    const std::vector<PricedDesign> found = CheapestDesigns(row.parts, row.prices, row.half, row.limits());
    const std::vector<PricedDesign> wanted = SearchedThroughout(row);
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].price == doctest::Approx(wanted[i].price).epsilon(1e-12));
      CHECK(found[i].half_width <= row.half);
      CHECK(PriceOf(found[i].design, row.prices) == found[i].price);
      CHECK(*HalfWidthOf(found[i].design, row.parts) == found[i].half_width);
    }
  }
}

TEST_CASE(
    "no design costs less than totals in proportion to the root of variance over price, and few much more") {
  for (const DesignRow& row : kDesignRows) {
    CAPTURE(&row - kDesignRows);
    const auto root = [](double variance, double price) { return std::sqrt(variance * price); };
    const double sum =
        root(row.parts.cases, row.prices.per_case) + root(row.parts.attempts, row.prices.per_attempt) +
        root(row.parts.judges, row.prices.per_judge) + root(row.parts.votes, row.prices.per_vote);
    const double least = std::pow(sum * kNormal975 / row.half, 2);
    const std::vector<PricedDesign> found = CheapestDesigns(row.parts, row.prices, row.half, row.limits());
    if (!found.empty()) CHECK(found.front().price >= least * (1 - 1e-12));
  }
  // Where whole numbers are no matter: 20 attempts at each case, as √(0.04·100/(0.01·1)) says.
  const VarianceParts parts = {.cases = 0.01, .attempts = 0.04};
  const DesignPrices prices = {.per_case = 100, .per_attempt = 1};
  const DesignLimits limits = {.most = {.cases = 100'000, .attempts = 50}};
  const PricedDesign best = CheapestDesigns(parts, prices, 0.005, limits).front();
  CHECK(best.design.attempts == 20);
  CHECK(best.price == doctest::Approx(std::pow((1 + 0.2) * kNormal975 / 0.005, 2)).epsilon(0.01));
}

TEST_CASE("what no design reaches has none, and free extras are taken") {
  const VarianceParts parts = {.cases = 0.2, .attempts = 0.1};
  CHECK(CheapestDesigns(parts, {.per_attempt = 1}, 0.001, {.most = {.cases = 100, .attempts = 9}}).empty());
  CHECK(CheapestDesigns(parts, {.per_attempt = 1}, 0.5, {.most = {.cases = 1, .attempts = 9}}).empty());
  CHECK_FALSE(HalfWidthOf({.cases = 1}, parts));
  const auto free = CheapestDesigns(parts, {.per_case = 1}, 0.05, {.most = {.cases = 1'000, .attempts = 4}});
  CHECK(free.front().design.attempts == 4);
}

// The variance of the median of normal values by its definition: for an odd number x² times the density of
// the middle one, for an even number ((x + y)/2)² times that of the middle two.
double IntegratedVariance(std::uint64_t votes) {
  constexpr double kStep = 0.02;
  constexpr double kEnd = 7;
  const double below = static_cast<double>((votes - 1) / 2);  // votes on each side of the middle
  const double ways = std::lgamma(static_cast<double>(votes) + 1) - 2 * std::lgamma(below + 1);
  const auto weight = [&](double x) {  // of a middle one, with the others on one side of it
    return std::exp(ways / 2 + below * std::log(NormalBelow(x)) - x * x / 2) /
           std::sqrt(2 * std::numbers::pi);
  };
  double variance = 0;
  double sums[3] = {};
  for (int i = 0; i <= 2 * kEnd / kStep; ++i) {
    const double x = i * kStep - kEnd;
    if (votes % 2 == 1) {
      variance += weight(x) * std::exp(ways / 2 + below * std::log(NormalBelow(-x))) * x * x * kStep;
      continue;
    }
    double powers[] = {weight(x), weight(x) * x, weight(x) * x * x};
    for (int k = 0; k < 3; ++k) sums[k] += powers[k] / 2;
    variance += (sums[2] + 2 * x * sums[1] + x * x * sums[0]) / 4 * weight(-x) * kStep * kStep;
    for (int k = 0; k < 3; ++k) sums[k] += powers[k] / 2;
  }
  return variance;
}

TEST_CASE("the median of votes varies as that of normal values") {
  for (std::uint64_t votes = 1; votes <= 25; ++votes) {
    CAPTURE(votes);
    CHECK(VarianceOfMedian(votes) == doctest::Approx(IntegratedVariance(votes)).epsilon(5e-4));
    CHECK(VarianceOfMedian(votes) >= 1.0 / static_cast<double>(votes) - 1e-5);
  }
  CHECK(VarianceOfMedian(26) == VarianceOfMedian(25));
}

TEST_CASE("the smallest count is the first one that holds") {
  for (std::uint64_t wanted = 1; wanted <= 40; ++wanted) {
    const auto holds = [wanted](std::uint64_t count) { return count >= wanted; };
    CHECK(SmallestCount(1, 40, holds) == wanted);
    CHECK(SmallestCount(7, 40, holds) == std::max<std::uint64_t>(wanted, 7));
    CHECK(SmallestCount(1, 30, holds).has_value() == (wanted <= 30));
  }
}

}  // namespace
}  // namespace assay
