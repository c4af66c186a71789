// Gathers what answers took, finds who is cheap for his score, and words it.
#include "report/values/pages/cost_page.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "report/decide/factors.h"
#include "report/fold/planned_cost.h"
#include "report/values/json.h"
#include "report/values/pages/case_rows.h"
#include "report/values/pages/run_page.h"
#include "report/values/pages/trust.h"
#include "report/values/statistics.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentence_parts.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr double kUnknown = -1;
constexpr double kMiddleFrom = 0.1;
constexpr double kMiddleTo = 0.9;

// Type 7; of at least one value, ascending.
double Quantile(const std::vector<double>& values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

Value QuantileOrNull(const std::vector<double>& values, double share) {
  return values.empty() ? Value(Null{}) : Value(Quantile(values, share));
}

// A priced variant with a mean.
struct PricedVariant {
  std::size_t variant = 0;
  double usd_per_case = 0;
  double mean = 0;
  bool is_frontier = false;  // nobody is cheaper and as good
};

double UsdOf(const VariantUse& use) {
  double sum = 0;
  for (const double usd : use.usd) sum += std::max(usd, 0.0);
  return sum;
}

std::vector<double> KnownUsd(const VariantUse& use) {
  std::vector<double> known;
  for (const double usd : use.usd) {
    if (usd >= 0) known.push_back(usd);
  }
  std::sort(known.begin(), known.end());
  return known;
}

std::optional<double> UsdPerCase(const VariantUse& use) {
  const std::vector<double> known = KnownUsd(use);
  if (!use.has_price() || known.empty()) return std::nullopt;
  return UsdOf(use) / static_cast<double>(known.size());
}

// Cheapest first.
std::vector<PricedVariant> PricedOf(const Standings& standings, const std::vector<VariantUse>& uses) {
  std::vector<PricedVariant> priced;
  for (const RankPlace& place : standings.ranking.places) {
    if (place.variant >= uses.size()) continue;
    const std::optional<double> usd = UsdPerCase(uses[place.variant]);
    if (usd) priced.push_back({place.variant, *usd, place.estimate.mean.value_or(0), false});
  }
  std::stable_sort(priced.begin(), priced.end(), [](const PricedVariant& a, const PricedVariant& b) {
    return a.usd_per_case < b.usd_per_case || (a.usd_per_case == b.usd_per_case && a.mean > b.mean);
  });
  std::optional<double> best;
  for (PricedVariant& each : priced) {
    each.is_frontier = !best || each.mean > *best;
    if (each.is_frontier) best = each.mean;
  }
  return priced;
}

// One step along the frontier: what the dearer has more, and how many times it costs.
struct Step {
  const PricedVariant* from;
  const PricedVariant* to;
  RankTest test;  // of the ranking: to - from
  std::optional<double> times;
};

// Of what was paid over the cases that both have.
std::optional<double> TimesOf(const VariantUse& dear, const VariantUse& cheap) {
  double a = 0;
  double b = 0;
  for (std::size_t i = 0; i < std::min(dear.usd.size(), cheap.usd.size()); ++i) {
    if (dear.usd[i] < 0 || cheap.usd[i] < 0) continue;
    a += dear.usd[i];
    b += cheap.usd[i];
  }
  if (b <= 0) return std::nullopt;
  return a / b;
}

// Of two places. Those that the ranking does not compare are compared alone, and are not shown to differ.
RankTest TestOf(const Standings& standings, std::size_t above, std::size_t below) {
  const Ranking& ranking = standings.ranking;
  if (above < ranking.compared) return ranking.Test(above, below);
  const VariantNumber a = ranking.places[above].variant;
  const VariantNumber b = ranking.places[below].variant;
  const CaseScores& scores = standings.scores;
  return {.a = a, .b = b, .paired = ComparePaired(scores.samples[a], scores.samples[b], scores.design())};
}

std::vector<Step> StepsOf(const Standings& standings, const std::vector<VariantUse>& uses,
                          const std::vector<PricedVariant>& priced) {
  const Ranking& ranking = standings.ranking;
  const auto place_of = [&ranking](std::size_t variant) {
    return static_cast<std::size_t>(
        std::find_if(ranking.places.begin(), ranking.places.end(),
                     [variant](const RankPlace& place) { return place.variant == variant; }) -
        ranking.places.begin());
  };
  std::vector<Step> steps;
  const PricedVariant* last = nullptr;
  for (const PricedVariant& each : priced) {
    if (!each.is_frontier) continue;
    // The dearer one has the higher mean, so it stands above.
    if (last != nullptr)
      steps.push_back({.from = last,
                       .to = &each,
                       .test = TestOf(standings, place_of(each.variant), place_of(last->variant)),
                       .times = TimesOf(uses[each.variant], uses[last->variant])});
    last = &each;
  }
  return steps;
}

// "4", "1.8", "0.12": two digits.
std::string TwoDigitsText(double value) {
  if (value <= 0) return "0";
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
  const double rounded = std::round(value / unit) * unit;
  return rounded >= 10 ? fmt::format("{:.0f}", rounded)
                       : fmt::format("{:g}", std::round(rounded * 1e6) / 1e6);
}

bool IsShown(const Step& step) { return step.test.verdict == Verdict::kLeads; }

std::string StepSentence(const std::vector<std::string>& names, const Step& step, std::size_t variants) {
  const std::string& dear = names[step.to->variant];
  const std::string& cheap = names[step.from->variant];
  if (!step.times) return fmt::format("{} costs nothing that is known.", cheap);
  const PairedEstimate& pair = step.test.paired;
  const std::string costs = fmt::format("{} costs {} times {}", dear, TwoDigitsText(*step.times), cheap);
  if (pair.cases == 0) return costs + "; they have no case in common that both have a score for.";
  if (IsShown(step)) return fmt::format("{} and leads by {}.", costs, LeadText(pair));
  return fmt::format("{} and is not shown to differ: {}{}.", costs, DifferenceText(dear, cheap, pair),
                     IsShownAlone(pair) ? NotAmongText(variants) : "");
}

// The last step, to who has the highest mean.
std::string CostSentence(const std::vector<std::string>& names, const std::vector<PricedVariant>& priced,
                         const std::vector<Step>& steps, std::size_t variants) {
  if (priced.empty()) return "No price is known.";
  if (priced.back().usd_per_case == 0) return "Nothing was paid for the answers.";
  if (!steps.empty()) return StepSentence(names, steps.back(), variants);
  if (priced.size() == 1)
    return fmt::format("{} costs ${} a case.", names[priced.front().variant],
                       TwoDigitsText(priced.front().usd_per_case));
  return fmt::format("{} is the cheapest, and nobody has a higher mean.", names[priced.front().variant]);
}

std::vector<Condition> ConditionsOfCost(const PageFacts& facts, const std::vector<VariantUse>& uses,
                                        const std::vector<std::string>& names) {
  std::vector<Condition> conditions;
  std::vector<std::string_view> unpriced;
  for (std::size_t v = 0; v < uses.size(); ++v) {
    if (uses[v].answers > 0 && !uses[v].has_price()) unpriced.emplace_back(names[v]);
  }
  if (facts.cost.unpriced > 0) {
    conditions.push_back(
        {.sign = Sign::kDoubt,
         .text =
             fmt::format("{} without a known price or without usage, in no sum; estimated ${}",
                         CountOf(facts.cost.unpriced, "call"),
                         TwoDigitsText(static_cast<double>(facts.cost.estimated_nano_usd) / kNanoPerUsd))});
  } else if (unpriced.empty()) {
    conditions.push_back({.sign = Sign::kGood, .text = "Every call has a price and said what it used"});
  }
  if (!unpriced.empty()) conditions.push_back({.sign = Sign::kDoubt, .text = UnpricedText(unpriced)});
  const bool is_timed =
      std::any_of(uses.begin(), uses.end(), [](const VariantUse& use) { return !use.ms.empty(); });
  conditions.push_back({.sign = is_timed ? Sign::kRemark : Sign::kDoubt,
                        .text = is_timed ? "Times count the last try of each call, without what it waited for"
                                         : "Nobody measured times: the answers are recorded"});
  conditions.push_back({.text =
                            "Prices are list prices as this version of assay knows them; judging is not in "
                            "the sums of variants"});
  return conditions;
}

double PaidOf(const PaidParts& paid, RequestRole role) {
  const auto found = paid.by_role.find(role);
  return found == paid.by_role.end() ? 0 : found->second;
}

Value RolesValue(const UsageByRole& usage, const std::optional<PaidParts>& paid) {
  List list;
  for (const auto& [role, used] : usage.parts())
    list.emplace_back(Object{{"role", RequestRoleName(role)},
                             {"input_tokens", Number(used.input_tokens)},
                             {"cached_tokens", Number(used.cached_read_tokens)},
                             {"output_tokens", Number(used.output_tokens)},
                             {"paid_usd", paid ? Value(PaidOf(*paid, role)) : Value(Null{})}});
  return list;
}

// From the list price of all calls to what the run paid.
Value PriceValue(const std::optional<PaidParts>& paid) {
  if (!paid) return Null{};
  return Object{
      {"list_usd", paid->list},
      {"earlier_usd", paid->earlier},
      {"earlier_calls", CountValue(paid->earlier_calls)},
      {"cache_usd", paid->found},
      {"cached_tokens", Number(paid->found_tokens)},
      {"batch_usd", paid->batched},
      // Of whole billionths: the rest of a subtraction is no part of it.
      {"paid_usd",
       std::round((paid->list - paid->earlier - paid->found - paid->batched) * kNanoPerUsd) / kNanoPerUsd},
  };
}

// What the run was to cost, told before anything was asked.
Value PlannedValue(const RunRecord& record) {
  const std::optional<PlannedCost> planned = DecodePlannedCost(record.planned);
  if (!planned) return Null{};
  return Object{{"usd", planned->usd},
                {"usd_most", planned->usd_most},
                {"calls", CountValue(planned->calls)},
                {"calls_most", CountValue(planned->calls_most)},
                {"unpriced", ArrayOf(planned->unpriced)},
                {"assumed", ArrayOf(planned->assumed)},
                {"cells_walked", CountValue(planned->cells_walked)}};
}

// The cases on which most was spent, over all variants.
Value DearestValue(const Suite& suite, const RunMap& map, const std::vector<VariantUse>& uses) {
  constexpr std::size_t kDearestMax = 10;
  std::vector<std::pair<double, CaseIndex>> paid;
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
    double sum = 0;
    for (const VariantUse& use : uses) sum += std::max(use.usd[i], 0.0);
    if (sum > 0) paid.emplace_back(sum, i);
  }
  std::stable_sort(paid.begin(), paid.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  paid.resize(std::min(paid.size(), kDearestMax));
  List list;
  for (const auto& [usd, index] : paid) {
    const double mean = map.RowMean(index);
    list.emplace_back(Object{
        {"case", suite.cases[index].id}, {"usd", usd}, {"mean", mean < 0 ? Value(Null{}) : Value(mean)}});
  }
  return list;
}

Value VariantCost(const Suite& suite, const RunStatistics& statistics, std::size_t variant,
                  const VariantUse& use, const std::vector<std::string>& names,
                  const std::vector<PricedVariant>& priced) {
  const CaseScores& scores = statistics.standings.scores;
  const MeanEstimate mean = EstimateMean(scores.samples[variant], scores.design());
  const std::optional<double> per_case = UsdPerCase(use);
  const std::vector<double> known = KnownUsd(use);
  const auto found = std::find_if(priced.begin(), priced.end(),
                                  [variant](const PricedVariant& each) { return each.variant == variant; });
  const double cheapest = priced.empty() ? 0 : priced.front().usd_per_case;
  Map map = Object{{"variant", suite.variants[variant].id},
                   {"name", names[variant]},
                   {"mean", NumberOrNull(mean.mean)},
                   {"interval", IntervalValue(mean.interval)},
                   {"cases", CountValue(mean.cases)}};
  AppendPassRate(statistics, std::span(&variant, 1), map);
  Extend(map, {{"usd", use.has_price() ? Value(UsdOf(use)) : Value(Null{})},
               {"usd_per_case", NumberOrNull(per_case)},
               {"usd_middle_80",
                per_case ? Value(List{Value(Quantile(known, kMiddleFrom)), Value(Quantile(known, kMiddleTo))})
                         : Value(Null{})},
               {"times_cheapest", per_case && cheapest > 0 ? Value(*per_case / cheapest) : Value(Null{})},
               {"is_frontier", found != priced.end() && found->is_frontier},
               {"answers", CountValue(use.answers)},
               {"calls", CountValue(use.calls)},
               {"input_tokens", Number(use.usage.input_tokens)},
               {"output_tokens", Number(use.usage.output_tokens)},
               {"cached_tokens", Number(use.usage.cached_read_tokens)},
               {"first_ms", QuantileOrNull(use.first_ms, 0.5)},
               {"p50_ms", QuantileOrNull(use.ms, 0.5)},
               {"p90_ms", QuantileOrNull(use.ms, 0.9)}});
  constexpr std::size_t kAnswersForP99 = 100;
  Extend(map, {{"p99_ms", QuantileOrNull(use.ms, use.ms.size() < kAnswersForP99 ? 1 : 0.99)},
               {"max_ms", use.ms.empty() ? Value(Null{}) : Value(use.ms.back())}});
  return Value(std::move(map));
}

}  // namespace

namespace {

void AddUse(const CellAddress& at, const AnswerUse& took, VariantUse& use) {
  ++use.answers;
  use.calls += took.calls;
  use.usage += took.usage;
  if (took.ms) use.ms.push_back(*took.ms);
  if (took.first_ms) use.first_ms.push_back(*took.first_ms);
  if (!took.usd) {
    ++use.unpriced;
    return;
  }
  double& usd = use.usd[at.case_index];
  usd = std::max(usd, 0.0) + *took.usd;
}

// 0: not known; else 1 + how far it lies between 10^from and 10^(from + decades).
struct LogScale {
  double from;
  double decades;
  char ByteOf(double value) const {
    constexpr double kSteps = 254;
    if (value <= 0) return 1;
    const double share = (std::log10(value) - from) / decades;
    return static_cast<char>(1 + std::lround(std::clamp(share, 0.0, 1.0) * kSteps));
  }
};
constexpr LogScale kMsScale{.from = 0, .decades = 7};
constexpr LogScale kUsdScale{.from = -7, .decades = 9};

}  // namespace

std::string UnpricedText(std::span<const std::string_view> names) {
  constexpr std::size_t kNamed = 3;
  if (names.size() == 1) return fmt::format("{} has no price, and is in no sum of money", names.front());
  const std::size_t named = std::min(names.size(), kNamed);
  const std::string others = names.size() > named ? fmt::format(" and {} more", names.size() - named) : "";
  return fmt::format("{} have no price, and are in no sum of money: {}{}", CountOf(names.size(), "variant"),
                     fmt::join(names.first(named), ", "), others);
}

UseGatherer::UseGatherer(const Suite& suite)
    : columns_(suite.variants.size()), pairs_(suite.cases.size() * columns_), by_variant_(columns_) {
  for (VariantUse& use : by_variant_) use.usd.assign(suite.cases.size(), kUnknown);
}

void UseGatherer::Add(const CellAddress& at, const AnswerUse& took) {
  AddUse(at, took, by_variant_[at.variant]);
  PairUse& pair = pairs_[at.case_index * columns_ + at.variant];
  pair.ms += took.ms.value_or(0);
  pair.timed += took.ms ? 1 : 0;
  pair.usd += took.usd.value_or(0);
  pair.priced += took.usd ? 1 : 0;
}

UseLayers UseGatherer::Layers() const {
  UseLayers layers{.ms = std::string(pairs_.size(), '\0'), .usd = std::string(pairs_.size(), '\0')};
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (pairs_[i].timed > 0) layers.ms[i] = kMsScale.ByteOf(pairs_[i].ms / pairs_[i].timed);
    if (pairs_[i].priced > 0) layers.usd[i] = kUsdScale.ByteOf(pairs_[i].usd);
  }
  return layers;
}

Result<UsesOfRun> UseGatherer::Finish(const Report& report) {
  if (report.for_each_use == nullptr) return UsesOfRun{.by_variant = {}, .layers = Layers()};
  UsesOfRun uses{.by_variant = std::move(by_variant_), .layers = Layers()};
  for (VariantUse& use : uses.by_variant) {
    std::sort(use.ms.begin(), use.ms.end());
    std::sort(use.first_ms.begin(), use.first_ms.end());
  }
  if (report.paid_parts) {
    ASSAY_TRY(uses.paid, report.paid_parts());
  }
  return uses;
}

Result<UsesOfRun> UsesOfRunOf(const Report& report) {
  UseGatherer uses(*report.suite);
  if (report.for_each_use != nullptr)
    ASSAY_CHECK_OK(
        report.for_each_use(CellRange::All(), [&uses](const CellAddress& at, const AnswerUse& took) {
          uses.Add(at, took);
          return Ok();
        }));
  return uses.Finish(report);
}

Value CostPageValue(const Report& report, const PageFacts& facts, const UsesOfRun& all) {
  const std::vector<VariantUse>& uses = all.by_variant;
  const Suite& suite = *report.suite;
  const Standings& standings = facts.statistics.standings;
  const std::vector<std::string> names = SpokenNames(suite);
  const std::vector<PricedVariant> priced = PricedOf(standings, uses);
  const std::vector<Step> steps = StepsOf(standings, uses, priced);
  Map map = Object{{"sentence", CostSentence(names, priced, steps, standings.ranking.places.size())},
                   {"verdict", VerdictValue(standings)},
                   {"value", standings.scores.title},
                   {"trust", ConditionsValue(ConditionsOfCost(facts, uses, names))},
                   {"paid_usd", static_cast<double>(facts.cost.nano_usd) / kNanoPerUsd},
                   {"estimated_usd", static_cast<double>(facts.cost.estimated_nano_usd) / kNanoPerUsd},
                   {"unpriced", CountValue(facts.cost.unpriced)},
                   {"roles", RolesValue(report.totals.usage, all.paid)},
                   {"price", PriceValue(all.paid)},
                   {"planned", PlannedValue(facts.record)},
                   {"requests_sent", CountValue(facts.record.requests_sent)},
                   {"cells", CountValue(facts.record.cells)},
                   {"dearest", DearestValue(suite, facts.map, uses)}};
  List variants;
  std::vector<std::size_t> order(uses.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const std::optional<double> x = UsdPerCase(uses[a]);
    const std::optional<double> y = UsdPerCase(uses[b]);
    return x && (!y || *x < *y);
  });
  for (const std::size_t variant : order)
    variants.push_back(VariantCost(suite, facts.statistics, variant, uses[variant], names, priced));
  Extend(map, {{"variants", std::move(variants)},
               {"steps", ArrayOf(steps, [&](const Step& step) {
                  return Object{{"from", suite.variants[step.from->variant].id},
                                {"to", suite.variants[step.to->variant].id},
                                {"times", NumberOrNull(step.times)},
                                {"difference", NumberOrNull(step.test.paired.difference)},
                                {"interval", IntervalValue(step.test.paired.interval)},
                                {"p_corrected", NumberOrNull(step.test.p_corrected)},
                                {"is_clear", IsShown(step)},
                                {"sentence", StepSentence(names, step, standings.ranking.places.size())}};
                })}});
  map.Append("titles", TitlesValue(map, suite));
  return Value(std::move(map));
}

}  // namespace assay
