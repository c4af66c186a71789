// Tests of the parts of the variance: by hand, and by simulated runs whose designs keep what they promise.
#include "statistics/decisions/design_parts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "statistics/estimates/bootstrap.h"
#include "statistics/estimates/special.h"
#include "statistics/estimates/spread.h"
#include "statistics/sample.h"

namespace assay {
namespace {

TEST_CASE("votes and judges by hand") {
  // Judge A is stricter by 0.2 everywhere, and they depart from each other by ±0.1 besides.
  const std::vector<JudgedScore> scores = {{.verdicts = {0.5, 0.8}}, {.verdicts = {0.7, 0.8}}};
  const JudgeParts parts = SplitJudges(scores);
  // Departures from the row means: ±0.15, ±0.05; less the judges' own ±0.1: four times 0.05² on one degree.
  CHECK(*parts.judges == doctest::Approx(0.01));
  CHECK_FALSE(parts.votes);
  CHECK(parts.of_score == doctest::Approx(0.005));

  const std::vector<JudgedScore> voted = {{.verdicts = {0.5}, .votes = {{0.4, 0.6}}}};
  CHECK(*SplitJudges(voted).votes == doctest::Approx(0.02));
  CHECK(SplitJudges(voted).of_score == doctest::Approx(0.01));
  CHECK_FALSE(SplitJudges(voted).judges);
  CHECK(SplitJudges({}).of_score == 0);
}

TEST_CASE("what the data do not tell is contained in the part before it") {
  const KnownParts single = PartsOf({.of_case = 0.2}, {.of_score = 0.05});
  CHECK(single.cases == doctest::Approx(0.15));
  CHECK_FALSE(single.attempts);
  const KnownParts several = PartsOf({.of_case = 0.2, .attempts = 4, .within = 0.1}, {});
  CHECK(several.cases == doctest::Approx(0.175));
  CHECK(*several.attempts == doctest::Approx(0.1));
  CHECK_FALSE(several.judges);
  const KnownParts capped =
      PartsOf({.of_case = 0.2, .attempts = 2, .within = 0.1}, {.judges = 0.4, .votes = {}, .of_score = 0.2});
  CHECK(*capped.attempts == doctest::Approx(0));
  CHECK(*capped.judges == doctest::Approx(0.2));
  CHECK(capped.cases == doctest::Approx(0.15));
}

// Draws normal values.
class Normals {
 public:
  explicit Normals(std::uint64_t seed) : draws_("design", seed) {}
  double Next(double variance) {
    constexpr std::uint32_t kSteps = 1u << 31;
    const double place = (static_cast<double>(draws_.Below(kSteps, counter_++)) + 0.5) / kSteps;
    return std::sqrt(variance) * NormalQuantile(place);
  }

 private:
  CounterRandom draws_;
  std::uint64_t counter_ = 0;
};

double MedianOf(std::vector<double> votes) {
  std::sort(votes.begin(), votes.end());
  const std::size_t middle = votes.size() / 2;
  return votes.size() % 2 == 1 ? votes[middle] : (votes[middle - 1] + votes[middle]) / 2;
}

// A run as assay grades it: the score of an attempt is the mean of the judges' medians. Every second judge is
// stricter.
struct DrawnRun {
  std::vector<std::vector<double>> attempts;  // by case
  std::vector<JudgedScore> judged;
};

DrawnRun Draw(const RunDesign& design, const VarianceParts& parts, Normals& normals) {
  DrawnRun run;
  for (std::uint64_t i = 0; i < design.cases; ++i) {
    const double of_case = 0.6 + normals.Next(parts.cases);
    std::vector<double>& scores = run.attempts.emplace_back();
    for (std::uint64_t a = 0; a < design.attempts; ++a) {
      const double of_attempt = of_case + normals.Next(parts.attempts);
      JudgedScore& judged = run.judged.emplace_back();
      for (std::uint64_t j = 0; j < design.judges; ++j) {
        const double of_judge = of_attempt + normals.Next(parts.judges) - (j % 2 == 1 ? 0.1 : 0);
        std::vector<double>& votes = judged.votes.emplace_back();
        for (std::uint64_t v = 0; v < design.votes; ++v)
          votes.push_back(of_judge + normals.Next(parts.votes));
        judged.verdicts.push_back(MedianOf(votes));
      }
      scores.push_back(MeanOf(judged.verdicts));
    }
  }
  return run;
}

double VarianceOfCases(const DrawnRun& run) {
  std::vector<double> means;
  for (const std::vector<double>& scores : run.attempts) means.push_back(MeanOf(scores));
  double squares = 0;
  for (const double mean : means) squares += std::pow(mean - MeanOf(means), 2);
  return squares / static_cast<double>(means.size() - 1);
}

KnownParts PartsOf(const DrawnRun& run) {
  const SpreadParts spread = SplitSpread(run.attempts, std::nullopt);
  return PartsOf({.of_case = VarianceOfCases(run), .attempts = *spread.attempts, .within = spread.ms_within},
                 SplitJudges(run.judged));
}

bool IsWithin(double value, double wanted, double share) {
  return std::abs(value - wanted) <= share * wanted;
}

TEST_CASE("parts of large simulated runs are those that they were drawn with") {
  const VarianceParts drawn = {.cases = 0.04, .attempts = 0.03, .judges = 0.01, .votes = 0.02};
  Normals normals(1);
  const KnownParts found =
      PartsOf(Draw({.cases = 4'000, .attempts = 3, .judges = 3, .votes = 3}, drawn, normals));
  CHECK(IsWithin(found.cases, drawn.cases, 0.08));
  CHECK(IsWithin(*found.attempts, drawn.attempts, 0.08));
  CHECK(IsWithin(*found.judges, drawn.judges, 0.08));
  CHECK(IsWithin(*found.votes, drawn.votes, 0.08));
}

// A first run of 2,000 cases tells the parts; the design that follows from it is drawn 150 times. The half
// width of its interval is what was promised, and as many intervals as should contain the true mean.
TEST_CASE("a design that a run proposes reaches the half width that it promises") {
  struct Row {
    VarianceParts parts;
    DesignPrices prices;
    double half = 0;
  };
  const auto rows = std::to_array<Row>({
      {{0.04, 0.03, 0.01, 0.02}, {.per_attempt = 1, .per_vote = 0.2}, 0.03},
      {{0.01, 0.08, 0.02, 0.02}, {.per_case = 20, .per_attempt = 1, .per_vote = 0.1}, 0.04},
      {{0.01, 0.01, 0.02, 0.08}, {.per_case = 5, .per_attempt = 3, .per_judge = 1, .per_vote = 0.05}, 0.04},
      {{0.08, 0.01, 0, 0}, {.per_attempt = 1, .per_vote = 1}, 0.05},
  });
  constexpr int kDraws = 150;
  for (const Row& row : rows) {
    CAPTURE(&row - rows.data());
    Normals normals(7);
    const DrawnRun first = Draw({.cases = 2'000, .attempts = 3, .judges = 2, .votes = 3}, row.parts, normals);
    const DesignLimits limits = {.most = {.cases = 10'000, .attempts = 20, .judges = 6, .votes = 9}};
    const auto found = CheapestDesigns(PartsOf(first).parts(), row.prices, row.half, limits);
    REQUIRE_FALSE(found.empty());
    const RunDesign& design = found.front().design;
    double widths = 0;
    int contained = 0;
    const double strict = 0.1 * static_cast<double>(design.judges / 2) / static_cast<double>(design.judges);
    for (int i = 0; i < kDraws; ++i) {
      const DrawnRun run = Draw(design, row.parts, normals);
      std::vector<double> means;
      for (const std::vector<double>& scores : run.attempts) means.push_back(MeanOf(scores));
      const auto count = static_cast<double>(means.size());
      const double half = StudentQuantile(0.975, count - 1) * std::sqrt(VarianceOfCases(run) / count);
      widths += half / kDraws;
      contained += std::abs(MeanOf(means) - (0.6 - strict)) <= half ? 1 : 0;
    }
    CHECK(widths ==
          doctest::Approx(found.front().half_width).epsilon(0.12));  // 200 cases tell parts to a tenth
    CHECK(contained >= kDraws * 0.9);
    CHECK(contained <= kDraws * 0.99);
  }
}

}  // namespace
}  // namespace assay
