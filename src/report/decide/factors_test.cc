// Tests of factors: what a parameter does, over variants that are equal in the rest.
#include "report/decide/factors.h"

#include <doctest/doctest.h>

#include "spec/suite/suite.h"

namespace assay {
namespace {

Variant Asked(std::string model, double temperature, std::optional<std::string> system) {
  Variant variant;
  variant.provider = "p";
  variant.model = std::move(model);
  variant.params.temperature = temperature;
  variant.system = std::move(system);
  return variant;
}

// Two models at two temperatures, the second temperature always 0.1 below; one variant stands alone.
struct TwoByTwo {
  Suite suite;
  CaseScores scores;
  TwoByTwo() {
    suite.variants = {Asked("a", 0, {}), Asked("a", 0.8, {}), Asked("b", 0, {}), Asked("b", 0.8, {}),
                      Asked("c", 0, "Be brief.")};
    scores.range = ScoreRange{};
    const double levels[] = {0.9, 0.8, 0.5, 0.4, 1};
    for (const double level : levels) {
      Sample& sample = scores.samples.emplace_back();
      for (int i = 0; i < 10; ++i) {
        const double value = level - 0.02 * (i % 3) - (level == 0.8 || level == 0.4 ? 0.01 * (i % 2) : 0);
        sample.Add(std::span(&value, 1));
      }
    }
  }
};

TEST_CASE("each level against the first, over the pairs that differ in nothing else") {
  const TwoByTwo run;
  const std::vector<FactorEffect> effects = FactorEffects(run.suite, run.scores);
  REQUIRE(effects.size() == 1);  // the system prompt has no pair: no model was asked with it and without
  CHECK(effects[0].factor == "temperature");
  CHECK(effects[0].pairs == 2);
  CHECK(*effects[0].paired.difference == doctest::Approx(-0.105));
  CHECK(effects[0].sentence.starts_with("temperature 0 leads temperature 0.8 by 10.5 points"));
}

TEST_CASE("the parameters that vary are named, long prompts cut") {
  TwoByTwo run;
  CHECK(VaryingParameters(run.suite)[1] == "temperature 0.8, no system prompt");
  for (Variant& variant : run.suite.variants) variant.model_id = "p:" + variant.model;
  run.suite.variants[1].id = "p:a[temp:0.8]";
  CHECK(SpokenNames(run.suite)[1] == "p:a (temperature 0.8, no system prompt)");
  run.suite.variants.push_back(run.suite.variants[1]);  // differs in what nobody can name
  CHECK(SpokenNames(run.suite)[1] == "p:a[temp:0.8]");
  run.suite.variants.pop_back();
  CHECK(VaryingParameters(run.suite)[4] == "temperature 0, system prompt “Be brief.”");
  run.suite.variants.resize(1);
  CHECK(VaryingParameters(run.suite)[0].empty());
  CHECK(FactorEffects(run.suite, run.scores).empty());
}

TEST_CASE("labels and addresses of the user's own") {
  Suite suite = TwoByTwo().suite;
  for (Variant& variant : suite.variants) variant.model_id = "openai-compatible:" + variant.model;
  CHECK(SpokenNames(suite)[0] == "a (temperature 0, no system prompt)");
  CHECK(ModelsOf(suite).names[0] == "openai-compatible:a");
  CHECK(ModelsOf(suite).spoken[0] == "a");
  suite.variants[0].label = suite.variants[1].label = "Ash";
  suite.variants[4].label = "Elm";
  CHECK(SpokenNames(suite)[1] == "Ash (temperature 0.8, no system prompt)");
  CHECK(SpokenNames(suite)[4] == "Elm");  // tells it all
  CHECK(ModelsOf(suite).spoken == std::vector<std::string>{"Ash", "b", "Elm"});
  suite.variants[1].label = "Ash, warm";
  CHECK(SpokenNames(suite)[0] == "Ash");
  CHECK(ModelsOf(suite).spoken[0] == "a");  // two labels, and neither is the model's
  suite.variants[1].label.clear();
  suite.variants[0].label = "Elm";
  CHECK(ModelsOf(suite).spoken[0] == "a");
  suite.variants[1].label = "Elm";
  CHECK(ModelsOf(suite).spoken == ModelsOf(suite).names);  // one label for two models tells nothing
}

TEST_CASE("a prompt is a factor, whatever else each model is asked with") {
  TwoByTwo run;
  run.suite.variants.pop_back();
  run.scores.samples.pop_back();
  for (std::size_t v = 0; v < 4; ++v) {
    Variant& variant = run.suite.variants[v];
    variant.params.temperature = std::nullopt;
    variant.asking = v % 2 == 0 ? "short" : "long";
    Map details;
    details.Append("promptName", variant.asking);
    variant.details = Value(std::move(details));
  }
  const std::vector<FactorEffect> effects = FactorEffects(run.suite, run.scores);
  REQUIRE(effects.size() == 1);
  CHECK(effects[0].factor == "prompt");
  CHECK(effects[0].pairs == 2);
  CHECK(effects[0].level == "prompt “long”");
  CHECK(VaryingParameters(run.suite)[2] == "prompt “short”");
}

}  // namespace
}  // namespace assay
