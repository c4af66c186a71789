// Tells results as a score: its value and verdict, its members as items, and what else they name as a remark.
#include "checks/promptfoo/row/scores.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/errors/diagnostics.h"
#include "checks/promptfoo/table.h"
#include "text/javascript/values.h"
#include "text/object.h"

namespace assay::promptfoo {
namespace {

// What a store keeps of a number that is meant to be a share.
constexpr double kFarthest = 1e9;
double Storable(double number) { return std::clamp(number, -kFarthest, kFarthest); }

Value NamesWithScores(const AssertionResult& result) {
  Map named;
  for (const auto& [name, score] : result.named_scores) named.Set(name, Value(score));
  return named.empty() ? Value() : Value(std::move(named));
}

// The score before it was limited to its bounds; undefined if no limit changed it.
Value RawOf(const AssertionResult& result) {
  if (result.raw_score) return std::isfinite(*result.raw_score) ? Value(*result.raw_score) : Value();
  const bool is_cut = std::isfinite(result.score) && std::abs(result.score) > kFarthest;
  return is_cut ? Value(result.score) : Value();
}

std::string WantedWords(const Assertion& assertion) {
  const Value& value = assertion.value;
  if (value.is_undefined()) return assertion.type;
  return fmt::format("{}: {}", assertion.type, Quoted(value.is_string() ? value.AsString() : JsJson(value)));
}

ScoreItem ItemOfMember(const Assertion& assertion, const AssertionResult& result) {
  ScoreItem item;
  item.wanted = WantedWords(assertion);
  item.sentence = result.reason;
  item.share = std::isnan(result.score) ? 0 : std::clamp(result.score, 0.0, 1.0);
  item.weight = Storable(assertion.weight);
  item.points = item.share * item.weight;
  return item;
}

Score ScoreOfOne(const AssertionResult& result, List components) {
  Score score = Score::Of(Storable(result.score));
  score.verdict = result.pass;
  score.explanation = result.reason;
  for (const AssertionResult& part : result.components)
    components.emplace_back(Object{{"pass", part.pass}, {"score", part.score}, {"reason", part.reason}});
  Map remark = Object{{"named_scores", NamesWithScores(result)},
                      {"components", components.empty() ? Value() : Value(std::move(components))},
                      {"raw", RawOf(result)}};
  if (!remark.empty()) score.remark = Value(std::move(remark));
  return score;
}

}  // namespace

Score ScoreOfResults(const AssertionRule& rule, const std::vector<AssertionResult>& results,
                     const AssertionInput& input) {
  if (!rule.is_set()) return ScoreOfOne(results.front(), {});
  const Result<TestResult> total = AddUp(rule.test, results, input);
  if (!total) return Score::Failure(total.error().message);
  const std::vector<const Assertion*> members = rule.test.Leaves();
  List components;
  std::vector<ScoreItem> items;
  for (std::size_t i = 0; i < members.size(); ++i) {
    components.emplace_back(Object{{"type", members[i]->type},
                                   {"pass", results[i].pass},
                                   {"score", results[i].score},
                                   {"reason", results[i].reason},
                                   {"named_scores", NamesWithScores(results[i])},
                                   {"raw", RawOf(results[i])}});
    items.push_back(ItemOfMember(*members[i], results[i]));
  }
  // The set stands before its members.
  Score score = ScoreOfOne(total->components.front().result, std::move(components));
  score.items = std::move(items);
  return score;
}

}  // namespace assay::promptfoo
