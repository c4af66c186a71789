// similar: how near the embedding of the output is to that of a text, or to the nearest of several.
//   cosine, dot   at least the threshold, 0.75 without one
//   euclidean     a distance of at most the threshold; the score is 1 / (1 + distance)
//   list          any of them (negated: all)
#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "checks/promptfoo/families.h"
#include "checks/promptfoo/models/vectors.h"
#include "text/javascript/number.h"

namespace assay::promptfoo {
namespace {

constexpr double kNearThreshold = 0.75;
constexpr double kRounding = std::numeric_limits<double>::epsilon();
using Vector = std::vector<double>;

enum class Measure { kCosine, kDot, kDistance };

Measure MeasureOf(std::string_view type) {
  if (type.ends_with(":dot")) return Measure::kDot;
  if (type.ends_with(":euclidean")) return Measure::kDistance;
  return Measure::kCosine;
}

double Measured(Measure measure, const Vector& a, const Vector& b) {
  if (measure == Measure::kDistance) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
  }
  return measure == Measure::kDot ? DotProduct(a, b) : Cosine(a, b);
}

Result<const Vector*> EmbeddingOf(const AssertionCall& call, std::string_view text) {
  if (const Vector* found = FindEmbedding(call.input, text)) return found;
  return Error{ErrorCode::kNotFound, "there is no embedding of this text"};
}

// The verdict on one text. At the threshold itself both the assertion and its negation pass.
AssertionResult Compare(const AssertionCall& call, Measure measure, double found,
                        const Threshold& threshold) {
  const bool is_distance = measure == Measure::kDistance;
  const double over = is_distance ? threshold.number - found : found - threshold.number;
  const bool pass = call.negated() ? over <= kRounding : over >= -kRounding;
  const bool is_near = pass != call.negated();
  const double near = is_distance ? 1 / (1 + found) : found;
  const std::string_view relation = is_distance ? is_near ? "less than or equal to" : "greater than"
                                    : is_near   ? "greater than or equal to"
                                                : "less than";
  return {pass, call.negated() ? 1 - near : near,
          fmt::format("{} {} is {} threshold {}", is_distance ? "Distance" : "Similarity",
                      JsToFixed(found, 2), relation, threshold.text)};
}

Result<AssertionResult> CompareWith(const AssertionCall& call, std::string_view wanted) {
  if (!call.input.embedding_error.empty()) return AssertionResult{false, 0, call.input.embedding_error};
  ASSAY_TRY(const Vector* a, EmbeddingOf(call, wanted));
  ASSAY_TRY(const Vector* b, EmbeddingOf(call, call.text));
  if (a->size() != b->size())
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("the embeddings have {} and {} numbers: expected as many", a->size(), b->size())};
  const Measure measure = MeasureOf(call.assertion.type);
  return Compare(call, measure, Measured(measure, *a, *b), ThresholdOr(call.assertion, kNearThreshold));
}

}  // namespace

const std::vector<double>* FindEmbedding(const AssertionInput& input, std::string_view text) {
  if (input.embeddings == nullptr) return nullptr;
  const auto found = input.embeddings->find(text);
  return found == input.embeddings->end() ? nullptr : &found->second;
}

double DotProduct(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double Cosine(const Vector& a, const Vector& b) {
  const double lengths = std::sqrt(DotProduct(a, a)) * std::sqrt(DotProduct(b, b));
  return lengths == 0 ? 0 : DotProduct(a, b) / lengths;
}

Result<AssertionResult> RunSimilar(const AssertionCall& call) {
  if (call.value.is_string()) return CompareWith(call, call.value.AsString());
  ASSAY_TRY(const std::vector<std::string> wanted, TextsOf(call));
  AssertionResult best{false, 0, "None of the provided values met the similarity threshold"};
  std::optional<double> score;
  for (const std::string& text : wanted) {
    ASSAY_TRY(AssertionResult result, CompareWith(call, text));
    // The first value that passes decides; if negated, the first that fails.
    if (result.pass != call.negated()) return result;
    if (!score || (call.negated() ? result.score < *score : result.score > *score)) {
      score = result.score;
      if (call.negated()) best = std::move(result);
    }
  }
  best.score = *score;
  return best;
}

}  // namespace assay::promptfoo
