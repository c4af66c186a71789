// Computes what calls cost, from the prices in the table of models (model_facts.h). Prices change; a user who
// pays others says so (assay.toml), and no price is ever assumed to be zero.
#pragma once

#include <cstdint>
#include <optional>

#include "spec/exchange/request.h"

namespace assay {

// US dollars for a million tokens. Some models cost more once the input of a call is longer than a limit; the
// whole call is then priced so. Input that the service read from its cache, or wrote into it, has a price of
// its own where the maker states one, else that of all input.
struct Price {
  double input_usd = 0;
  double output_usd = 0;
  std::int64_t long_above_tokens = 0;  // 0: one price for every length
  double long_input_usd = 0;
  double long_output_usd = 0;
  std::optional<double> cached_read_usd = {};
  std::optional<double> cached_write_usd = {};
  std::optional<double> long_cached_read_usd = {};
  std::optional<double> long_cached_write_usd = {};
  double hour_write_factor = 0;  // of what input is kept for an hour, times the price of input; 0: as above
};

// The tokens of one call; those that came from the cache or went into it are among the input.
struct BilledTokens {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cached_read = 0;
  std::int64_t cached_write = 0;
  std::int64_t hour_write = 0;  // of cached_write: kept for an hour
};

// Of one call, in billionths of a US dollar.
std::int64_t CostNanoUsd(const Price& price, const BilledTokens& tokens);
// Of a call whose reply stated its usage: what the service says that it cost, else its tokens times
// `factor` (what came by a batch costs less) and the tools of the service. Absent: no price is known.
std::optional<std::int64_t> CostNanoUsd(const std::optional<Price>& price, const Usage& usage, double factor);

}  // namespace assay
