// Computes the cost of a call from its token counts, in billionths of a US dollar.
#include "providers/facts/price.h"

#include <algorithm>
#include <cmath>

namespace assay {

std::int64_t CostNanoUsd(const Price& price, const BilledTokens& tokens) {
  constexpr double kNanoPerMillionth = 1e9 / 1e6;
  const bool is_long = price.long_above_tokens > 0 && tokens.input > price.long_above_tokens;
  const double input_usd = is_long ? price.long_input_usd : price.input_usd;
  const double output_usd = is_long ? price.long_output_usd : price.output_usd;
  const double read_usd = (is_long ? price.long_cached_read_usd : price.cached_read_usd).value_or(input_usd);
  const double write_usd =
      (is_long ? price.long_cached_write_usd : price.cached_write_usd).value_or(input_usd);
  const double hour_usd = price.hour_write_factor > 0 ? price.hour_write_factor * input_usd : write_usd;
  const std::int64_t fresh =
      std::max<std::int64_t>(tokens.input - tokens.cached_read - tokens.cached_write, 0);
  const std::int64_t hour_write = std::min(tokens.hour_write, tokens.cached_write);
  const double usd_per_million =
      static_cast<double>(fresh) * input_usd + static_cast<double>(tokens.cached_read) * read_usd +
      static_cast<double>(tokens.cached_write - hour_write) * write_usd +
      static_cast<double>(hour_write) * hour_usd + static_cast<double>(tokens.output) * output_usd;
  return std::llround(usd_per_million * kNanoPerMillionth);
}

std::optional<std::int64_t> CostNanoUsd(const std::optional<Price>& price, const Usage& usage,
                                        double factor) {
  if (usage.billing.cost_nano_usd) return usage.billing.cost_nano_usd;
  if (!price) return std::nullopt;
  const std::int64_t list = CostNanoUsd(*price, {.input = usage.input_tokens,
                                                 .output = usage.output_tokens,
                                                 .cached_read = usage.cached_read_tokens,
                                                 .cached_write = usage.cached_write_tokens,
                                                 .hour_write = usage.billing.hour_write_tokens});
  return std::llround(static_cast<double>(list) * factor) + usage.billing.tools_nano_usd;
}

}  // namespace assay
