// Tests of bounds by betting: they err in no more orders than promised, and only move towards each other.
#include "statistics/sequential/bounds.h"

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <random>

namespace assay {
namespace {

constexpr ScoreRange kWhole = {0, 1};

std::vector<double> Drawn(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 dice(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(dice() % 10) / 9);
  return values;
}

// In how many orders a bound was wrong after some value, of all orders of one population.
struct Errors {
  int orders = 0;
  int above = 0;
  int below = 0;
};

// Every order of every population of `size` values in {0, 1/2, 1}, a look after each value.
std::map<std::array<int, 3>, Errors> ErrorsOfAllOrders(int size, double alpha) {
  std::map<std::array<int, 3>, Errors> errors;
  int orders = 1;
  for (int i = 0; i < size; ++i) orders *= 3;
  for (int code = 0; code < orders; ++code) {
    std::array<int, 3> population = {};
    std::vector<double> values;
    for (int i = 0, digits = code; i < size; ++i, digits /= 3) {
      ++population[static_cast<std::size_t>(digits % 3)];
      values.push_back(digits % 3 / 2.0);
    }
    const double mean = MeanOf(values);
    const auto units = static_cast<std::uint64_t>(size);
    const BoundRule rule{.population = units, .alpha = alpha};
    bool is_above = false;
    bool is_below = false;
    for (std::size_t n = 1; n <= values.size(); ++n) {
      const std::span<const double> seen = std::span(values).first(n);
      const BettingBounds bounds(seen, kWhole, units);
      is_above = is_above || bounds.LiesAbove(mean + 1e-9, rule);
      is_below = is_below || bounds.LiesBelow(mean - 1e-9, rule);
    }
    Errors& those = errors[population];
    ++those.orders;
    those.above += is_above ? 1 : 0;
    those.below += is_below ? 1 : 0;
  }
  return errors;
}

TEST_CASE("of every order of eight values at most the promised share has a bound that is ever wrong") {
  for (const double alpha : {0.025, 0.1, 0.3}) {
    int wrong = 0;
    for (const auto& [population, errors] : ErrorsOfAllOrders(8, alpha)) {
      CAPTURE(alpha);
      CAPTURE(population[0]);
      CAPTURE(population[2]);
      CHECK(errors.above <= alpha * errors.orders);
      CHECK(errors.below <= alpha * errors.orders);
      wrong += errors.above + errors.below;
    }
    // The promise is not kept by ruling nothing out.
    if (alpha == 0.3) CHECK(wrong > 0);
  }
}

TEST_CASE("the two sides are mirror images") {
  const std::map<std::array<int, 3>, Errors> all = ErrorsOfAllOrders(7, 0.3);
  for (const auto& [population, errors] : all) {
    const std::array<int, 3> mirrored = {population[2], population[1], population[0]};
    CHECK(errors.above == all.at(mirrored).below);
  }
}

TEST_CASE("bounds only move towards each other while values come") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<double> values = Drawn(60, seed);
    for (const std::optional<std::uint64_t> population :
         {std::optional<std::uint64_t>(), {60}, {61}, {200}}) {
      const BoundRule rule{.population = population, .alpha = 0.05};
      double low = 0;
      double high = 1;
      for (std::size_t n = 1; n < values.size(); ++n) {
        const std::span<const double> seen = std::span(values).first(n);
        const BettingBounds bounds(seen, kWhole, population.value_or(60));
        CHECK(bounds.Lower(rule) >= low - 1e-12);
        CHECK(bounds.Upper(rule) <= high + 1e-12);
        low = bounds.Lower(rule);
        high = bounds.Upper(rule);
      }
    }
  }
}

TEST_CASE("a bound lies above what it was said to lie above, and not above what it was not") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const BettingBounds bounds(Drawn(40, seed), kWhole, 100);
    for (const BoundRule& rule : {BoundRule{.population = 100}, BoundRule{.population = {}, .alpha = 0.01}}) {
      const double low = bounds.Lower(rule);
      const double high = bounds.Upper(rule);
      CHECK(bounds.LiesAbove(low - 1e-9, rule));
      CHECK_FALSE(bounds.LiesAbove(low + 1e-9, rule));
      CHECK(bounds.LiesBelow(high + 1e-9, rule));
      CHECK_FALSE(bounds.LiesBelow(high - 1e-9, rule));
    }
  }
}

TEST_CASE("a range and the values in it scale and shift the bounds") {
  const std::vector<double> values = Drawn(40, 5);
  std::vector<double> scaled;
  for (const double value : values) scaled.push_back(8 * value - 3);
  const BoundRule rule{.population = 90};
  const BettingBounds bounds(values, kWhole, 90);
  const BettingBounds others(scaled, {-3, 5}, 90);
  CHECK(others.Lower(rule) == doctest::Approx(8 * bounds.Lower(rule) - 3).epsilon(1e-10));
  CHECK(others.Upper(rule) == doctest::Approx(8 * bounds.Upper(rule) - 3).epsilon(1e-10));
}

TEST_CASE("nothing seen rules nothing out, and all seen leaves one mean") {
  const BoundRule rule{.population = 4};
  const BettingBounds none({}, {-1, 1}, 4);
  CHECK(none.Lower(rule) == -1);
  CHECK(none.Upper(rule) == 1);
  const double values[] = {0, 1, 1, 0.5};
  const BettingBounds all(values, kWhole, 4);
  CHECK(all.Lower(rule) == 0.625);
  CHECK(all.Upper(rule) == 0.625);
  CHECK(all.LiesAbove(0.6, rule));
  CHECK_FALSE(all.LiesBelow(0.6, rule));
}

TEST_CASE("what cannot be any more is ruled out without a bet") {
  const double values[] = {1, 1, 0};
  const BettingBounds bounds(values, kWhole, 4);
  const BoundRule rule{.population = 4};
  CHECK(bounds.Lower(rule) == doctest::Approx(0.5));
  CHECK(bounds.Upper(rule) == doctest::Approx(0.75));
}

}  // namespace
}  // namespace assay
