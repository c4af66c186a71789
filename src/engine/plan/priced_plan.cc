// Adds prices, batch discounts and times to the lines of a forecast, and the cost of opening documents and of
// an executive summary.
#include "engine/plan/priced_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/grants/limits.h"
#include "engine/network/network.h"
#include "engine/plan/earlier_runs.h"
#include "engine/words.h"
#include "engine/write/closing.h"
#include "providers/batch/batch.h"
#include "providers/facts/model_facts.h"
#include "report/fold/planned_cost.h"
#include "spec/suite/case.h"

namespace assay {

namespace {

bool HasPrice(const CallKind& kind) {
  return kind.role != RequestRole::kService && kind.role != RequestRole::kProgram;
}

double UsdOf(const Price& price, const TokenCount& tokens, std::uint64_t calls) {
  if (calls == 0) return 0;
  // Priced call by call: what a long input costs more depends on one call's length.
  const auto count = static_cast<double>(calls);
  const std::int64_t nano_usd =
      CostNanoUsd(price, {.input = std::llround(tokens.input / count),
                          .output = std::llround(std::ceil(tokens.output / count)),
                          .cached_read = std::llround(tokens.cached_read / count),
                          .cached_write = std::llround(tokens.cached_write / count)});
  return static_cast<double>(nano_usd) * count / kNanoPerUsd;
}

// What the tiers that the calls of a line ask for take of the list price: on average, and at most.
struct TierShare {
  double expected = 1;
  double most = 1;  // a cheaper tier may not be given
};

TierShare TiersOf(const ForecastLine& line, const ModelBook& models) {
  TierShare share;
  for (const auto& [tier, calls] : line.tiers) {
    const double factor = models.TierFactor(line.kind.provider, line.kind.model, tier);
    share.expected += (factor - 1) * static_cast<double>(calls) / static_cast<double>(line.least);
    share.most = std::max(share.most, factor);
  }
  return share;
}

void Add(const PricedLine& part, PricedLine& total) {
  total.line.answered += part.line.answered;
  total.line.least += part.line.least;
  total.line.most += part.line.most;
  total.line.expected.input += part.line.expected.input;
  total.line.expected.output += part.line.expected.output;
  total.line.expected.cached_read += part.line.expected.cached_read;
  total.line.expected.parts += part.line.expected.parts;
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
  constexpr double kMsPerSecond = 1000;
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
  if (!HasPrice(kind)) return nullptr;
  const bool embeds = kind.role == RequestRole::kEmbedding;
  return FindBatchInterface(kind.provider, embeds ? RequestKind::kEmbed : RequestKind::kModel);
}

PricedPlan PriceOf(const Plan& plan, std::vector<ForecastLine> lines, const Granted& granted) {
  const ModelBook models(granted.settings.models);
  PricedPlan priced;
  priced.seconds = SecondsOf(plan, lines, RunLimitsOf(granted));
  for (ForecastLine& line : lines) {
    PricedLine with_price{.line = std::move(line), .usd = {}, .usd_most = {}};
    const CallKind& kind = with_price.line.kind;
    const std::optional<Price> price =
        HasPrice(kind) ? models.PriceOf(kind.provider, kind.model) : std::nullopt;
    // At best. What a batch leaves out is asked alone, so the worst is the full price.
    const BatchInterface* batches = granted.calls.batch ? BatchOf(kind) : nullptr;
    priced.has_batches = priced.has_batches || (batches != nullptr && with_price.line.least > 0);
    if (price || with_price.line.most == 0) {
      const TierShare tiers = TiersOf(with_price.line, models);
      with_price.usd = UsdOf(price.value_or(Price{}), with_price.line.expected, with_price.line.least) *
                       (batches == nullptr ? 1 : batches->price_factor) * tiers.expected;
      with_price.usd_most =
          UsdOf(price.value_or(Price{}), with_price.line.worst, with_price.line.most) * tiers.most;
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
  for (CaseIndex i = 0; i < plan.CaseCount(); ++i) {
    double points = 0;
    for (const Check& check : plan.CaseOf(i).checks)
      points += static_cast<double>(check.text.size()) / kBytesPerToken + kReasonTokens;
    tokens += points * static_cast<double>(plan.grid().VariantsOf(i));
  }
  return tokens;
}

// The summary of the run, if one is wanted: one call, whose question only the finished run knows.
Status AddSummary(const Planned& planned, const RunSpec& spec, const Router& router, Store* store,
                  std::vector<ForecastLine>& lines) {
  constexpr double kSummaryTokensMax = 125'000;  // half a million characters
  if (!WantsSummary(spec) || !planned.dialect->closing) return Ok();
  ASSAY_TRY(const std::shared_ptr<const Plan> plan, ClosingPlan(*planned.dialect, planned.plan->suite()));
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
  const double results = ResultTokens(*planned.plan, lines);
  for (ForecastLine& line : summary) {
    line.expected.input = std::min(line.expected.input + results, kSummaryTokensMax);
    line.worst.input = kSummaryTokensMax;
    lines.push_back(std::move(line));
  }
  return Ok();
}

void Add(const TokenCount& part, TokenCount& total) {
  for (const auto member : {&TokenCount::input, &TokenCount::output, &TokenCount::cached_read,
                            &TokenCount::cached_write, &TokenCount::parts})
    total.*member += part.*member;
}

// What the documents need, before what the cells need; calls of one kind are one line.
void PutFirst(std::vector<ForecastLine> before, std::vector<ForecastLine>& lines) {
  for (auto line = before.rbegin(); line != before.rend(); ++line) {
    const auto same = std::find_if(lines.begin(), lines.end(),
                                   [&](const ForecastLine& each) { return each.kind == line->kind; });
    if (same == lines.end()) {
      lines.insert(lines.begin(), std::move(*line));
      continue;
    }
    same->answered += line->answered;
    same->least += line->least;
    same->most += line->most;
    for (const auto& [tier, calls] : line->tiers) same->tiers[tier] += calls;
    Add(line->expected, same->expected);
    Add(line->worst, same->worst);
  }
}

}  // namespace

std::string ModelId(const CallKind& kind) {
  return kind.role == RequestRole::kService || kind.role == RequestRole::kProgram
             ? kind.model
             : fmt::format("{}:{}", kind.provider, kind.model);
}

std::string CostText(const PricedLine& line) {
  if (!line.usd) return "unknown";
  const std::string low = UsdText(*line.usd);
  const std::string high = UsdText(line.usd_most.value_or(0));
  return low == high ? low : fmt::format("{}–{}", low, high);
}

Result<PricedPlan> PricePlan(const Planned& planned, const RunSpec& spec, const Granted& granted,
                             Store* store, FileReader& files, CellIndex most) {
  EpochRange epochs;
  if (store != nullptr) {
    ASSAY_TRY(epochs.last, store->NewestEpoch());
  }
  // Answers of earlier runs are not taken by --fresh.
  const Router router(planned.recorded.recordings, BaseUrlsOf(planned.endpoints),
                      ModelBook(granted.settings.models), planned.program_inputs);
  if (granted.calls.fresh) epochs = {epochs.last + 1, epochs.last + 1};
  PromptClock prompts;
  if (store != nullptr) {
    ASSAY_TRY(const std::vector<RunRecord> runs, store->Runs());
    prompts = EarlierPrompts(spec, granted.calls.fresh, planned, runs);
  }
  Opening opening = OpenDocuments(planned, spec, granted, files, SystemClock());
  AnsweredForecast before;
  if (opening.plan != nullptr) {
    ASSAY_TRY(before, ForecastAnswers(*opening.plan, router, store, epochs));
    for (ForecastLine& line : before.lines) {
      if (line.kind.role == RequestRole::kProgram && !opening.toolchains.empty())
        line.kind.model = opening.toolchains.front().name;
    }
  }
  ASSAY_TRY(DocumentsAhead documents,
            LookAhead(planned.plan->suite().corpus, std::move(opening), before.answers, SystemClock()));
  ASSAY_TRY(std::vector<ForecastLine> lines,
            ForecastRun(*planned.plan, router, store, epochs, prompts, most, documents.corpus.get()));
  PutFirst(std::move(before.lines), lines);
  ASSAY_CHECK_OK(AddSummary(planned, spec, router, store, lines));
  PricedPlan priced = PriceOf(*planned.plan, std::move(lines), granted);
  priced.documents = std::move(documents);
  return priced;
}

std::string PlannedCostOf(const Planned& planned, const RunSpec& spec, const Granted& granted, Store& store,
                          FileReader& files, std::optional<DocumentsAhead>& documents) {
  constexpr CellIndex kWalkedMax = 2'000;
  if (granted.calls.offline) return {};
  const ModelBook models(granted.settings.models);
  const std::vector<ModelToAsk> asked = ModelsOfRun(planned, spec);
  const auto costs = [&models](const ModelToAsk& each) {
    const std::optional<Price> price = models.PriceOf(each.provider, each.model);
    return price && price->input_usd + price->output_usd > 0;
  };
  if (std::none_of(asked.begin(), asked.end(), costs)) return {};
  Result<PricedPlan> priced = PricePlan(planned, spec, granted, &store, files, kWalkedMax);
  if (!priced) return {};  // the run itself will say what is wrong
  documents = std::move(priced->documents);
  PlannedCost cost{.calls = priced->total.line.least,
                   .calls_most = priced->total.line.most,
                   .usd = priced->total.usd.value_or(0),
                   .usd_most = priced->total.usd_most.value_or(0),
                   .unpriced = priced->unpriced,
                   .cells_walked = std::min(planned.plan->CellCount(), kWalkedMax)};
  for (const PricedLine& each : priced->lines) {
    if (each.line.is_observed || each.line.least == 0 || !HasPrice(each.line.kind)) continue;
    std::string id = ModelId(each.line.kind);
    if (std::find(cost.assumed.begin(), cost.assumed.end(), id) == cost.assumed.end())
      cost.assumed.push_back(std::move(id));
  }
  return EncodePlannedCost(cost);
}

}  // namespace assay
