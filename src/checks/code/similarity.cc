// Compares the answer with reference texts by ROUGE: `similarity: [{metric, references, min_score?,
// max_score?, weight?}]`.
//   metric      rouge1, rouge2, rougeL or rougeLsum: its F of the reference where that is highest
//   references  texts, or {path} with the file's text as `content`, or `problem` instead of it
//   score       for each metric (F - min_score) / (max_score - min_score), cut to [0, 1], times its weight
//   items       a metric each, with all four F as measures
//   source      InfiBench's evaluator (spec infibench 8); known deviations: none
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "checks/args.h"
#include "checks/code/rouge.h"
#include "checks/graders.h"
#include "checks/program/python_call.h"
#include "spec/suite/check.h"
#include "text/found.h"
#include "text/object.h"
#include "text/python/text.h"

namespace assay {
namespace {

constexpr double kMinScore = 0.3;
constexpr double kMaxScoreOfWords = 0.53;  // rouge1
constexpr double kMaxScore = 0.51;

struct Metric {
  std::size_t rouge = 0;  // index into kRougeNames
  std::vector<RougeReference> references;
  double min_score = kMinScore;
  double max_score = kMaxScore;
  double weight = 1;
};

struct Similarity {
  std::vector<Metric> metrics;
};

Error BadMetric(std::string message, const Value& at) {
  return {.code = ErrorCode::kInvalidInput, .message = std::move(message), .where = at.span};
}

Result<double> NumberMember(const Value& map, std::string_view name, double otherwise, bool takes_texts) {
  const Value* value = map.Find(name);
  if (value == nullptr) return otherwise;
  const std::optional<double> number =
      value->is_string() && !takes_texts ? std::nullopt : PythonFloat(*value);
  if (!number || !std::isfinite(*number)) {
    return BadMetric(fmt::format("{} must be a number, found {}", name, KindName(*value)), *value);
  }
  return *number;
}

Status ReadReferences(const Value& map, Metric& metric) {
  const Value* references = map.Find("references");
  const std::optional<List> items = references == nullptr ? std::nullopt : PythonItems(*references);
  if (!items || items->empty()) return BadMetric("expected a list of references with at least one text", map);
  for (const Value& item : *items) {
    if (const std::string* problem = FindText(item, "problem")) return BadMetric(*problem, item);
    const std::string* text = FindOwnText(item, "content");
    if (text == nullptr) {
      return BadMetric(fmt::format("a reference must be a text or {{path}}, found {}", KindName(item)), item);
    }
    metric.references.emplace_back(*text);
  }
  return Ok();
}

Result<Metric> ReadMetric(const Value& map) {
  const auto* found = std::find(kRougeNames.begin(), kRougeNames.end(), map.TextAt("metric"));
  if (found == kRougeNames.end()) return BadMetric("metric must be rouge1, rouge2, rougeL or rougeLsum", map);
  Metric metric;
  metric.rouge = static_cast<std::size_t>(found - kRougeNames.begin());
  ASSAY_TRY(metric.min_score, NumberMember(map, "min_score", kMinScore, true));
  ASSAY_TRY(metric.max_score,
            NumberMember(map, "max_score", metric.rouge == 0 ? kMaxScoreOfWords : kMaxScore, true));
  ASSAY_TRY(metric.weight, NumberMember(map, "weight", 1, false));
  if (metric.max_score == metric.min_score) return BadMetric("max_score and min_score must differ", map);
  ASSAY_CHECK_OK(ReadReferences(map, metric));
  return metric;
}

Result<Similarity> ReadSimilarity(const Value& args) {
  if (!args.is_list())
    return BadMetric(fmt::format("expected a list of metrics, found {}", KindName(args)), args);
  Similarity similarity;
  for (const Value& item : args.AsList()) {
    ASSAY_TRY(Metric metric, ReadMetric(item));
    similarity.metrics.push_back(std::move(metric));
  }
  return similarity;
}

Value HarmlessMetric() { return Object{{"metric", kRougeNames[0]}, {"references", List{Value("x")}}}; }

// The highest F of each kind over all references.
std::array<double, 4> BestScores(const Metric& metric, const RougeWords& answer) {
  std::array<double, 4> best{};
  for (const RougeReference& reference : metric.references) {
    const RougeScores scores = reference.Score(answer);
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::max(best[i], scores[i].f);
  }
  return best;
}

Score Grade(const GradeInput& input, const Similarity& similarity, WorkerState&) {
  const RougeWords answer(input.answer.text());
  std::vector<ScoreItem> items;
  double score = 0;
  double total = 0;
  for (const Metric& metric : similarity.metrics) {
    const std::array<double, 4> best = BestScores(metric, answer);
    const double raw = (best[metric.rouge] - metric.min_score) / (metric.max_score - metric.min_score);
    const double normalized = std::max(std::min(raw, 1.0), 0.0);
    score += normalized * metric.weight;
    total += metric.weight;
    ScoreItem& item = items.emplace_back();
    item = {.wanted = std::string(kRougeNames[metric.rouge]),
            .found = fmt::format("{:.3f} with the closest reference", best[metric.rouge]),
            .share = normalized,
            .points = normalized * metric.weight,
            .weight = metric.weight};
    for (std::size_t i = 0; i < best.size(); ++i)
      item.measures.push_back({.name = std::string(kRougeNames[i]), .value = best[i]});
  }
  return ComponentScore(score, total, std::move(items));
}

}  // namespace

CheckArgs ParseSimilarity(const ParseInput& input, Diagnostics& diagnostics) {
  Result<Similarity> similarity = ReadSimilarity(input.check.args);
  if (!similarity) {
    const auto problem_of = [](const Value& args) { return ProblemIn(ReadSimilarity(args)); };
    return UnusableArgs<Similarity>(
        TellEachBroken(input, "", HarmlessMetric(), similarity.error(), problem_of, diagnostics));
  }
  return MakeArgs(std::move(similarity).value());
}

Score GradeSimilarity(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<Similarity, Grade>(input, args, worker);
}

}  // namespace assay
