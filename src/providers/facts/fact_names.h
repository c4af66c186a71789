// The words for facts in data files, in assay.toml and in `assay list models`.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "providers/facts/model_facts.h"

namespace assay {

inline constexpr std::array<std::pair<std::string_view, EffortForm>, 6> kEffortForms = {{
    {"none", EffortForm::kNone},
    {"reasoning_effort", EffortForm::kReasoningEffort},
    {"output_config", EffortForm::kOutputConfig},
    {"budget_tokens", EffortForm::kBudgetTokens},
    {"thinking_level", EffortForm::kThinkingLevel},
    {"thinking_budget", EffortForm::kThinkingBudget},
}};

inline constexpr std::array<std::pair<std::string_view, bool MediaKinds::*>, 3> kMediaKinds = {{
    {"image", &MediaKinds::image},
    {"pdf", &MediaKinds::pdf},
    {"audio", &MediaKinds::audio},
}};

// Tokens; all others are US dollars, but for the factor.
inline constexpr std::string_view kPriceLongAbove = "long_above";

// Where the number of a key of a price goes; one of the two is null.
struct PriceKey {
  std::string_view name;
  double Price::*required = nullptr;
  std::optional<double> Price::*optional = nullptr;
};
inline constexpr std::array<PriceKey, 9> kPriceKeys = {{
    {"input", &Price::input_usd},
    {"output", &Price::output_usd},
    {"cached_read", nullptr, &Price::cached_read_usd},
    {"cached_write", nullptr, &Price::cached_write_usd},
    {"long_input", &Price::long_input_usd},
    {"long_output", &Price::long_output_usd},
    {"long_cached_read", nullptr, &Price::long_cached_read_usd},
    {"long_cached_write", nullptr, &Price::long_cached_write_usd},
    {"hour_write_factor", &Price::hour_write_factor},
}};

}  // namespace assay
