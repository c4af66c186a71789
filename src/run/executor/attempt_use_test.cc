// What an answer took is the sum of its exchanges, at the prices of those who gave it.
#include "run/executor/attempt_use.h"

#include <doctest/doctest.h>

#include "providers/facts/model_facts.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

Exchange Took(std::int64_t us, std::int64_t output_tokens, RequestRole role = RequestRole::kCandidate) {
  Exchange exchange;
  exchange.role = role;
  exchange.duration_us = us;
  exchange.usage.output_tokens = output_tokens;
  exchange.usage.known = true;
  return exchange;
}

}  // namespace

TEST_CASE("time, tokens and money of an answer are those of its exchanges") {
  Suite suite;
  Variant variant;
  variant.provider = "p";
  variant.model = "own";
  ModelRef& fallback = variant.fallbacks.emplace_back();
  fallback.provider = "p";
  fallback.model = "other";
  const ModelBook models({{.model = "p:own", .price = Price{.input_usd = 0, .output_usd = 1}},
                          {.model = "p:other", .price = Price{.input_usd = 0, .output_usd = 3}}});
  std::vector<Exchange> exchanges = {Took(20, 5), Took(30, 7)};
  const auto use = [&](std::string_view answered_by) {
    return UseOf({.suite = suite,
                  .variant = variant,
                  .answered_by = answered_by,
                  .exchanges = exchanges,
                  .models = models});
  };
  CHECK(use("").duration_us == 50);
  CHECK(use("").usage.output_tokens == 12);
  CHECK(use("").nano_usd == 12'000);
  CHECK(use("").finish_reason.empty());
  std::get<ModelReply>(exchanges[0].reply).finish_reason = "length";
  std::get<ModelReply>(exchanges[1].reply).finish_reason = "stop";
  CHECK(use("").finish_reason == "stop");
  CHECK(use("p:other").nano_usd == 36'000);
  exchanges[1].price_factor = 0.5;
  CHECK(use("").nano_usd == 8'500);
  // Nobody says what the model costs that sums up.
  suite.agent.summarizer.emplace().provider = "q";
  exchanges.push_back(Took(1, 1, RequestRole::kSummarizer));
  CHECK_FALSE(use("").nano_usd.has_value());
  CHECK(use("").duration_us == 51);
  variant.model = "unknown";
  CHECK_FALSE(use("").nano_usd.has_value());
}

}  // namespace assay
