// PageModel: what is computed before the report page is written: the order of variants, the map's values, and
// how long texts may be.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "report/decide/factors.h"
#include "report/decide/run_statistics.h"
#include "report/page/tally.h"
#include "spec/report/pair.h"
#include "spec/report/report.h"

namespace assay {

// One field of the map: the pairs of one variant over one case, or over a group of cases.
struct MapField {
  double sum = 0;
  std::uint32_t scored = 0;
  std::uint32_t errors = 0;
  std::uint32_t unscored = 0;
  std::uint32_t partial = 0;

  std::optional<double> mean() const {
    return scored > 0 ? std::optional<double>(sum / scored) : std::nullopt;
  }
};

struct MapRow {
  CaseIndex first = 0;  // the only case, unless cases are grouped
  CaseIndex last = 0;
  std::vector<MapField> fields;  // by rank of the variant
  std::optional<double> mean;    // over all fields' pairs
};

// How much of each text fits.
struct TextLimits {
  std::size_t prompt = 0;  // conversation, description, ideal, criterion
  std::size_t answer = 0;
  std::size_t reason = 0;      // one explanation or one judge's words
  AttemptIndex attempts = 1;   // of a pair that are shown one by one
  bool shows_reasons = true;   // points with reasons below each answer
  bool shows_criteria = true;  // the table of criteria x variants
};

struct PageModel {
  const Report* report = nullptr;
  const Suite* suite = nullptr;
  std::shared_ptr<const RunStatistics> statistics;
  std::vector<VariantIndex> by_rank;   // best mean first, those without a mean last, ties in suite order
  std::vector<std::uint32_t> rank_of;  // by VariantIndex
  std::vector<MapRow> rows;
  std::vector<std::vector<std::uint8_t>> histograms;  // by rank: ten classes of pair means, scaled to 0..100
  bool large = false;  // cases are grouped, and only `selected` pairs are shown
  struct Selected {
    CaseIndex case_index = 0;
    VariantIndex variant = 0;
    friend auto operator<=>(const Selected&, const Selected&) = default;
  };
  std::vector<Selected> selected;  // sorted; empty unless large
  TextLimits limits;
  PageTally tally;
  std::vector<std::string> parameters;  // by VariantIndex: those that vary, in words
  std::vector<FactorEffect> factors;
  VariantAxis systems;
  VariantAxis temperatures;

  std::set<const MediaPart*> pictures;  // of the suite: those that the page shows

  // Whether the pair's answer is on the page.
  bool Shows(CaseIndex case_index, VariantIndex variant) const;
};

// Whether the case is asked more than once.
bool HasAttempts(const Suite& suite, CaseIndex case_index);

// One pass over all cells beside that for their statistics, and one over those that are asked several times.
Result<PageModel> BuildPageModel(const Report& report);

}  // namespace assay
