// Tests of the table of models: which row fits, what the user's own facts change, and that the rows are
// sound.
#include "providers/facts/model_facts.h"

#include <doctest/doctest.h>

#include <string>

#include "providers/facts/output_max.h"

namespace assay {
namespace {

TEST_CASE("a price is found by the longest fitting name, for brokers by the vendor's") {
  struct Row {
    std::string_view provider;
    std::string_view model;
    std::optional<double> input_usd;
  };
  const Row rows[] = {
      {"openai", "gpt-4o", 2.5},
      {"openai", "gpt-4o-2024-08-06", 2.5},
      {"openai", "gpt-4o-mini", 0.15},
      {"openai", "gpt-4o-mini-2024-07-18", 0.15},
      {"openai", "gpt-4o-audio-preview", std::nullopt},
      {"openai", "gpt-6-of-next-year", std::nullopt},
      {"google", "gemini-2.5-flash-lite", 0.1},
      {"google", "gemini-2.5-flash", 0.3},
      {"anthropic", "claude-opus-5", 5},
      {"anthropic", "claude-opus-5-5", 4},
      {"openrouter", "openai/gpt-4.1-mini", 0.4},
      {"openrouter", "anthropic/claude-haiku-4.5", 1},
      {"openrouter", "openai/gpt-4.1-mini:free", std::nullopt},
      {"openrouter", "nobody/gpt-4o", std::nullopt},
      {"openrouter", "gpt-4o", std::nullopt},
      {"azure-openai", "gpt-4o", std::nullopt},
      {"echo", "anything", 0},
      {"openai", "", std::nullopt},
      {"", "gpt-4o", std::nullopt},
  };
  const ModelBook book;
  for (const Row& row : rows) {
    CAPTURE(row.model);
    const std::optional<Price> price = book.PriceOf(row.provider, row.model);
    REQUIRE(price.has_value() == row.input_usd.has_value());
    if (price) CHECK(price->input_usd == *row.input_usd);
  }
}

TEST_CASE("what a model takes and how it thinks is known by its family") {
  struct Row {
    std::string_view provider;
    std::string_view model;
    bool temperature;
    bool not_both;
    bool thinks_unasked;
    bool responses_only;
  };
  const Row rows[] = {
      {"anthropic", "claude-haiku-4-5-20251001", true, true, false, false},
      {"anthropic", "claude-sonnet-4-20250514", true, false, false, false},
      {"anthropic", "claude-opus-4-7", false, false, false, false},
      {"anthropic", "claude-sonnet-5", false, false, true, false},
      {"anthropic", "claude-sonnet-5-5", false, false, true, false},
      {"google", "gemini-2.0-flash", true, false, false, false},
      {"google", "gemini-2.5-pro", true, false, true, false},
      {"google", "gemini-3.8-flash", false, false, true, false},
      {"openai", "gpt-4o-mini", true, false, false, false},
      {"openai", "gpt-5", false, false, true, false},
      {"openai", "gpt-5.1", true, false, false, false},
      {"openai", "gpt-6-sol", false, false, true, false},
      {"openai", "o3-pro", false, false, true, true},
      {"openai", "gpt-5-codex", false, false, true, true},
      {"openrouter", "anthropic/claude-opus-4.8:thinking", false, false, false, false},
      {"openrouter", "openai/gpt-5-codex", false, false, true, false},
      // A deployment that has a model's name.
      {"azure-openai", "gpt-5-mini", false, false, true, false},
      {"azure-openai", "gpt-5-codex", false, false, true, true},
      {"anthropic", "claude-opus-7", false, false, true, false},
      {"anthropic", "claude-of-tomorrow", true, false, false, false},
      {"google", "gemini-flash-latest", false, false, true, false},
      {"deepseek", "deepseek-v4-pro", true, false, true, false},
      {"xai", "grok-4.20-non-reasoning", true, false, false, false},
      {"xai", "grok-4.7", true, false, true, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model);
    const std::optional<ModelFacts> facts = FindModelFacts(row.provider, row.model);
    REQUIRE(facts.has_value());
    CHECK(facts->sampling.temperature == row.temperature);
    CHECK(facts->sampling.top_p == row.temperature);
    CHECK(facts->sampling.not_both == row.not_both);
    CHECK(facts->ThinksUnasked() == row.thinks_unasked);
    CHECK((facts->thinking_room > 0) == row.thinks_unasked);
    CHECK(facts->responses_only == row.responses_only);
  }
  CHECK_FALSE(FindModelFacts("openai", "davinci").has_value());
  // What speaks or draws is not the model whose name it begins with.
  CHECK_FALSE(FindModelFacts("google", "gemini-2.5-flash-preview-tts").has_value());
  CHECK_FALSE(FindModelFacts("google", "gemini-2.5-flash-image").has_value());
  CHECK_FALSE(FindModelFacts("openai", "gpt-4o-mini-2024-audio").has_value());
  CHECK(FindModelFacts("openai", "gpt-5-pro")->efforts == "high");
}

TEST_CASE("the user's own word comes before the table, the longest name last") {
  const ModelBook book({{.model = "openai:gpt-4o*", .price = Price{.input_usd = 1, .output_usd = 2}},
                        {.model = "openai:gpt-4o-mini", .price = Price{.input_usd = 3, .output_usd = 4}},
                        {.model = "custom:mine", .price = Price{.input_usd = 5, .output_usd = 6}},
                        {.model = "openai:gpt-4o*", .temperature = false, .output_max = 5},
                        {.model = "ollama:qwen*", .thinking_room = 9'000, .keeps_think_tags = true}});
  CHECK(book.PriceOf("openai", "gpt-4o-2024-11-20")->input_usd == 1);
  CHECK(book.PriceOf("openai", "gpt-4o-mini")->input_usd == 3);
  CHECK(book.PriceOf("custom", "mine")->output_usd == 6);
  CHECK(book.PriceOf("openai", "gpt-5")->input_usd == 1.25);
  CHECK_FALSE(book.PriceOf("custom", "other").has_value());
  const ModelFacts mini = book.Find("openai", "gpt-4o-mini").value();
  CHECK_FALSE(mini.sampling.temperature);
  CHECK(mini.sampling.top_p);
  CHECK(mini.output_max == 5);
  const ModelFacts qwen = book.Find("ollama", "qwen3:8b").value();
  CHECK(qwen.keeps_think_tags);
  CHECK(qwen.ThinksUnasked());
  CHECK(qwen.thinking_room == 9'000);
  CHECK(qwen.price->input_usd == 0);
}

TEST_CASE("a reply is bounded by the request, the codec, or the vendor's word") {
  const auto bound = [](std::string provider, std::string model, std::optional<std::int64_t> max_tokens) {
    ModelRequest request;
    request.provider = std::move(provider);
    request.model = std::move(model);
    request.params.max_tokens = max_tokens;
    return OutputTokensMax(request);
  };
  CHECK(bound("openai", "gpt-4o", 77) == 77);
  CHECK(bound("openai", "gpt-4o", {}) == 1'500);
  CHECK(bound("openrouter", "openai/gpt-4.1-mini", {}) == 32'768);
  CHECK(bound("openrouter", "somebody/else", {}) == kAssumedOutputMax);
  ModelRequest custom;
  custom.provider = "custom";
  custom.model = "m";
  custom.custom = Value(Map{});
  Map parameters;
  parameters.Append("max_tokens", Value(Null{}));
  custom.custom.AsMap().Append("parameters", Value(parameters));
  CHECK(OutputTokensMax(custom) == kAssumedOutputMax);
}

TEST_CASE("only a model that is really told not to think has no room for it") {
  const struct {
    std::string_view provider, model;
    std::int64_t room;
  } rows[] = {
      {"xai", "grok-4.3", 26'500},
      {"together", "moonshotai/Kimi-K3", 26'500},
      {"groq", "openai/gpt-oss-120b", 26'500},
      {"openai", "gpt-5-codex", 26'500},
      {"openai", "gpt-5.5", 0},
      {"anthropic", "claude-sonnet-5", 0},
      {"google", "gemini-2.5-flash", 0},
      {"openai", "gpt-4o", 0},
  };
  for (const auto& row : rows) {
    CAPTURE(row.model);
    ModelRequest request;
    request.provider = row.provider;
    request.model = row.model;
    request.params.effort = "none";
    CHECK(RoomOf(request, FindModelFacts(row.provider, row.model)) == row.room);
  }
}

TEST_CASE("clouds have the models of their makers, at their price where no region is chosen") {
  const auto price_of = [](std::string_view provider, std::string_view model) {
    const std::optional<ModelFacts> facts = FindModelFacts(provider, model);
    REQUIRE(facts.has_value());
    return facts->price ? facts->price->output_usd : -1;
  };
  CHECK(price_of("vertex", "claude-haiku-4-5@20251001") == 5);
  CHECK(price_of("vertex", "gemini-2.5-flash") == 2.5);
  CHECK(price_of("bedrock", "anthropic.claude-haiku-4-5-20251001-v1:0") == 5);
  CHECK(price_of("bedrock", "global.anthropic.claude-haiku-4-5-20251001-v1:0") == 5);
  CHECK(price_of("bedrock", "us.anthropic.claude-haiku-4-5-20251001-v1:0") == -1);
  CHECK(price_of("bedrock", "amazon.nova-lite-v1:0") == 0.24);
  CHECK(FindModelFacts("vertex", "claude-opus-5-5")->sampling.temperature == false);
  CHECK(FindModelFacts("bedrock", "us.anthropic.claude-haiku-4-5-20251001-v1:0")->cache_min_tokens == 0);
  CHECK(!FindModelFacts("bedrock", "meta.llama3-3-70b-instruct-v1:0"));
}

TEST_CASE("what is kept for an hour has its maker's factor, whoever says the price") {
  CHECK(FindModelFacts("anthropic", "claude-haiku-4-5")->price->hour_write_factor == 2);
  CHECK(FindModelFacts("openrouter", "anthropic/claude-haiku-4.5")->price->hour_write_factor == 2);
  CHECK(FindModelFacts("openai", "gpt-5")->price->hour_write_factor == 0);
  OwnFacts own{.model = "anthropic:mine"};
  own.price = Price{.input_usd = 1, .output_usd = 2};
  CHECK(ModelBook({own}).PriceOf("anthropic", "mine")->hour_write_factor == 2);
  own.price->hour_write_factor = 3;
  CHECK(ModelBook({own}).PriceOf("anthropic", "mine")->hour_write_factor == 3);
}

TEST_CASE("tiers and tools have the user's price, each by itself, the narrowest row's") {
  OwnFacts all{.model = "openai:*"};
  all.tiers = {{"flex", 0.4}, {"batchy", 3}};
  all.tools_usd = {{"web_search", 0.5}};
  OwnFacts one{.model = "openai:gpt-4.1"};
  one.tiers = {{"flex", 0.1}};
  const ModelBook book({all, one});
  CHECK(book.TierFactor("openai", "gpt-4.1", "flex") == 0.1);
  CHECK(book.TierFactor("openai", "gpt-5", "flex") == 0.4);
  CHECK(book.TierFactor("openai", "gpt-5", "batchy") == 3);
  CHECK(book.TierFactor("openai", "gpt-5", "priority") == 2);
  CHECK(book.TierFactor("azure-openai", "gpt-5", "flex") == 0.5);
  CHECK(book.TierFactor("google", "gemini-3", "none such") == 1);
  CHECK(book.TiersOf("openai", "gpt-4.1") == OwnShares{{"batchy", 3}, {"flex", 0.1}, {"priority", 2}});
  CHECK(book.ToolsOf("openai", "gpt-5") == OwnShares{{"file_search", 0.0025}, {"web_search", 0.5}});
  Usage usage{.known = true};
  usage.billing.tools_nano_usd = 12;
  book.PriceTools("openai", "gpt-5", usage);
  CHECK(usage.billing.tools_nano_usd == 12);  // of no use that it knows of
  usage.billing.tool_uses = {{"openai", "web_search", 2}, {"openai", "file_search", 1}};
  ModelBook().PriceTools("openai", "gpt-5", usage);
  CHECK(usage.billing.tools_nano_usd == 12);
  book.PriceTools("openai", "gpt-5", usage);
  CHECK(usage.billing.tools_nano_usd == 1'002'500'000);
  CHECK(book.PriceOf("openai", "gpt-4.1")->input_usd == 2);  // the table's own
}

TEST_CASE("every row can be reached, none is below zero, and no two are the same") {
  for (const ModelRow& row : ModelTable()) {
    CAPTURE(row.model);
    std::string id(row.model);
    if (id.ends_with('*')) id.back() = '~';
    const std::optional<ModelFacts> found = FindModelFacts(row.provider, id);
    REQUIRE(found.has_value());
    CHECK(found->efforts == row.facts.efforts);
    CHECK((found->thinking_room > 0) == found->ThinksUnasked());
    CHECK((found->effort == EffortForm::kNone ? found->efforts.empty() : true));
    REQUIRE(found->price.has_value() == row.facts.price.has_value());
    if (!found->price) continue;
    const Price& price = *found->price;
    CHECK(price.input_usd == row.facts.price->input_usd);
    CHECK(price.output_usd == row.facts.price->output_usd);
    CHECK(price.input_usd >= 0);
    CHECK(price.cached_read_usd.value_or(0) <= price.input_usd);
    CHECK(price.cached_write_usd.value_or(price.input_usd) >= price.input_usd);
    CHECK((price.long_above_tokens > 0) == (price.long_input_usd > 0));
  }
}

}  // namespace
}  // namespace assay
