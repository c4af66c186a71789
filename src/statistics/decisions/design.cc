// Searches all whole numbers that could be among the cheapest.
#include "statistics/decisions/design.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "statistics/decisions/smallest_count.h"
#include "statistics/estimates/special.h"

namespace assay {

namespace {

constexpr std::uint64_t kCasesForWidth = 2;

double CaseVariance(const RunDesign& design, const VarianceParts& parts) {
  const auto attempts = static_cast<double>(design.attempts);
  const auto judges = static_cast<double>(design.judges);
  const auto votes = static_cast<double>(design.votes);
  return parts.cases + (parts.attempts + (parts.judges + parts.votes / votes) / judges) / attempts;
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
  DesignSearch(const VarianceParts& parts, const DesignPrices& prices, double half, const RunDesign& limits,
               std::size_t count)
      : parts_(parts), prices_(prices), half_(half), limits_(limits), count_(count) {}

  // What lies below a number is at its best where it adds no variance and is there once: a number whose price
  // is too high even then needs no larger one tried.
  std::vector<PricedDesign> Run() {
    RunDesign at;
    for (at.attempts = 1; at.attempts <= limits_.attempts; ++at.attempts) {
      at.judges = at.votes = 1;
      if (IsTooDear(parts_.cases, at)) break;
      const double attempts = static_cast<double>(at.attempts);
      for (at.judges = 1; at.judges <= limits_.judges; ++at.judges) {
        at.votes = 1;
        if (IsTooDear(parts_.cases + parts_.attempts / attempts, at)) break;
        const double judges = static_cast<double>(at.judges);
        for (at.votes = 1; at.votes <= limits_.votes; ++at.votes) {
          if (IsTooDear(parts_.cases + (parts_.attempts + parts_.judges / judges) / attempts, at)) break;
          Try(at);
        }
      }
    }
    return found_;
  }

 private:
  std::optional<std::uint64_t> CasesFor(double case_variance) const {
    if (limits_.cases < kCasesForWidth) return std::nullopt;
    return SmallestCount(kCasesForWidth, limits_.cases,
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
  const RunDesign& limits_;
  std::size_t count_ = 0;
  std::vector<PricedDesign> found_;
};

}  // namespace

std::optional<double> HalfWidthOf(const RunDesign& design, const VarianceParts& parts) {
  if (design.cases < kCasesForWidth) return std::nullopt;
  return HalfWidth(CaseVariance(design, parts), design.cases);
}

double PriceOf(const RunDesign& design, const DesignPrices& prices) {
  return static_cast<double>(design.cases) * CasePrice(design, prices);
}

std::vector<PricedDesign> CheapestDesigns(const VarianceParts& parts, const DesignPrices& prices, double half,
                                          const RunDesign& limits, std::size_t count) {
  return DesignSearch(parts, prices, half, limits, count).Run();
}

}  // namespace assay
