// The command `assay plan`: what a run would ask, what it would cost and how long it would take. Nothing is
// sent.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string_view>

#include "cli/commands/command.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/until_options.h"
#include "cli/commands/plan/planned_design.h"
#include "cli/commands/plan/runs_of_suite.h"
#include "cli/files/fetched.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/views/assumed_models.h"
#include "dialects/names.h"
#include "engine/open/loaded.h"
#include "engine/open/model_notes.h"
#include "engine/plan/priced_plan.h"
#include "engine/state/known_stores.h"
#include "providers/facts/model_facts.h"
#include "report/decide/planning/suite_power.h"
#include "report/decide/until/until_forecast.h"
#include "report/values/json.h"
#include "run/forecast.h"
#include "spec/suite/suite.h"
#include "store/location.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

// What differences a suite's cases can show, as docs/cli.md has it (`plan --power`): {cases, spread,
// smallest_difference, variants, smallest_in_ranking, fewest, cases_for_5_points, sentence, basis}. `basis`:
// where the spread comes from.
Value PowerValue(const SuitePower& power, std::string_view basis) {
  return Object{{"cases", CountValue(power.reach.clusters)},
                {"spread", power.spread},
                {"smallest_difference", NumberOrNull(power.reach.between_two)},
                {"variants", CountValue(power.reach.variants)},
                {"smallest_in_ranking", NumberOrNull(power.reach.in_ranking)},
                {"fewest", CountValue(power.fewest)},
                {"cases_for_5_points",
                 power.cases_for_5 ? Value(static_cast<double>(*power.cases_for_5)) : Value(Null{})},
                {"sentence", power.sentence},
                {"basis", basis}};
}

std::string RangeText(std::uint64_t least, std::uint64_t most) {
  return least == most ? CountText(least) : fmt::format("{}–{}", CountText(least), CountText(most));
}

std::vector<std::string> TableRow(std::string role, std::string model, const PricedLine& line) {
  return {std::move(role),
          std::move(model),
          RangeText(line.line.least, line.line.most),
          CountText(line.line.answered),
          CountText(static_cast<std::uint64_t>(std::llround(line.line.expected.input))),
          CountText(static_cast<std::uint64_t>(std::llround(line.line.expected.output))),
          CostText(line)};
}

// "3 s", "12 min", "2.5 h"
std::string AboutText(double seconds) {
  if (seconds < 90) return fmt::format("{} s", std::llround(std::ceil(seconds)));
  if (seconds < 90 * 60) return fmt::format("{} min", std::llround(seconds / 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

// Whether only a name of the folder leads there, and nobody has trusted it.
bool IsUntrusted(const CallKind& kind, const Options& options) {
  const auto& aliases = options.granted.settings.aliases;
  return std::any_of(aliases.begin(), aliases.end(), [&](const auto& entry) {
    const ModelAddress address = ModelAddressOf(entry.second.model);
    return entry.second.untrusted && address.provider == kind.provider && address.model == kind.model;
  });
}

std::string MarkedId(const CallKind& kind, const Options& options) {
  return Printable(ModelId(kind)) + (IsUntrusted(kind, options) ? " (not trusted)" : "");
}

// Who a row of the table is about: a model, an address, or the languages of programs.
std::string NameOfRow(const CallKind& kind, const Planned& planned, const Options& options) {
  constexpr std::string_view kProvider = "http:";  // of pages, whose models are addresses
  std::string id = MarkedId(kind, options);
  if (id.starts_with("http:http")) id.erase(0, kProvider.size());
  if (!id.empty() || kind.role != RequestRole::kProgram) return id;
  for (const InstalledToolchain& toolchain : planned.toolchains)
    id += fmt::format("{}{}", id.empty() ? "" : ", ", toolchain.name);
  return id;
}

std::string Text(const Planned& planned, const PricedPlan& priced, const Options& options) {
  const Plan& plan = *planned.plan;
  const Suite& suite = plan.suite();
  std::string text = fmt::format(
      "{}: {} × {} × {}: {}, {}\n", Printable(planned.problems.path), Counted(suite.cases.size(), "case"),
      Counted(suite.variants.size(), "variant"), Counted(suite.attempts, "attempt"),
      Counted(plan.CellCount(), "cell"), Counted(plan.StepCount(), "step"));
  TextTable table({{"role"},
                   {"model"},
                   {"calls", Align::kRight},
                   {"answered", Align::kRight},
                   {"tokens in", Align::kRight},
                   {"tokens out", Align::kRight},
                   {"cost", Align::kRight}});
  for (const PricedLine& line : priced.lines) {
    const CallKind& kind = line.line.kind;
    table.Add(TableRow(std::string(RequestRoleName(kind.role)), NameOfRow(kind, planned, options), line));
  }
  std::vector<std::string> total = TableRow("total", "", priced.total);
  if (priced.total.usd && !priced.unpriced.empty()) total.back() += " + unknown";
  table.Add(std::move(total));
  text += table.Text(options.shown.screen);
  if (priced.total.line.least > 0)
    text += fmt::format("About {} at these limits{}.\n", AboutText(priced.seconds),
                        priced.has_batches ? ", and up to a day for each round of batches" : "");
  return text;
}

// What the numbers stand on, said once.
std::string Basis(const PricedPlan& priced) {
  std::string text = fmt::format(
      "Tokens are estimated at 4 bytes of text each, and corrected by earlier replies of the same model.\n"
      "The higher price is every possible call with the longest answer. Prices: {}, {}.\n",
      OriginOfPrices().source, OriginOfPrices().as_of);
  if (const double parts = priced.total.line.expected.parts; parts > 0) {
    text += fmt::format(
        "{} of the input tokens are images, documents and sound, estimated as 1,600 per image, 3,000 per\n"
        "page, 32 per second.\n",
        CountText(static_cast<std::uint64_t>(std::llround(parts))));
  }
  if (const double cached = priced.total.line.expected.cached_read; cached > 0) {
    text += fmt::format(
        "{} of the input tokens are expected to come from caches, at their price, as often as in earlier "
        "runs.\n",
        CountText(static_cast<std::uint64_t>(std::llround(cached))));
  }
  if (!priced.unpriced.empty()) {
    text += "No price is known of ";
    for (std::size_t i = 0; i < priced.unpriced.size(); ++i) {
      text += (i > 0 ? ", " : "") + Printable(priced.unpriced[i]);
    }
    text += "; their cost is not in the total.\n";
  }
  return text;
}

Value UsdValue(const std::optional<double>& usd) { return OrNull(usd); }

Map LineValue(const PricedLine& line) {
  return Object{
      {"calls", line.line.least},
      {"calls_max", line.line.most},
      {"answered", line.line.answered},
      {"input_tokens", std::round(line.line.expected.input)},
      {"output_tokens", std::round(line.line.expected.output)},
      {"cached_tokens",
       line.line.expected.cached_read > 0 ? Value(std::round(line.line.expected.cached_read)) : Value()},
      {"part_tokens_estimated",
       line.line.expected.parts > 0 ? Value(std::round(line.line.expected.parts)) : Value()},
      {"input_tokens_max", std::round(line.line.worst.input)},
      {"output_tokens_max", std::round(line.line.worst.output)},
      {"cost_usd", UsdValue(line.usd)},
      {"cost_usd_max", UsdValue(line.usd_most)}};
}

Value PlanValue(const Planned& planned, const PricedPlan& priced, const Options& options) {
  const Plan& plan = *planned.plan;
  List lines;
  for (const PricedLine& line : priced.lines) {
    Map entry = Object{{"role", RequestRoleName(line.line.kind.role)}, {"model", ModelId(line.line.kind)}};
    for (const Member& member : LineValue(line)) entry.Append(member.key, member.value);
    Extend(entry, {{"observed", line.line.is_observed},
                   {"untrusted", When(IsUntrusted(line.line.kind, options), true)}});
    lines.push_back(std::move(entry));
  }
  return Object{{"file", planned.problems.path},
                {"cells", plan.CellCount()},
                {"steps", plan.StepCount()},
                {"calls", std::move(lines)},
                {"total", LineValue(priced.total)},
                {"seconds", std::round(priced.seconds)},
                {"batches", When(priced.has_batches, true)},
                {"unpriced", ArrayOf(priced.unpriced)},
                {"prices_as_of", OriginOfPrices().as_of}};
}

// The store if there is one; null if nothing was ever asked here.
Result<std::unique_ptr<Store>> OpenIfThere(const std::string& path) {
  if (!MayBeThere(path)) return std::unique_ptr<Store>();
  Result<std::unique_ptr<Store>> store = OpenForReading({.path = path});
  if (!store && store.error().code == ErrorCode::kNotFound && IsServer(path)) return std::unique_ptr<Store>();
  return store;
}

struct PlannedPower {
  SuitePower power;
  std::string basis;  // where the spread comes from
};

// The spread of the latest run of the same suite that has two variants and tells; else one that is assumed.
Result<PlannedPower> PowerOfPlan(const Suite& suite, Store* store) {
  std::optional<PlannedPower> found;
  ASSAY_CHECK_OK(VisitRunsOf(suite, store, [&](const RunRecord& run, const Report& report) -> Result<bool> {
    if (report.suite->variants.size() < 2) return false;
    ASSAY_TRY(const std::optional<double> spread, SpreadOfDifferences(report, suite.attempts));
    if (!spread) return false;
    found = PlannedPower{
        .power = PowerOf(suite, *spread),
        .basis = fmt::format("the differences of run {} spread by {:.2f}", run.context.run_id, *spread)};
    return true;
  }));
  if (found) return *std::move(found);
  return PlannedPower{
      .power = PowerOf(suite, kSpreadAssumed),
      .basis = fmt::format("a spread of {} is assumed: in no run of this suite do two variants differ "
                           "from case to case",
                           kSpreadAssumed)};
}

// " About $57 of $130."; "": no price is known.
std::string ShareOfCost(const PricedPlan& priced, double share) {
  if (!priced.total.usd || *priced.total.usd <= 0) return {};
  return fmt::format(" About {} of {}.", UsdText(*priced.total.usd * share), UsdText(*priced.total.usd));
}

// What the questions of --until will take.
struct PlannedUntil {
  std::vector<UntilForecast> forecasts = {};
  double spread = 0;
  std::string basis = {};  // where the spread comes from
};

Result<std::optional<PlannedUntil>> UntilOfPlan(const Suite& suite, const RunSpec& spec, Store* store) {
  ASSAY_TRY(const std::optional<StopRule> rule, StopRuleOf(suite, spec));
  if (!rule) return std::optional<PlannedUntil>();
  ASSAY_TRY(PlannedPower power, PowerOfPlan(suite, store));
  return std::optional(PlannedUntil{.forecasts = ForecastsOf(*rule, power.power.spread),
                                    .spread = power.power.spread,
                                    .basis = std::move(power.basis)});
}

std::string UntilText(const PlannedUntil& until, const PricedPlan& priced) {
  std::string text;
  for (const UntilForecast& each : until.forecasts)
    text += each.sentence + ShareOfCost(priced, each.share_median) + "\n";
  if (text.empty()) return "There is no forecast for a question about one variant.\n";
  return text + fmt::format("({})\n", Printable(until.basis));
}

Value UntilPlanValue(const PlannedUntil& until, const PricedPlan& priced) {
  const auto usd = [&priced](double share) {
    return OrNull(priced.total.usd ? std::optional(*priced.total.usd * share) : std::nullopt);
  };
  return Object{{"spread", until.spread},
                {"basis", until.basis},
                {"forecasts", ArrayOf(until.forecasts, [&](const UntilForecast& each) {
                   return Object{{"gap", each.gap},
                                 {"median", CountValue(each.median)},
                                 {"p90", CountValue(each.most)},
                                 {"share", each.share_median},
                                 {"share_p90", each.share_most},
                                 {"cost_usd", usd(each.share_median)},
                                 {"cost_usd_p90", usd(each.share_most)},
                                 {"sentence", each.sentence}};
                 })}};
}

// What --for asks. Its prices are those of a run that finds no answer stored.
Result<std::optional<PlannedDesign>> DesignIfAsked(const Planned& planned, const RunSpec& spec,
                                                   const Options& options, Store* store, FileReader& files) {
  if (!options.shown.half_width) return std::optional<PlannedDesign>();
  Granted granted = options.granted;
  granted.calls.fresh = true;
  ASSAY_TRY(const PricedPlan fresh, PricePlan(planned, spec, granted, store, files));
  ASSAY_TRY(PlannedDesign design, DesignOfPlan(*planned.plan, spec, *options.shown.half_width, fresh, store));
  return std::optional(std::move(design));
}

}  // namespace

ExitCode PlanCommand(const Options& options, Ui& ui) {
  if (const std::string wrong = WrongUntil(options); !wrong.empty()) {
    ui.Problem("error: " + wrong);
    return ExitCode::kUsage;
  }
  const Result<std::unique_ptr<Store>> store = OpenIfThere(options.granted.store);
  if (!store) return FailWith(ui, store.error());
  DiskFileReader files;
  files.SetSpoolFolder(SpoolFolderOf(options.granted));
  List values;
  std::set<std::string> told;
  bool has_errors = false;
  for (const std::string& path : options.arguments) {
    SourceFiles sources;
    const RunSpec spec = options.SpecOf(path);
    Loaded loaded = Load(spec, options.granted, files, sources);
    FetchMedia(options.granted, Fetching::kNever, loaded);
    const Planned planned = MakePlan(std::move(loaded), spec, options.granted, Purpose::kPrice);
    if (const std::string text = ProblemsText(planned.problems, sources, &told); !text.empty())
      ui.Problem(text);
    has_errors = has_errors || planned.problems.HasErrors();
    if (planned.plan == nullptr) continue;
    const Result<PricedPlan> priced = PricePlan(planned, spec, options.granted, store->get(), files);
    if (!priced) return FailWith(ui, priced.error());
    std::optional<PlannedPower> power;
    if (options.shown.power) {
      Result<PlannedPower> found = PowerOfPlan(planned.plan->suite(), store->get());
      if (!found) return FailWith(ui, found.error());
      power = *std::move(found);
    }
    const auto until = UntilOfPlan(planned.plan->suite(), spec, store->get());
    if (!until) return FailWith(ui, until.error());
    const auto design = DesignIfAsked(planned, spec, options, store->get(), files);
    if (!design) return FailWith(ui, design.error());
    if (options.shown.json) {
      values.push_back(PlanValue(planned, *priced, options));
      if (*until) values.back().AsMap().Append("until", UntilPlanValue(**until, *priced));
      if (power) values.back().AsMap().Append("power", PowerValue(power->power, power->basis));
      if (*design) values.back().AsMap().Append("design", DesignValue(**design));
    } else {
      if (power) ui.Out(fmt::format("{} ({})\n", power->power.sentence, Printable(power->basis)));
      if (*until) ui.Out(UntilText(**until, *priced));
      if (*design) ui.Out(DesignText(**design, options.shown.screen));
      ui.Out(Text(planned, *priced, options));
      const std::optional<std::string> few = TooFewCasesText(planned.plan->suite());
      if (few && !power && !spec.limit) ui.Note(*few);
      ui.Note(Basis(*priced));
      for (const std::string& line : LeftOutLines(*planned.plan, ModelBook(options.granted.settings.models)))
        ui.Note(Printable(line) + "\n");
      for (const RetirementNote& note : RetirementNotes(*planned.plan, spec, SystemClock().WallMs()))
        ui.Note(Printable(note.text) + "\n");
      if (const std::string text = AssumedModelsText(*planned.plan, *priced); !text.empty()) ui.Note(text);
    }
  }
  if (options.shown.json)
    ui.Out(ShownJson(WriteJson(Value(std::move(values)), JsonStyle::kJavaScript2)) + "\n");
  return has_errors ? ExitCode::kUsage : ExitCode::kDone;
}

}  // namespace assay
