// Prices: which row fits, and what a call costs.
#include "providers/price.h"

#include <doctest/doctest.h>

#include "providers/output_max.h"

#include <string>

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
      {"google", "gemini-2.5-flash-lite", 0.1},
      {"google", "gemini-2.5-flash", 0.3},
      {"openrouter", "openai/gpt-4.1-mini", 0.4},
      {"openrouter", "anthropic/claude-haiku-4.5", 1},
      {"openrouter", "nobody/gpt-4o", std::nullopt},
      {"openrouter", "gpt-4o", std::nullopt},
      {"echo", "anything", 0},
      {"openai", "", std::nullopt},
      {"", "gpt-4o", std::nullopt},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model);
    const std::optional<Price> price = FindPrice(row.provider, row.model);
    REQUIRE(price.has_value() == row.input_usd.has_value());
    if (price) CHECK(price->input_usd == *row.input_usd);
  }
}

TEST_CASE("a call costs its tokens, all of them more once the input is long") {
  const Price price{.input_usd = 1.25,
                    .output_usd = 10,
                    .long_above_tokens = 200'000,
                    .long_input_usd = 2.5,
                    .long_output_usd = 15};
  CHECK(CostNanoUsd(price, 0, 0) == 0);
  CHECK(CostNanoUsd(price, 1'000, 0) == 1'250'000);
  CHECK(CostNanoUsd(price, 1'000'000'000, 0) == 2'500'000'000'000);
  CHECK(CostNanoUsd(price, 200'000, 1'000) == 250'000'000 + 10'000'000);
  CHECK(CostNanoUsd(price, 200'001, 1'000) == 500'002'500 + 15'000'000);
}

TEST_CASE("the user's own prices come before the table, the longest name first") {
  const PriceBook book({{.model = "openai:gpt-4o*", .price = {.input_usd = 1, .output_usd = 2}},
                        {.model = "openai:gpt-4o-mini", .price = {.input_usd = 3, .output_usd = 4}},
                        {.model = "custom:mine", .price = {.input_usd = 5, .output_usd = 6}}});
  CHECK(book.Find("openai", "gpt-4o-2024-11-20")->input_usd == 1);
  CHECK(book.Find("openai", "gpt-4o-mini")->input_usd == 3);
  CHECK(book.Find("custom", "mine")->output_usd == 6);
  CHECK(book.Find("openai", "gpt-5")->input_usd == 1.25);
  CHECK_FALSE(book.Find("custom", "other").has_value());
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

TEST_CASE("every row can be reached, none is below zero, and no two are the same") {
  for (const PriceRow& row : PriceTable()) {
    CAPTURE(row.model);
    CHECK(row.price.input_usd >= 0);
    CHECK(row.price.output_usd >= 0);
    CHECK((row.price.long_above_tokens > 0) == (row.price.long_input_usd > 0));
    std::string id(row.model);
    if (id.ends_with('*')) id.back() = '~';
    const std::optional<Price> found = FindPrice(row.provider, id);
    REQUIRE(found.has_value());
    CHECK(found->input_usd == row.price.input_usd);
    CHECK(found->output_usd == row.price.output_usd);
  }
}

}  // namespace
}  // namespace assay
