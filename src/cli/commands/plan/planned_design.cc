// Takes variances from the latest run and prices from the forecast, and words what the search finds.
#include "cli/commands/plan/planned_design.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/commands/plan/runs_of_suite.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/text_table.h"
#include "engine/words.h"
#include "report/decide/planning/design_basis.h"
#include "report/values/json.h"
#include "spec/limits.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/power.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr double kPointsPerScore = 100;
constexpr std::uint64_t kAttemptsTried = 100;
constexpr std::uint64_t kJudgesTried = 10;

enum class PaidBy { kCase, kAttempt, kVote, kNobody };

PaidBy PaidByOf(RequestRole role) {
  switch (role) {
    case RequestRole::kExtraction:
      return PaidBy::kCase;
    case RequestRole::kJudge:
    case RequestRole::kBackupJudge:
      return PaidBy::kVote;
    case RequestRole::kService:
    case RequestRole::kProgram:
    case RequestRole::kSummary:
      return PaidBy::kNobody;
    case RequestRole::kCandidate:
    case RequestRole::kEmbedding:
    case RequestRole::kTool:
    case RequestRole::kSummarizer:
      break;
  }
  return PaidBy::kAttempt;
}

bool AsksJudges(const PricedPlan& fresh) {
  return std::any_of(fresh.lines.begin(), fresh.lines.end(), [](const PricedLine& line) {
    return PaidByOf(line.line.kind.role) == PaidBy::kVote && line.line.least + line.line.answered > 0;
  });
}

struct Costs {
  double usd = 0;
  double calls = 0;
};

// What each number costs at today's design. Where a price is missing, or nothing has one, calls are counted.
void SetPrices(const Plan& plan, const PricedPlan& fresh, PlannedDesign& design) {
  Costs by[4];
  bool is_known = true;
  for (const PricedLine& line : fresh.lines) {
    const PaidBy paid_by = PaidByOf(line.line.kind.role);
    const std::uint64_t calls = line.line.least + line.line.answered;
    if (paid_by == PaidBy::kNobody || calls == 0) continue;
    Costs& costs = by[static_cast<std::size_t>(paid_by)];
    costs.calls += static_cast<double>(calls);
    costs.usd += line.usd.value_or(0);
    is_known = is_known && line.usd && line.line.answered == 0;
  }
  // An answer that a recording gives without a request is one that somebody had to ask for. A suite may name
  // no variant.
  const RunDesign& today = design.today.design;
  const auto cells = static_cast<double>(plan.CellCount());
  const auto variants = static_cast<double>(plan.suite().variants.size());
  const double attempts = cells > 0 ? cells / variants : static_cast<double>(today.cases * today.attempts);
  Costs& of_attempts = by[static_cast<std::size_t>(PaidBy::kAttempt)];
  of_attempts.calls = std::max({of_attempts.calls, cells, attempts});
  design.is_in_calls = !is_known || by[0].usd + by[1].usd + by[2].usd <= 0;
  const auto price = [&](PaidBy paid_by, double count) {
    const Costs& costs = by[static_cast<std::size_t>(paid_by)];
    return (design.is_in_calls ? costs.calls : costs.usd) / std::max(count, 1.0);
  };
  design.prices = {
      .per_case = price(PaidBy::kCase, static_cast<double>(today.cases)),
      .per_attempt = price(PaidBy::kAttempt, attempts),
      .per_judge = 0,
      .per_vote = price(PaidBy::kVote, attempts * static_cast<double>(today.judges * today.votes))};
}

// "attempts or judges": the numbers that stay, because nothing tells what more of them would change.
std::string HeldText(const PlannedDesign& design) {
  std::string held;
  const auto add = [&held](bool is_known, std::string_view name) {
    if (!is_known) held += fmt::format("{}{}", held.empty() ? "" : " or ", name);
  };
  add(design.known.attempts.has_value(), "attempts");
  if (design.has_judges) {
    add(design.known.judges.has_value(), "judges");
    add(design.known.votes.has_value(), "votes");
  }
  return held;
}

// "0.081 by cases, 0.012 by attempts"
std::string PartsText(const KnownParts& known) {
  std::string text = fmt::format("{:.3f} by cases", known.cases);
  const auto add = [&text](const std::optional<double>& part, std::string_view name) {
    if (part) text += fmt::format(", {:.3f} by {}", *part, name);
  };
  add(known.attempts, "attempts");
  add(known.judges, "judges");
  add(known.votes, "votes");
  return text;
}

Status SetParts(const Suite& suite, Store* store, PlannedDesign& design) {
  ASSAY_CHECK_OK(VisitRunsOf(suite, store, [&](const RunRecord& run, const Report& report) -> Result<bool> {
    ASSAY_TRY(const std::optional<DesignBasis> basis, DesignBasisOf(report));
    if (!basis) return false;
    design.known = basis->known;
    design.run = run.context.run_id;
    design.variant = report.suite->variants[basis->variant].id;
    return true;
  }));
  if (design.run.empty()) {
    design.known = kPartsAssumed;
    design.basis =
        fmt::format("variance of scores assumed, because no run of this suite has scores that differ: {}",
                    PartsText(design.known));
  } else {
    design.basis = fmt::format("variance of the scores of {} in run {}: {}", design.variant, design.run,
                               PartsText(design.known));
  }
  if (const std::string held = HeldText(design); !held.empty())
    design.basis += fmt::format("; nothing tells what more {} would change, so their numbers stay", held);
  return Ok();
}

DesignLimits LimitsOf(const PlannedDesign& design, std::uint64_t cases) {
  const RunDesign& today = design.today.design;
  DesignLimits limits{.least = today, .most = today};
  limits.least.cases = 1;
  limits.most.cases = cases;
  const auto free = [](bool is_known, std::uint64_t most, std::uint64_t& least_number,
                       std::uint64_t& most_number) {
    if (!is_known) return;
    least_number = 1;
    most_number = most;
  };
  free(design.known.attempts.has_value(), kAttemptsTried, limits.least.attempts, limits.most.attempts);
  free(design.known.judges.has_value(), kJudgesTried, limits.least.judges, limits.most.judges);
  free(design.known.votes.has_value(), limits::kJudgeVotesMax, limits.least.votes, limits.most.votes);
  return limits;
}

std::string CostText(const PlannedDesign& design, double price) {
  return design.is_in_calls ? CountText(static_cast<std::uint64_t>(std::llround(price))) : UsdText(price);
}

std::string WidthText(double half) { return fmt::format("{:.1f}", half * kPointsPerScore); }

Value PricedDesignValue(const PlannedDesign& planned, const PricedDesign& priced) {
  const auto of_judges = [&](std::uint64_t number) {
    return planned.has_judges ? CountValue(number) : Value(Null{});
  };
  const RunDesign& design = priced.design;
  return Object{{"cases", CountValue(design.cases)},
                {"attempts", CountValue(design.attempts)},
                {"judges", of_judges(design.judges)},
                {"votes", of_judges(design.votes)},
                {"half_width", design.cases < 2 ? Value(Null{}) : Value(priced.half_width)},
                {"price", priced.price}};
}

}  // namespace

Result<PlannedDesign> DesignOfPlan(const Plan& plan, const RunSpec& spec, double points,
                                   const PricedPlan& fresh, Store* store) {
  const Suite& suite = plan.suite();
  PlannedDesign design{.half = points / kPointsPerScore, .has_judges = AsksJudges(fresh)};
  RunDesign& today = design.today.design;
  today = {.cases = suite.cases.size(), .attempts = suite.attempts};
  if (design.has_judges) {
    today.judges = std::max<std::size_t>(suite.judges.size(), 1);
    today.votes = spec.votes.value_or(1);
  }
  SetPrices(plan, fresh, design);
  ASSAY_CHECK_OK(SetParts(suite, store, design));
  const VarianceParts parts = design.known.parts();
  design.today.price = PriceOf(today, design.prices);
  design.today.half_width = HalfWidthOf(today, parts).value_or(0);
  design.cheapest = CheapestDesigns(parts, design.prices, design.half, LimitsOf(design, kCasesNeededMax));
  const std::vector<PricedDesign> in_suite =
      CheapestDesigns(parts, design.prices, design.half, LimitsOf(design, today.cases), 1);
  if (!in_suite.empty()) design.in_suite = in_suite.front();
  return design;
}

std::string DesignText(const PlannedDesign& planned, const Screen& screen) {
  std::vector<TextTable::Column> columns = {
      {"design"}, {"cases", Align::kRight}, {"attempts", Align::kRight}};
  if (planned.has_judges) {
    columns.push_back({"judges", Align::kRight});
    columns.push_back({"votes", Align::kRight});
  }
  columns.push_back({"± points", Align::kRight});
  columns.push_back({planned.is_in_calls ? "calls" : "cost", Align::kRight});
  TextTable table(std::move(columns));
  const auto add = [&](std::string name, const PricedDesign& priced) {
    const RunDesign& design = priced.design;
    std::vector<std::string> row = {std::move(name), CountText(design.cases), CountText(design.attempts)};
    if (planned.has_judges) {
      row.push_back(CountText(design.judges));
      row.push_back(CountText(design.votes));
    }
    row.push_back(design.cases < 2 ? "–" : WidthText(priced.half_width));
    row.push_back(CostText(planned, priced.price));
    table.Add(std::move(row));
  };
  constexpr std::string_view kPlaces[] = {"cheapest", "second", "third"};
  for (std::size_t i = 0; i < planned.cheapest.size(); ++i) add(std::string(kPlaces[i]), planned.cheapest[i]);
  const bool asks_more =
      !planned.cheapest.empty() && planned.cheapest.front().design.cases > planned.today.design.cases;
  if (asks_more && planned.in_suite) add("in this suite", *planned.in_suite);
  add("today", planned.today);
  const std::string points = fmt::format("{:g}", planned.half * kPointsPerScore);
  std::string text = fmt::format("To know each mean to ± {} points:\n{}", points, table.Text(screen));
  if (planned.cheapest.empty())
    text +=
        fmt::format("No design of up to {} cases reaches ± {} points.\n", CountText(kCasesNeededMax), points);
  if (asks_more && !planned.in_suite)
    text += fmt::format("No design with the {} of this suite reaches ± {} points.\n",
                        Counted(planned.today.design.cases, "case"), points);
  return text + fmt::format("({})\n", Printable(planned.basis));
}

Value DesignValue(const PlannedDesign& planned) {
  const KnownParts& known = planned.known;
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? Value(Null{}) : Value(text);
  };
  return Object{
      {"half_width", planned.half},
      {"basis", planned.basis},
      {"run", text_or_null(planned.run)},
      {"variant", text_or_null(planned.variant)},
      {"variance", Object{{"cases", known.cases},
                          {"attempts", OrNull(known.attempts)},
                          {"judges", OrNull(known.judges)},
                          {"votes", OrNull(known.votes)}}},
      {"priced_in", planned.is_in_calls ? "calls" : "usd"},
      {"prices", Object{{"per_case", planned.prices.per_case},
                        {"per_attempt", planned.prices.per_attempt},
                        {"per_vote", planned.prices.per_vote}}},
      {"today", PricedDesignValue(planned, planned.today)},
      {"cheapest",
       ArrayOf(planned.cheapest, [&](const PricedDesign& each) { return PricedDesignValue(planned, each); })},
      {"in_suite", planned.in_suite ? PricedDesignValue(planned, *planned.in_suite) : Value(Null{})}};
}

}  // namespace assay
