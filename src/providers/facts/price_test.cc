// Tests of what a call costs.
#include "providers/facts/price.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("a call costs its tokens, all of them more once the input is long") {
  const Price price{.input_usd = 1.25,
                    .output_usd = 10,
                    .long_above_tokens = 200'000,
                    .long_input_usd = 2.5,
                    .long_output_usd = 15};
  CHECK(CostNanoUsd(price, {}) == 0);
  CHECK(CostNanoUsd(price, {.input = 1'000}) == 1'250'000);
  CHECK(CostNanoUsd(price, {.input = 1'000'000'000}) == 2'500'000'000'000);
  CHECK(CostNanoUsd(price, {.input = 200'000, .output = 1'000}) == 250'000'000 + 10'000'000);
  CHECK(CostNanoUsd(price, {.input = 200'001, .output = 1'000}) == 500'002'500 + 15'000'000);
}

TEST_CASE("a call costs what its service says, else its tokens and the tools of the service") {
  Price price{.input_usd = 2, .output_usd = 10, .cached_write_usd = 2.5, .hour_write_factor = 2};
  Usage usage{.input_tokens = 1'000, .output_tokens = 100, .known = true, .cached_write_tokens = 400};
  CHECK(CostNanoUsd(price, usage, 1) == 600 * 2'000 + 400 * 2'500 + 100 * 10'000);
  CHECK(CostNanoUsd(price, usage, 0.5) == (600 * 2'000 + 400 * 2'500 + 100 * 10'000) / 2);
  usage.billing.hour_write_tokens = 300;
  usage.billing.tools_nano_usd = 20'000'000;
  CHECK(CostNanoUsd(price, usage, 1) ==
        600 * 2'000 + 100 * 2'500 + 300 * 4'000 + 100 * 10'000 + 20'000'000);
  price.hour_write_factor = 0;  // nobody sells that apart
  CHECK(CostNanoUsd(price, usage, 1) == 600 * 2'000 + 400 * 2'500 + 100 * 10'000 + 20'000'000);
  CHECK(CostNanoUsd(std::nullopt, usage, 1) == std::nullopt);
  usage.billing.cost_nano_usd = 7;
  CHECK(CostNanoUsd(std::nullopt, usage, 0.5) == 7);
}

TEST_CASE("what the cache gave and took has its own price, and the common one where none is stated") {
  const Price price{.input_usd = 2, .output_usd = 10, .cached_read_usd = 0.2, .cached_write_usd = 2.5};
  CHECK(CostNanoUsd(price, {.input = 1'000, .cached_read = 400, .cached_write = 100}) ==
        500 * 2'000 + 400 * 200 + 100 * 2'500);
  const Price plain{.input_usd = 2, .output_usd = 10};
  CHECK(CostNanoUsd(plain, {.input = 1'000, .cached_read = 400, .cached_write = 100}) == 2'000'000);
  const Price tiers{.input_usd = 2,
                    .output_usd = 10,
                    .long_above_tokens = 500,
                    .long_input_usd = 4,
                    .long_output_usd = 20,
                    .cached_read_usd = 0.2,
                    .long_cached_read_usd = 0.4};
  CHECK(CostNanoUsd(tiers, {.input = 1'000, .output = 1, .cached_read = 1'000}) == 1'000 * 400 + 20'000);
}

}  // namespace
}  // namespace assay
