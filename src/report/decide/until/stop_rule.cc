// Binds questions to variants, and puts cases into the order of their units.
#include "report/decide/until/stop_rule.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/aggregate.h"
#include "report/decide/factors.h"
#include "report/decide/standings.h"
#include "report/values/runs.h"
#include "spec/run/until.h"
#include "statistics/estimates/mean.h"
#include "statistics/sequential/gate.h"
#include "statistics/sequential/order.h"

namespace assay {

namespace {

constexpr double kPointsPerScore = 100;
constexpr std::size_t kLooksMax = 1'000;  // each reads every score before it

Error Refused(std::string message) { return {ErrorCode::kInvalidInput, std::move(message)}; }

// The names of units, by their numbers: the cluster's, else the least id of their cases.
std::vector<std::string> NamesOfUnits(const Suite& suite, std::span<const std::uint32_t> clusters) {
  std::vector<std::string> names(
      clusters.empty() ? 0 : *std::max_element(clusters.begin(), clusters.end()) + std::size_t{1});
  std::vector<bool> has_name(names.size());
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    const Case& one = suite.cases[i];
    std::string& name = names[clusters[i]];
    const std::string& own = one.cluster->empty() ? one.id : *one.cluster;
    if (!has_name[clusters[i]] || own < name) name = own;
    has_name[clusters[i]] = true;
  }
  return names;
}

// Indices of all cases, unit by unit.
std::vector<std::uint32_t> AskingOrder(const Suite& suite, std::span<const std::uint32_t> clusters,
                                       std::string_view seed) {
  const std::vector<std::string> names = NamesOfUnits(suite, clusters);
  std::vector<std::vector<std::uint32_t>> units(names.size());
  for (std::uint32_t i = 0; i < suite.cases.size(); ++i) units[clusters[i]].push_back(i);
  std::vector<std::uint32_t> order;
  order.reserve(suite.cases.size());
  for (const std::size_t unit : OrderOfUnits(names, seed))
    order.insert(order.end(), units[unit].begin(), units[unit].end());
  return order;
}

// By its id or its name; else by a part of one, if it is of no other.
std::optional<VariantIndex> FindVariant(const Suite& suite, std::span<const std::string> names,
                                        std::string_view text) {
  std::vector<VariantIndex> parts;
  for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
    const std::string& id = suite.variants[v].id;
    if (id == text || names[v] == text) return v;
    if (id.find(text) != std::string::npos || names[v].find(text) != std::string::npos) parts.push_back(v);
  }
  if (parts.size() != 1) return std::nullopt;
  return parts.front();
}

Result<VariantIndex> NamedVariant(const Suite& suite, std::span<const std::string> names,
                                  std::string_view text) {
  if (const std::optional<VariantIndex> found = FindVariant(suite, names, text)) return *found;
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  return Refused(fmt::format("it is not clear which variant {} is; there are {}", text, known));
}

Result<BoundQuestion> BindPair(const StopQuestion& question, const Suite& suite, const StopRule& rule) {
  BoundQuestion bound;
  bound.kind = BoundQuestion::Kind::kPair;
  std::string_view name = question.b;
  double points = 0;
  if (!FindVariant(suite, rule.names, name)) {
    const NameAndPoints split = SplitPoints(question.b);
    name = split.name;
    points = split.points;
  }
  ASSAY_TRY(bound.a, NamedVariant(suite, rule.names, question.a));
  ASSAY_TRY(bound.b, NamedVariant(suite, rule.names, name));
  if (bound.a == bound.b) return Refused("it compares a variant with itself");
  if (points > 0 && rule.within) return Refused("a margin cannot be combined with --within");
  bound.pair = {.promise = rule.promise, .margin = -points / kPointsPerScore, .within = rule.within};
  return bound;
}

// The question about each variant that it concerns.
Status Bind(std::string_view text, const Suite& suite, StopRule& rule) {
  ASSAY_TRY(const StopQuestion question, ParseStopQuestion(text));
  const std::string written(text);
  switch (question.kind) {
    case StopQuestion::Kind::kFirst:
      if (suite.variants.size() < 2) return Refused("the run has one variant; for one variant: --until ±5");
      rule.questions.push_back({.kind = BoundQuestion::Kind::kRace,
                                .text = written,
                                .race = {.promise = rule.promise, .within = rule.within}});
      break;
    case StopQuestion::Kind::kAhead: {
      ASSAY_TRY(BoundQuestion bound, BindPair(question, suite, rule));
      bound.text = written;
      rule.questions.push_back(std::move(bound));
      break;
    }
    case StopQuestion::Kind::kLevel:
      if (rule.promise == Promise::kWorld)
        return Refused("its promise is about the suite; leave out --promise world");
      for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
        rule.questions.push_back({.kind = BoundQuestion::Kind::kLevel,
                                  .text = written,
                                  .a = v,
                                  .half = question.half / kPointsPerScore});
      }
      break;
    case StopQuestion::Kind::kGate:
      if (rule.within) return Refused("it cannot be combined with --within");
      break;  // the gates themselves are bound
  }
  return Ok();
}

// All cases with what the run asks first, then the others.
std::vector<std::uint32_t> WholeOrder(const UnitTable& table, std::span<const std::uint32_t> order,
                                      std::size_t cases) {
  std::vector<std::uint32_t> asking(table.order().begin(), table.order().end());
  std::vector<bool> has(cases);
  for (const std::uint32_t index : asking) has[index] = true;
  std::copy_if(order.begin(), order.end(), std::back_inserter(asking),
               [&has](std::uint32_t index) { return !has[index]; });
  return asking;
}

std::vector<std::uint32_t> OnlyOf(const std::vector<bool>& has, std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> only;
  std::copy_if(order.begin(), order.end(), std::back_inserter(only),
               [&has](std::uint32_t index) { return has[index]; });
  return only;
}

std::vector<bool> CasesOfGate(const StopGate& gate, std::span<const double> weights) {
  std::vector<bool> has(weights.size(), gate.kind == StopGate::Kind::kErrors);
  for (const CaseIndex index : gate.cases) has[index] = true;
  if (gate.kind != StopGate::Kind::kLeast) return has;
  for (std::size_t i = 0; i < weights.size(); ++i) has[i] = weights[i] > 0;
  return has;
}

// The scores of the base, aligned with the cases of the suite.
Sample BaseOf(const StopGate& gate, std::size_t cases) {
  Sample base;
  base.cases.resize(cases);
  for (std::size_t i = 0; i < gate.cases.size(); ++i) {
    const double value = gate.values[i];
    if (!std::isfinite(value)) continue;
    base.cases[gate.cases[i]] = {
        .value = value, .scored = std::max(gate.scored[i], 1u), .is_binary = value == 0 || value == 1};
  }
  return base;
}

bool LiesWithin(const StopGate& gate, const ScoreRange& range) {
  const double noise = kNoise * std::max(std::abs(range.low), std::abs(range.high));
  return std::all_of(gate.values.begin(), gate.values.end(), [&](double value) {
    return std::isnan(value) || (value >= range.low - noise && value <= range.high + noise);
  });
}

constexpr BoundQuestion::Kind KindOf(StopGate::Kind kind) {
  constexpr BoundQuestion::Kind kKinds[] = {BoundQuestion::Kind::kGate, BoundQuestion::Kind::kFlips,
                                            BoundQuestion::Kind::kLeast, BoundQuestion::Kind::kErrors};
  return kKinds[static_cast<std::size_t>(kind)];
}

std::string TextOf(const StopGate& gate) {
  switch (gate.kind) {
    case StopGate::Kind::kRegression:
      return "gate";
    case StopGate::Kind::kFlips:
      return fmt::format("--fail-on-flip {} --max-flips {}", gate.base, gate.text);
    case StopGate::Kind::kLeast:
      return "--fail-under " + gate.text;
    case StopGate::Kind::kErrors:
      return "--max-errors " + gate.text;
  }
  return {};
}

BoundQuestion BindGate(const StopGate& gate, const Design& design, std::optional<std::uint64_t> look_every,
                       const StopRule& rule) {
  const std::size_t count = rule.weights.size();
  GateCases cases{.table = UnitTable(count, design, rule.asking)};
  cases.has = CasesOfGate(gate, rule.weights);
  cases.order = OnlyOf(cases.has, rule.asking);
  if (gate.kind == StopGate::Kind::kRegression && !cases.order.empty()) {
    cases.table = UnitTable(count, design, cases.order);
    cases.order.assign(cases.table.order().begin(), cases.table.order().end());
    cases.places = LookPlaces(cases.table.units(), look_every.value_or(UnitsPerLook(cases.table.units())));
    cases.base = BaseOf(gate, count);
  }
  std::vector<std::uint64_t> place_of(count);
  for (std::uint64_t place = 0; place < rule.asking.size(); ++place) place_of[rule.asking[place]] = place;
  for (const std::uint32_t index : cases.order) cases.until.push_back(place_of[index] + 1);
  BoundQuestion question{.kind = KindOf(gate.kind), .text = TextOf(gate), .a = gate.variant};
  if (gate.kind == StopGate::Kind::kRegression) question.pair = GateQuestion(gate.limit, gate.gates);
  question.gate = std::make_shared<const StopGate>(gate);
  question.cases = std::make_shared<const GateCases>(std::move(cases));
  return question;
}

// Before any base is read: what is forecast, and whether it can be asked.
void BindGatesToCome(const Suite& suite, StopRule& rule) {
  for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
    rule.questions.push_back({.kind = BoundQuestion::Kind::kGate,
                              .text = "gate",
                              .a = v,
                              .pair = GateQuestion(0, suite.variants.size())});
  }
}

bool AsksGate(const RunSpec& spec) {
  return std::find(spec.until.begin(), spec.until.end(), "gate") != spec.until.end();
}

// Whether a question needs all cases to stand in an order of chance.
bool AsksOfAllCases(const RunSpec& spec) { return spec.until.size() > (AsksGate(spec) ? 1u : 0u); }

// Of gates against a base alone only what the base has is asked in turn.
std::vector<std::uint32_t> OrderOfTable(const RunSpec& spec, std::span<const StopGate> gates,
                                        std::span<const std::uint32_t> order) {
  std::vector<bool> has(order.size());
  bool is_any = false;
  for (const StopGate& gate : gates) {
    if (gate.kind != StopGate::Kind::kRegression) continue;
    for (const CaseIndex index : gate.cases) is_any = has[index] = true;
  }
  if (!is_any || AsksOfAllCases(spec)) return {order.begin(), order.end()};
  return OnlyOf(has, order);
}

// The order of gates changes with their base: the cases that a run meets first are not the same every night.
std::string SeedOf(const RunSpec& spec, std::span<const StopGate> gates) {
  if (!spec.order_seed.empty()) return spec.order_seed;
  for (const StopGate& gate : gates) {
    if (gate.kind == StopGate::Kind::kRegression) return gate.base.substr(0, gate.base.find('#'));
  }
  return "0";
}

Status BindAll(const RunSpec& spec, const Suite& suite, std::optional<std::span<const StopGate>> gates,
               const Design& design, StopRule& rule) {
  for (const std::string& question : spec.until) {
    if (const Status bound = Bind(question, suite, rule); !bound)
      return Refused(fmt::format("--until {}: {}", question, bound.error().message));
  }
  if (!gates && AsksGate(spec)) BindGatesToCome(suite, rule);
  for (const StopGate& gate : rule.gates) {
    if (!LiesWithin(gate, *design.range))
      return Refused(
          fmt::format("--until gate: the scores of {} lie outside of the suite's range", gate.base));
    BoundQuestion question = BindGate(gate, design, spec.look_every, rule);
    if (question.kind != BoundQuestion::Kind::kGate || question.cases->table.units() > 0)
      rule.questions.push_back(std::move(question));
    if (gate.kind == StopGate::Kind::kFlips) rule.pass = gate.pass;
  }
  return Ok();
}

// The first question, for messages about all of them.
std::string FirstQuestion(const RunSpec& spec) {
  return spec.until.empty() ? "--early" : "--until " + spec.until.front();
}

}  // namespace

bool StopRule::IsCertain() const {
  return std::all_of(questions.begin(), questions.end(),
                     [](const BoundQuestion& question) { return question.IsCertain(); });
}

Result<std::optional<StopRule>> StopRuleOf(const Suite& suite, const RunSpec& spec,
                                           std::optional<std::span<const StopGate>> gates) {
  const std::span<const StopGate> kept = gates.value_or(std::span<const StopGate>());
  if (spec.until.empty() && kept.empty()) return std::optional<StopRule>();
  const auto refused = [&](std::string_view why) {
    return Refused(fmt::format("{}: {}", FirstQuestion(spec), why));
  };
  if (!suite.score_bounds.are_known || suite.score_bounds.low >= suite.score_bounds.high)
    return refused("scores without a range cannot be stopped early");
  const bool can_be =
      std::all_of(kept.begin(), kept.end(), [&suite](const StopGate& gate) { return CanBeOf(suite, gate); });
  if (!can_be) return Error{ErrorCode::kCorrupt, "the gates that the run keeps are not of its suite"};
  const std::vector<std::uint32_t> clusters = ClustersOf(suite.cases);
  std::vector<double> weights;
  for (const Case& one : suite.cases) weights.push_back(WeightOf(one));
  const Design design{.weights = weights,
                      .clusters = clusters,
                      .range = ScoreRange{suite.score_bounds.low, suite.score_bounds.high}};
  const std::string seed = SeedOf(spec, kept);
  const std::vector<std::uint32_t> order = AskingOrder(suite, clusters, seed);
  StopRule rule{.table = UnitTable(suite.cases.size(), design, OrderOfTable(spec, kept, order)),
                .places = {},
                .asking = {},
                .questions = {},
                .names = SpokenNames(suite),
                .seed = seed,
                .promise = spec.promise == "world" ? Promise::kWorld : Promise::kSuite,
                .is_chosen = !ChoiceOf(spec).empty(),
                .gates = {kept.begin(), kept.end()}};
  if (rule.table.units() == 0) return refused("no case has weight");
  rule.asking = WholeOrder(rule.table, order, suite.cases.size());
  if (spec.within) rule.within = *spec.within / kPointsPerScore;
  rule.batch = spec.look_every.value_or(UnitsPerLook(rule.table.units()));
  rule.places = LookPlaces(rule.table.units(), rule.batch);
  if (rule.places.size() > kLooksMax)
    return refused(fmt::format("--look-every {} makes more than {} looks", rule.batch, kLooksMax));
  rule.weights = weights;
  ASSAY_CHECK_OK(BindAll(spec, suite, gates, design, rule));
  if (rule.questions.empty()) return std::optional<StopRule>();
  return std::optional(std::move(rule));
}

}  // namespace assay
