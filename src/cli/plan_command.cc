// assay plan: what a run would ask, what it would cost and how long it would take. Nothing is sent.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "cli/closing.h"
#include "cli/command.h"
#include "cli/limits.h"
#include "cli/model_notes.h"
#include "cli/network.h"
#include "cli/progress.h"
#include "cli/recordings.h"
#include "cli/suite_loader.h"
#include "cli/text_table.h"
#include "providers/batch.h"
#include "providers/model_facts.h"
#include "run/forecast.h"
#include "text/json.h"

namespace assay {

namespace {

constexpr double kMsPerSecond = 1000;

// A line of the forecast with what it costs; no costs where the price is not known.
struct PricedLine {
  ForecastLine line;
  std::optional<double> usd;
  std::optional<double> usd_most;
};

struct PricedPlan {
  std::vector<PricedLine> lines;
  PricedLine total;                   // tokens and costs of all lines; costs of those with a price
  std::vector<std::string> unpriced;  // model ids
  double seconds = 0;
  bool has_batches = false;
};

std::string ModelId(const CallKind& kind) {
  return kind.role == RequestRole::kService || kind.role == RequestRole::kProgram
             ? kind.model
             : fmt::format("{}:{}", kind.provider, kind.model);
}

bool HasPrice(const CallKind& kind) {
  return kind.role != RequestRole::kService && kind.role != RequestRole::kProgram;
}

double UsdOf(const Price& price, const TokenCount& tokens, std::uint64_t calls) {
  if (calls == 0) return 0;
  // Priced call by call: what a long input costs more depends on one call's length.
  const auto count = static_cast<double>(calls);
  const std::int64_t nano_usd =
      CostNanoUsd(price, {.input = std::llround(tokens.input / count),
                          .output = std::llround(std::ceil(tokens.output / count))});
  return static_cast<double>(nano_usd) * count / kNanoPerUsd;
}

void Add(const PricedLine& part, PricedLine& total) {
  total.line.answered += part.line.answered;
  total.line.least += part.line.least;
  total.line.most += part.line.most;
  total.line.expected.input += part.line.expected.input;
  total.line.expected.output += part.line.expected.output;
  total.line.worst.input += part.line.worst.input;
  total.line.worst.output += part.line.worst.output;
  if (part.usd) total.usd = total.usd.value_or(0) + *part.usd;
  if (part.usd_most) total.usd_most = total.usd_most.value_or(0) + *part.usd_most;
}

// What the limits a minute leave to the calls of one provider.
double SecondsByRate(const ProviderLimits& limits, double calls, double tokens) {
  constexpr double kSecondsPerMinute = 60;
  double seconds = 0;
  if (limits.requests_per_min) seconds = calls / *limits.requests_per_min * kSecondsPerMinute;
  if (limits.tokens_per_min) seconds = std::max(seconds, tokens / *limits.tokens_per_min * kSecondsPerMinute);
  return seconds;
}

// Calls of one pool share its width; pools work side by side; those of one provider share its limits a
// minute.
double SecondsOf(const Plan& plan, const std::vector<ForecastLine>& lines, const RunLimits& limits) {
  double longest = 0;
  std::map<std::string_view, std::pair<double, double>> by_provider;  // calls, tokens
  double last_ms = 0;  // what can only begin when everything is answered
  for (const ForecastLine& line : lines) {
    if (line.kind.role == RequestRole::kSummary) last_ms += static_cast<double>(line.least) * line.call_ms;
  }
  for (const Pool& pool : plan.pools()) {
    double work_ms = 0;
    double one_ms = 0;
    for (const ForecastLine& line : lines) {
      if (line.least == 0 || line.kind.role == RequestRole::kSummary ||
          &plan.pools()[plan.PoolOf(line.kind.role, line.kind.provider)] != &pool)
        continue;
      work_ms += static_cast<double>(line.least) * line.call_ms;
      one_ms = std::max(one_ms, line.call_ms);
      auto& [calls, tokens] = by_provider[ProviderOfPool(pool.name)];
      calls += static_cast<double>(line.least);
      tokens += line.expected.input + line.expected.output;
    }
    const auto width = static_cast<double>(WidthOf(pool, limits));
    longest = std::max(longest, std::max(work_ms / width, one_ms) / kMsPerSecond);
  }
  for (const auto& [provider, amount] : by_provider)
    longest = std::max(longest, SecondsByRate(limits.Of(provider), amount.first, amount.second));
  return longest + last_ms / kMsPerSecond;
}

// Null: calls of this kind go to no batch.
const BatchInterface* BatchOf(const CallKind& kind) {
  return HasPrice(kind) && kind.role != RequestRole::kEmbedding ? FindBatchInterface(kind.provider) : nullptr;
}

PricedPlan PriceOf(const Plan& plan, std::vector<ForecastLine> lines, const Options& options) {
  const ModelBook models(options.settings.models);
  PricedPlan priced;
  priced.seconds = SecondsOf(plan, lines, RunLimitsOf(options));
  for (ForecastLine& line : lines) {
    PricedLine with_price{.line = std::move(line), .usd = {}, .usd_most = {}};
    const CallKind& kind = with_price.line.kind;
    const std::optional<Price> price =
        HasPrice(kind) ? models.PriceOf(kind.provider, kind.model) : std::nullopt;
    // At best. What a batch leaves out is asked alone, so the worst is the full price.
    const BatchInterface* batches = options.batch ? BatchOf(kind) : nullptr;
    priced.has_batches = priced.has_batches || (batches != nullptr && with_price.line.least > 0);
    if (price || with_price.line.most == 0) {
      with_price.usd = UsdOf(price.value_or(Price{}), with_price.line.expected, with_price.line.least) *
                       (batches == nullptr ? 1 : batches->price_factor);
      with_price.usd_most = UsdOf(price.value_or(Price{}), with_price.line.worst, with_price.line.most);
    } else if (HasPrice(kind)) {
      const std::string id = ModelId(kind);
      if (std::find(priced.unpriced.begin(), priced.unpriced.end(), id) == priced.unpriced.end()) {
        priced.unpriced.push_back(id);
      }
    }
    Add(with_price, priced.total);
    priced.lines.push_back(std::move(with_price));
  }
  return priced;
}

std::string RangeText(std::uint64_t least, std::uint64_t most) {
  return least == most ? CountText(least) : fmt::format("{}–{}", CountText(least), CountText(most));
}

std::string CostText(const PricedLine& line) {
  if (!line.usd) return "unknown";
  const std::string low = UsdText(*line.usd);
  const std::string high = UsdText(line.usd_most.value_or(0));
  return low == high ? low : fmt::format("{}–{}", low, high);
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

std::string Text(const LoadedSuite& loaded, const PricedPlan& priced) {
  const Plan& plan = *loaded.plan;
  const Suite& suite = plan.suite();
  std::string text =
      fmt::format("{}: {} × {} × {}: {}, {}\n", Printable(loaded.path), Counted(suite.cases.size(), "case"),
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
    table.Add(TableRow(std::string(RequestRoleName(line.line.kind.role)), Printable(ModelId(line.line.kind)),
                       line));
  }
  std::vector<std::string> total = TableRow("total", "", priced.total);
  if (priced.total.usd && !priced.unpriced.empty()) total.back() += " + unknown";
  table.Add(std::move(total));
  text += table.Text();
  if (priced.total.line.least > 0)
    text += fmt::format("About {} at these limits{}.\n", AboutText(priced.seconds),
                        priced.has_batches ? ", and up to a day for each round of batches" : "");
  return text;
}

// What the numbers stand on, said once.
std::string Basis(const PricedPlan& priced) {
  std::string text = fmt::format(
      "Tokens are estimated (4 bytes of text each) and corrected by what the store has seen of a model; "
      "the worst\n"
      "is every possible call with an answer of its full length. Prices: {}, {}.\n",
      kModelsSource, kModelsAsOf);
  if (!priced.unpriced.empty()) {
    text += "No price is known of ";
    for (std::size_t i = 0; i < priced.unpriced.size(); ++i) {
      text += (i > 0 ? ", " : "") + Printable(priced.unpriced[i]);
    }
    text += "; their cost is not in the total.\n";
  }
  return text;
}

Value UsdValue(const std::optional<double>& usd) { return usd ? Value(*usd) : Value(Null{}); }

Map LineValue(const PricedLine& line) {
  Map map;
  map.Append("calls", static_cast<double>(line.line.least));
  map.Append("calls_max", static_cast<double>(line.line.most));
  map.Append("answered", static_cast<double>(line.line.answered));
  map.Append("input_tokens", std::round(line.line.expected.input));
  map.Append("output_tokens", std::round(line.line.expected.output));
  map.Append("input_tokens_max", std::round(line.line.worst.input));
  map.Append("output_tokens_max", std::round(line.line.worst.output));
  map.Append("cost_usd", UsdValue(line.usd));
  map.Append("cost_usd_max", UsdValue(line.usd_most));
  return map;
}

Value PlanValue(const LoadedSuite& loaded, const PricedPlan& priced) {
  const Plan& plan = *loaded.plan;
  Map map;
  map.Append("file", loaded.path);
  map.Append("cells", static_cast<double>(plan.CellCount()));
  map.Append("steps", static_cast<double>(plan.StepCount()));
  List lines;
  for (const PricedLine& line : priced.lines) {
    Map entry;
    entry.Append("role", RequestRoleName(line.line.kind.role));
    entry.Append("model", ModelId(line.line.kind));
    for (const Member& member : LineValue(line)) entry.Append(member.key, member.value);
    entry.Append("observed", line.line.is_observed);
    lines.push_back(std::move(entry));
  }
  map.Append("calls", std::move(lines));
  map.Append("total", LineValue(priced.total));
  map.Append("seconds", std::round(priced.seconds));
  if (priced.has_batches) map.Append("batches", Value(true));
  List unpriced;
  for (const std::string& id : priced.unpriced) unpriced.push_back(id);
  map.Append("unpriced", std::move(unpriced));
  map.Append("prices_as_of", kModelsAsOf);
  return map;
}

// The store if there is one; null if nothing was ever asked here.
Result<std::unique_ptr<Store>> OpenIfThere(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::unique_ptr<Store>();
  return OpenSqliteStore({.path = path, .read_only = true});
}

// About what the answers and points of all cells add to the text that sums up a run; the rest of that text is
// the suite's own.
double ResultTokens(const Plan& plan, const std::vector<ForecastLine>& lines) {
  constexpr double kAnsweredTokens = 400;
  constexpr double kReasonTokens = 50;
  constexpr double kBytesPerToken = 4;
  double tokens = 0;
  for (const ForecastLine& line : lines) {
    if (line.kind.role != RequestRole::kCandidate) continue;
    tokens += line.expected.output + static_cast<double>(line.answered) * kAnsweredTokens;
  }
  const Suite& suite = plan.suite();
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
    double points = 0;
    for (const Check& check : suite.cases[i].checks)
      points += static_cast<double>(check.text.size()) / kBytesPerToken + kReasonTokens;
    tokens += points * static_cast<double>(plan.case_plan(i).variant_count);
  }
  return tokens;
}

// The summary of the run, if one is wanted: one call, whose question only the finished run knows.
Status AddSummary(const LoadedSuite& loaded, const Options& options, const Router& router, Store* store,
                  std::vector<ForecastLine>& lines) {
  constexpr double kSummaryTokensMax = 125'000;  // half a million characters
  if (!WantsSummary(options) || loaded.dialect->closing == nullptr) return Ok();
  Report report;
  report.suite = &loaded.plan->suite();
  report.for_each_cell_of = [](CaseIndex, CellParts, const Report::Visitor&) { return Ok(); };
  ASSAY_TRY(Suite closing, loaded.dialect->closing(report));
  Diagnostics diagnostics;
  const std::shared_ptr<const Plan> plan = Plan::Build(std::move(closing), {}, diagnostics);
  ASSAY_ASSERT(plan != nullptr);
  ASSAY_TRY(std::vector<ForecastLine> summary, ForecastRun(*plan, router, nullptr, {}));
  if (store != nullptr) {
    ASSAY_TRY(const ObservedUsage observed, ObserveUsage(*store));
    for (ForecastLine& line : summary) {
      const auto found = observed.find(line.kind);
      if (found == observed.end() || found->second.calls == 0) continue;
      const auto calls = static_cast<double>(found->second.calls);
      line.expected.output = found->second.output_tokens / calls;
      line.call_ms = found->second.duration_ms / calls;
    }
  }
  const double results = ResultTokens(*loaded.plan, lines);
  for (ForecastLine& line : summary) {
    line.expected.input = std::min(line.expected.input + results, kSummaryTokensMax);
    line.worst.input = kSummaryTokensMax;
    lines.push_back(std::move(line));
  }
  return Ok();
}

Result<PricedPlan> MakePlan(const LoadedSuite& loaded, const OpenedRecordings& recordings,
                            const Options& options, const Endpoints& endpoints, Store* store) {
  EpochRange epochs;
  if (store != nullptr) {
    ASSAY_TRY(epochs.last, store->NewestEpoch());
  }
  // Answers of earlier runs are not taken by --fresh.
  const Router router(recordings.recordings, BaseUrlsOf(endpoints), ModelBook(options.settings.models));
  ASSAY_TRY(std::vector<ForecastLine> lines,
            ForecastRun(*loaded.plan, router, store,
                        options.fresh ? EpochRange{epochs.last + 1, epochs.last + 1} : epochs));
  ASSAY_CHECK_OK(AddSummary(loaded, options, router, store, lines));
  return PriceOf(*loaded.plan, std::move(lines), options);
}

}  // namespace

ExitCode PlanCommand(const Options& options, Ui& ui) {
  const Result<std::unique_ptr<Store>> store = OpenIfThere(options.store);
  if (!store) {
    ui.Problem(fmt::format("assay: {}", store.error().message));
    return ExitCode::kUnfinished;
  }
  DiskFileReader files;
  List values;
  bool has_errors = false;
  for (const std::string& path : options.arguments) {
    SourceFiles sources;
    LoadedSuite loaded = LoadSuite(path, options, files, sources);
    const OpenedRecordings recordings = OpenRecordings(options, loaded, files, sources);
    BuildPlan(options, loaded);
    // Where a model is asked belongs to the question; keys do not matter here.
    const Endpoints endpoints = ReadEndpoints(options, loaded.diagnostics);
    if (const std::string problems = ProblemsOf(loaded, sources); !problems.empty()) ui.Problem(problems);
    has_errors = has_errors || loaded.HasErrors();
    if (loaded.plan == nullptr) continue;
    const Result<PricedPlan> priced = MakePlan(loaded, recordings, options, endpoints, store->get());
    if (!priced) {
      ui.Problem(fmt::format("assay: {}", priced.error().message));
      return ExitCode::kUnfinished;
    }
    if (options.json) {
      values.push_back(PlanValue(loaded, *priced));
    } else {
      ui.Out(Text(loaded, *priced));
      ui.Note(Basis(*priced));
      for (const std::string& line : LeftOutLines(*loaded.plan, ModelBook(options.settings.models)))
        ui.Note(Printable(line) + "\n");
    }
  }
  if (options.json) ui.Out(WriteJson(Value(std::move(values)), JsonStyle::kJavaScript2) + "\n");
  return has_errors ? ExitCode::kUsage : ExitCode::kDone;
}

}  // namespace assay
