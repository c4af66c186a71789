// The fields of which model is asked or embeds texts, and with which parameters (suite_fields.h says what
// such lists are for).
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "spec/suite/embedder.h"
#include "spec/suite/model_ref.h"
#include "spec/suite/stored_field.h"

namespace assay {

template <>
struct FieldsOf<SamplingParams> {
  static constexpr std::tuple list{Field{"temperature", &SamplingParams::temperature},
                                   Field{"top_p", &SamplingParams::top_p},
                                   Field{"max_tokens", &SamplingParams::max_tokens},
                                   Field{"seed", &SamplingParams::seed},
                                   Field{"stop", &SamplingParams::stop},
                                   Field{"effort", &SamplingParams::effort},
                                   Field{"thinking_tokens", &SamplingParams::thinking_tokens},
                                   Field{"extra", &SamplingParams::extra},
                                   Field{"limit_is_default", &SamplingParams::limit_is_default},
                                   Field{"shows_thoughts", &SamplingParams::shows_thoughts}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<ModelRef> {
  static constexpr std::tuple list{Field{"provider", &ModelRef::provider}, Field{"model", &ModelRef::model},
                                   Field{"base_url", &ModelRef::base_url, FieldUse::kHoldsSecrets},
                                   Field{"custom", &ModelRef::custom, FieldUse::kHoldsSecrets}};
  static constexpr std::array<LeftOutNames, 1> left_out = {"span"};
};

template <>
struct FieldsOf<Embedder> {
  static constexpr std::tuple list{Field{"model_id", &Embedder::model_id},
                                   Field{"provider", &Embedder::provider}, Field{"model", &Embedder::model},
                                   Field{"base_url", &Embedder::base_url, FieldUse::kHoldsSecrets},
                                   Field{"custom", &Embedder::custom, FieldUse::kHoldsSecrets}};
  static constexpr std::array<LeftOutNames, 1> left_out = {"span"};
};

template <>
struct FieldsOf<CorpusSettings> {
  static constexpr std::tuple list{Field{"embedder", &CorpusSettings::embedder},
                                   Field{"endpoint", &CorpusSettings::endpoint},
                                   Field{"by_characters", &CorpusSettings::by_characters}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

}  // namespace assay
