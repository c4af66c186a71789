// What calls cost: the vendors' list prices as facts, with the day on which they were read. Prices change;
// whoever pays others says so (assay.toml) and no price is ever assumed to be zero.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/request.h"

namespace assay {

// The day of the table, and where its numbers are from.
inline constexpr std::string_view kPricesAsOf = "2025-10-31";
inline constexpr std::string_view kPricesSource = "the vendors' public price lists";

// US dollars for a million tokens. Some models cost more once the input of a call is longer than a limit; the
// whole call is then priced so.
struct Price {
  double input_usd = 0;
  double output_usd = 0;
  std::int64_t long_above_tokens = 0;  // 0: one price for every length
  double long_input_usd = 0;
  double long_output_usd = 0;
};

struct PriceRow {
  std::string_view provider;
  std::string_view model;  // an id, or the start of ids, ended by '*'
  Price price;
};

std::span<const PriceRow> PriceTable();

// The price of a model: the row with the longest fitting name. Models that a broker names by vendor
// ("openrouter:anthropic/claude-…") cost what the vendor takes. Nothing if it is not known.
std::optional<Price> FindPrice(std::string_view provider, std::string_view model);

// A price of the user's own: of "provider:model", or of all ids that start so, ended by '*'.
struct OwnPrice {
  std::string model;
  Price price;
};

// The user's own prices before the table's; among the user's own the longest fitting name.
class PriceBook {
 public:
  PriceBook() = default;
  explicit PriceBook(std::vector<OwnPrice> own) : own_(std::move(own)) {}
  std::optional<Price> Find(std::string_view provider, std::string_view model) const;

 private:
  std::vector<OwnPrice> own_;
};

// Of one call, in billionths of a US dollar.
std::int64_t CostNanoUsd(const Price& price, std::int64_t input_tokens, std::int64_t output_tokens);

}  // namespace assay
