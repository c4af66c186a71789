// Searches all whole numbers that could be among the cheapest.
#include "statistics/decisions/design.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "statistics/decisions/smallest_count.h"
#include "statistics/estimates/special.h"

namespace assay {

namespace {

constexpr std::uint64_t kCasesForWidth = 2;

// By votes from 1 on: the order statistics of normal values, integrated; of an even number the mean of the
// middle two.
constexpr auto kVarianceOfMedian =
    std::to_array<double>({1,       0.5,     0.44867, 0.29820, 0.28683, 0.21474, 0.21045, 0.16818, 0.16610,
                           0.13833, 0.13716, 0.11752, 0.11680, 0.10217, 0.10169, 0.09038, 0.09005, 0.08104,
                           0.08079, 0.07345, 0.07326, 0.06716, 0.06701, 0.06186, 0.06175});

double CaseVariance(const RunDesign& design, const VarianceParts& parts) {
  const auto attempts = static_cast<double>(design.attempts);
  const auto judges = static_cast<double>(design.judges);
  const double judged = (parts.judges + parts.votes * VarianceOfMedian(design.votes)) / judges;
  return parts.cases + (parts.attempts + judged) / attempts;
}

double HalfWidth(double case_variance, std::uint64_t cases) {
  const auto count = static_cast<double>(cases);
  return StudentQuantile(0.975, count - 1) * std::sqrt(case_variance / count);
}

double CasePrice(const RunDesign& design, const DesignPrices& prices) {
  const auto attempts = static_cast<double>(design.attempts);
  const auto judges = static_cast<double>(design.judges);
  const auto votes = static_cast<double>(design.votes);
  return prices.per_case +
         attempts * (prices.per_attempt + judges * (prices.per_judge + votes * prices.per_vote));
}

bool StandsBefore(const PricedDesign& a, const PricedDesign& b) {
  const auto key = [](const PricedDesign& one) {
    const RunDesign& design = one.design;
    return std::tuple(one.price, one.half_width, design.attempts, design.judges, design.votes);
  };
  return key(a) < key(b);
}

class DesignSearch {
 public:
  DesignSearch(const VarianceParts& parts, const DesignPrices& prices, double half,
               const DesignLimits& limits, std::size_t count)
      : parts_(parts), prices_(prices), half_(half), limits_(limits), count_(count) {}

  // What lies below a number is at its best where it adds no variance and is there least often: a number
  // whose price is too high even then needs no larger one tried.
  std::vector<PricedDesign> Run() {
    RunDesign at = limits_.least;
    for (; at.attempts <= limits_.most.attempts; ++at.attempts) {
      at.judges = limits_.least.judges;
      at.votes = limits_.least.votes;
      if (IsTooDear(parts_.cases, at)) break;
      const double attempts = static_cast<double>(at.attempts);
      for (; at.judges <= limits_.most.judges; ++at.judges) {
        at.votes = limits_.least.votes;
        if (IsTooDear(parts_.cases + parts_.attempts / attempts, at)) break;
        const double judges = static_cast<double>(at.judges);
        for (; at.votes <= limits_.most.votes; ++at.votes) {
          if (IsTooDear(parts_.cases + (parts_.attempts + parts_.judges / judges) / attempts, at)) break;
          Try(at);
        }
      }
    }
    return found_;
  }

 private:
  std::optional<std::uint64_t> CasesFor(double case_variance) const {
    const std::uint64_t least = std::max(kCasesForWidth, limits_.least.cases);
    if (limits_.most.cases < least) return std::nullopt;
    return SmallestCount(least, limits_.most.cases,
                         [&](std::uint64_t cases) { return HalfWidth(case_variance, cases) <= half_; });
  }

  // Above the last of those that count, or out of reach.
  bool IsTooDear(double least_variance, const RunDesign& at) const {
    if (found_.size() < count_) return false;
    const std::optional<std::uint64_t> cases = CasesFor(least_variance);
    return !cases || static_cast<double>(*cases) * CasePrice(at, prices_) > found_.back().price;
  }

  void Try(RunDesign design) {
    const double variance = CaseVariance(design, parts_);
    const std::optional<std::uint64_t> cases = CasesFor(variance);
    if (!cases) return;
    design.cases = *cases;
    const PricedDesign priced = {
        .design = design, .price = PriceOf(design, prices_), .half_width = HalfWidth(variance, design.cases)};
    found_.insert(std::upper_bound(found_.begin(), found_.end(), priced, StandsBefore), priced);
    if (found_.size() > count_) found_.pop_back();
  }

  const VarianceParts& parts_;
  const DesignPrices& prices_;
  double half_ = 0;
  const DesignLimits& limits_;
  std::size_t count_ = 0;
  std::vector<PricedDesign> found_;
};

}  // namespace

double VarianceOfMedian(std::uint64_t votes) {
  return kVarianceOfMedian[std::clamp<std::uint64_t>(votes, 1, kVarianceOfMedian.size()) - 1];
}

std::optional<double> HalfWidthOf(const RunDesign& design, const VarianceParts& parts) {
  if (design.cases < kCasesForWidth) return std::nullopt;
  return HalfWidth(CaseVariance(design, parts), design.cases);
}

double PriceOf(const RunDesign& design, const DesignPrices& prices) {
  return static_cast<double>(design.cases) * CasePrice(design, prices);
}

std::vector<PricedDesign> CheapestDesigns(const VarianceParts& parts, const DesignPrices& prices, double half,
                                          const DesignLimits& limits, std::size_t count) {
  return DesignSearch(parts, prices, half, limits, count).Run();
}

}  // namespace assay
