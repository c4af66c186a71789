// Binds questions to variants, and puts cases into the order of their units.
#include "report/decide/until/stop_rule.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/aggregate.h"
#include "report/decide/factors.h"
#include "report/decide/standings.h"
#include "report/values/runs.h"
#include "spec/run/until.h"
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
  }
  return Ok();
}

}  // namespace

Result<std::optional<StopRule>> StopRuleOf(const Suite& suite, const RunSpec& spec) {
  if (spec.until.empty()) return std::optional<StopRule>();
  const auto refused = [&](std::string_view question, std::string_view why) {
    return Refused(fmt::format("--until {}: {}", question, why));
  };
  if (!suite.score_bounds.are_known || suite.score_bounds.low >= suite.score_bounds.high)
    return refused(spec.until.front(), "scores without a range cannot be stopped early");
  const std::vector<std::uint32_t> clusters = ClustersOf(suite.cases);
  std::vector<double> weights;
  for (const Case& one : suite.cases) weights.push_back(WeightOf(one));
  const Design design{.weights = weights,
                      .clusters = clusters,
                      .range = ScoreRange{suite.score_bounds.low, suite.score_bounds.high}};
  const std::string seed = spec.order_seed.empty() ? "0" : spec.order_seed;
  StopRule rule{.table = UnitTable(suite.cases.size(), design, AskingOrder(suite, clusters, seed)),
                .places = {},
                .questions = {},
                .names = SpokenNames(suite),
                .seed = seed,
                .promise = spec.promise == "world" ? Promise::kWorld : Promise::kSuite,
                .is_chosen = !ChoiceOf(spec).empty()};
  if (rule.table.units() == 0) return refused(spec.until.front(), "no case has weight");
  if (spec.within) rule.within = *spec.within / kPointsPerScore;
  rule.batch = spec.look_every.value_or(UnitsPerLook(rule.table.units()));
  rule.places = LookPlaces(rule.table.units(), rule.batch);
  if (rule.places.size() > kLooksMax)
    return refused(spec.until.front(),
                   fmt::format("--look-every {} makes more than {} looks", rule.batch, kLooksMax));
  for (const std::string& question : spec.until) {
    if (const Status bound = Bind(question, suite, rule); !bound)
      return refused(question, bound.error().message);
  }
  return std::optional(std::move(rule));
}

}  // namespace assay
