// Averages of a run, summed in weval's order so that results agree to the last bit.
#include "dialects/blueprint/write/run_statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "dialects/blueprint/lower/load.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/write/sentences.h"
#include "spec/report/statistics.h"
#include "text/object.h"

namespace assay::blueprint {
namespace {

const Value kNoValue;

const Value& Get(const Value& map, std::string_view key) {
  const Value* found = map.Find(key);
  return found != nullptr ? *found : kNoValue;
}

std::optional<double> KnownNumber(const Value& value) {
  if (!value.is_number() || std::isnan(value.AsNumber())) return std::nullopt;
  return value.AsNumber();
}

const Value& SimilarityToIdeal(const ScoreTable& table, const std::string& prompt, const std::string& model) {
  return Get(Get(Get(table.similarities, prompt), model), kIdealBenchmark);
}

const Value& CoverageOf(const ScoreTable& table, const std::string& prompt, const std::string& model) {
  return Get(Get(table.coverage, prompt), model);
}

std::vector<std::string> TextsOf(const Value& list) {
  std::vector<std::string> texts;
  if (!list.is_list()) return texts;
  for (const Value& text : list.AsList()) {
    if (text.is_string()) texts.push_back(text.AsString());
  }
  return texts;
}

// The keys that prompts have in maps: ids that are numbers as their texts.
std::vector<std::string> PromptKeysOf(const ScoreTable& table) {
  std::vector<std::string> keys;
  if (!table.prompt_ids.is_list()) return keys;
  for (const Value& id : table.prompt_ids.AsList()) keys.push_back(JsText(id));
  return keys;
}

std::vector<std::string> ModelsOf(const ScoreTable& table) {
  std::vector<std::string> models = TextsOf(table.effective_models);
  std::erase(models, kIdealBenchmark);
  return models;
}

Value NumberOrNull(std::optional<double> number) { return OrNull(number); }

Value AverageAndDeviation(std::optional<double> average, const std::vector<double>& values) {
  return Object{{"average", NumberOrNull(average)},
                {"stddev", NumberOrNull(SampleStandardDeviation(values))}};
}

std::optional<double> PlainAverage(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional<double>(Mean(values));
}

// One model's known scores over the prompts.
struct ModelScores {
  std::vector<double> hybrid, similarity, coverage;
  double weighted = 0;
  double weight = 0;

  std::optional<double> HybridAverage(bool is_weighted) const {
    if (!is_weighted) return PlainAverage(hybrid);
    return weight > 0 ? std::optional<double>(weighted / weight) : std::nullopt;
  }
};

ModelScores ScoresOf(const ScoreTable& table, const std::string& model) {
  ModelScores scores;
  for (const std::string& prompt : PromptKeysOf(table)) {
    const Value& entry = CoverageOf(table, prompt, model);
    const Value& coverage = Get(entry, "avgCoverageExtent");
    const Value& similarity = SimilarityToIdeal(table, prompt, model);
    if (const auto hybrid = HybridScore(similarity, coverage)) {
      const auto found = table.prompt_weights.find(prompt);
      const double weight = found != table.prompt_weights.end() ? found->second : 1;
      scores.hybrid.push_back(*hybrid);
      scores.weighted += *hybrid * weight;
      scores.weight += weight;
    }
    if (const auto known = KnownNumber(similarity)) scores.similarity.push_back(*known);
    if (const auto known = KnownNumber(coverage); known && entry.Find("error") == nullptr) {
      scores.coverage.push_back(*known);
    }
  }
  return scores;
}

Value TemperatureOf(const Value& config) {
  const Value& temperature = Get(config, "temperature");
  return temperature.is_nullish() ? Value(0.0) : temperature;
}

std::size_t SizeOf(const Value& list) { return list.is_list() ? list.AsList().size() : 0; }

// The blueprint's tags, then the topics that the executive summary found.
Value TagsOf(const Value& comparison) {
  const Value& own = Get(Get(comparison, "config"), "tags");
  const Value& found = Get(Get(Get(comparison, "executiveSummary"), "structured"), "autoTags");
  if (!found.is_list()) return own;
  List tags = own.is_list() ? own.AsList() : List();
  for (const std::string& topic : TextsOf(found)) {
    const Value tag(NormaliseTag(topic));
    const auto same = [&](const Value& other) { return SameValue(other, tag); };
    if (std::none_of(tags.begin(), tags.end(), same)) tags.push_back(tag);
  }
  return tags;
}

Value RunEntry(const Value& comparison) {
  const Value& config = Get(comparison, "config");
  const ScoreTable table = TableOf(comparison);
  const Value& label = Get(comparison, "runLabel");
  const Value& timestamp = Get(comparison, "timestamp");
  const auto text = [](const Value& value) { return value.is_string() ? value.AsString() : std::string(); };
  return Object{{"runLabel", label},
                {"timestamp", timestamp},
                {"fileName", text(label) + "_" + text(timestamp) + "_comparison.json"},
                {"temperature", TemperatureOf(config)},
                {"numPrompts", SizeOf(table.prompt_ids)},
                {"numModels", SizeOf(table.effective_models)},
                {"totalModelsAttempted", SizeOf(Get(config, "models"))},
                {"hybridScoreStats", RunAverage(table, SumOrder::kByPrompt)},
                {"perModelScores", ScoresPerModel(table)},
                {"tags", TagsOf(comparison)},
                {"models", table.effective_models},
                {"promptIds", table.prompt_ids}};
}

// The runs of both, newest first; timestamps compare as texts.
List MergeRuns(const Value& existing, const Value& comparison) {
  List runs;
  const Value& before = Get(existing, "runs");
  if (before.is_list()) runs = before.AsList();
  const auto same = [&](const Value& run) {
    return SameValue(Get(run, "runLabel"), Get(comparison, "runLabel")) &&
           SameValue(Get(run, "timestamp"), Get(comparison, "timestamp"));
  };
  if (std::none_of(runs.begin(), runs.end(), same)) runs.push_back(RunEntry(comparison));
  const auto stamp = [](const Value& run) {
    const Value& timestamp = Get(run, "timestamp");
    return timestamp.is_string() ? std::string_view(timestamp.AsString()) : std::string_view();
  };
  std::stable_sort(runs.begin(), runs.end(),
                   [&](const Value& a, const Value& b) { return stamp(a) > stamp(b); });
  return runs;
}

}  // namespace

std::optional<double> HybridScore(const Value& similarity, const Value& coverage) {
  if (const auto known = KnownNumber(coverage)) return std::max(0.0, *known);
  if (const auto known = KnownNumber(similarity)) return std::max(0.0, *known);
  return std::nullopt;
}

Value RunAverage(const ScoreTable& table, SumOrder order) {
  const std::vector<std::string> models = ModelsOf(table);
  const std::vector<std::string> prompts = PromptKeysOf(table);
  const bool by_model = order == SumOrder::kByModel;
  std::vector<double> values;
  for (const std::string& outer : by_model ? models : prompts) {
    for (const std::string& inner : by_model ? prompts : models) {
      const std::string& model = by_model ? outer : inner;
      const std::string& prompt = by_model ? inner : outer;
      const Value& entry = CoverageOf(table, prompt, model);
      const Value& coverage = entry.Find("error") == nullptr ? Get(entry, "avgCoverageExtent") : kNoValue;
      const auto hybrid = HybridScore(SimilarityToIdeal(table, prompt, model), coverage);
      if (hybrid) values.push_back(*hybrid);
    }
  }
  return AverageAndDeviation(PlainAverage(values), values);
}

Value HybridPerModel(const ScoreTable& table) {
  Map map;
  for (const std::string& model : ModelsOf(table)) {
    const ModelScores scores = ScoresOf(table, model);
    map.Set(model, AverageAndDeviation(scores.HybridAverage(!table.prompt_weights.empty()), scores.hybrid));
  }
  return map;
}

Value ScoresPerModel(const ScoreTable& table) {
  Map map;
  for (const std::string& model : ModelsOf(table)) {
    const ModelScores scores = ScoresOf(table, model);
    map.Set(model,
            Object{{"hybrid",
                    AverageAndDeviation(scores.HybridAverage(!table.prompt_weights.empty()), scores.hybrid)},
                   {"similarity", AverageAndDeviation(PlainAverage(scores.similarity), scores.similarity)},
                   {"coverage", AverageAndDeviation(PlainAverage(scores.coverage), scores.coverage)}});
  }
  return map;
}

ScoreTable TableOf(const Value& comparison) {
  const Value& results = Get(comparison, "evaluationResults");
  ScoreTable table{Get(comparison, "effectiveModels"),
                   Get(comparison, "promptIds"),
                   Get(results, "perPromptSimilarities"),
                   Get(results, "llmCoverageScores"),
                   {}};
  const Value& prompts = Get(Get(comparison, "config"), "prompts");
  if (!prompts.is_list()) return table;
  for (const Value& prompt : prompts.AsList()) {
    const Value& id = Get(prompt, "id");
    const auto weight = KnownNumber(Get(prompt, "weight"));
    if ((id.is_string() || id.is_number()) && weight) table.prompt_weights.emplace(JsText(id), *weight);
  }
  return table;
}

Value AddToSummary(const Value& existing, const Value& comparison) {
  const Value& config = Get(comparison, "config");
  const List runs = MergeRuns(existing, comparison);
  std::vector<double> averages;
  for (const Value& run : runs) {
    if (const auto average = KnownNumber(Get(Get(run, "hybridScoreStats"), "average")))
      averages.push_back(*average);
  }
  Map summary = Object{{"configId", Get(comparison, "configId")},
                       {"configTitle", Get(comparison, "configTitle")},
                       {"id", Get(comparison, "configId")},
                       {"title", Get(comparison, "configTitle")}};
  for (const char* key : {"description", "author", "references"}) summary.Append(key, Get(config, key));
  const Value latest = Get(runs.front(), "timestamp");
  Extend(summary, {{"runs", runs},
                   {"latestRunTimestamp", latest},
                   {"tags", TagsOf(comparison)},
                   {"overallAverageHybridScore", NumberOrNull(PlainAverage(averages))},
                   {"hybridScoreStdDev", NumberOrNull(SampleStandardDeviation(averages))}});
  return summary;
}

}  // namespace assay::blueprint
