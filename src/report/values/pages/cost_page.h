// What a run cost and what was slow, as a JSON value (docs/formats/view.md, run/ID/cost).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors/result.h"
#include "report/values/pages/page_facts.h"
#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

// What the answers of each variant took.
struct VariantUse {
  std::vector<double> usd;       // by case, all attempts together; below 0: not known
  std::vector<double> ms;        // by answer, ascending
  std::vector<double> first_ms;  // the same
  std::uint64_t answers = 0;
  std::uint64_t calls = 0;
  std::uint64_t unpriced = 0;  // answers
  Usage usage;

  bool has_price() const { return answers > 0 && unpriced == 0; }
};
// The layers "ms" and "usd" of cells.bin, on their logarithmic scales.
struct UseLayers {
  std::string ms;
  std::string usd;
};

struct UsesOfRun {
  std::vector<VariantUse> by_variant;  // empty where nobody knows them
  UseLayers layers;
  std::optional<PaidParts> paid = {};
};

// What the answers of a run took, as they come by in the order of its cells.
class UseGatherer {
 public:
  explicit UseGatherer(const Suite& suite);

  void Add(const CellAddress& at, const AnswerUse& took);
  // Reads what all calls used.
  Result<UsesOfRun> Finish(const Report& report);

 private:
  // What the answers of one pair took together.
  struct PairUse {
    double ms = 0;
    double usd = 0;
    std::uint32_t timed = 0;
    std::uint32_t priced = 0;
  };
  UseLayers Layers() const;

  std::size_t columns_;
  std::vector<PairUse> pairs_;
  std::vector<VariantUse> by_variant_;
};

// One walk over the requests of all answers, and one over what all calls used.
Result<UsesOfRun> UsesOfRunOf(const Report& report);

// "a has no price …"; of several names the first three stand in it. `names` is not empty.
std::string UnpricedText(std::span<const std::string_view> names);

Value CostPageValue(const Report& report, const PageFacts& facts, const UsesOfRun& all);

}  // namespace assay
