// The stored fields of the research agent's settings, by the rules of suite_fields.h.
#pragma once

#include <array>
#include <tuple>

#include "spec/suite/agent_settings.h"
#include "spec/suite/stored_field.h"

namespace assay {

template <>
struct FieldsOf<Summarizer> {
  static constexpr std::tuple list{Field{"alias", &Summarizer::alias},
                                   Field{"model_id", &Summarizer::model_id},
                                   Field{"provider", &Summarizer::provider},
                                   Field{"model", &Summarizer::model},
                                   Field{"base_url", &Summarizer::base_url, FieldUse::kHoldsSecrets},
                                   Field{"custom", &Summarizer::custom, FieldUse::kHoldsSecrets},
                                   Field{"params", &Summarizer::params},
                                   Field{"context_tokens", &Summarizer::context_tokens}};
  static constexpr std::array<LeftOutNames, 1> left_out = {"span"};
};

template <>
struct FieldsOf<AgentSettings> {
  static constexpr std::tuple list{Field{"summarizer", &AgentSettings::summarizer},
                                   Field{"search_url", &AgentSettings::search_url, FieldUse::kHoldsSecrets},
                                   Field{"original_calls", &AgentSettings::original_calls},
                                   Field{"page_timeout_ms", &AgentSettings::page_timeout_ms},
                                   Field{"search_timeout_ms", &AgentSettings::search_timeout_ms}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<TurnLimits> {
  static constexpr std::tuple list{Field{"seconds", &TurnLimits::seconds},
                                   Field{"tokens", &TurnLimits::tokens}, Field{"usd", &TurnLimits::usd}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<AgentModel> {
  static constexpr std::tuple list{Field{"context_tokens", &AgentModel::context_tokens},
                                   Field{"max_turns", &AgentModel::max_turns},
                                   Field{"shortlist", &AgentModel::shortlist},
                                   Field{"limits", &AgentModel::limits},
                                   Field{"usd_per_input_token", &AgentModel::usd_per_input_token},
                                   Field{"usd_per_output_token", &AgentModel::usd_per_output_token}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

}  // namespace assay
