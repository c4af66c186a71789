// The fields of what stands beside the text of messages (suite_fields.h says what such lists are for).
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "spec/suite/media.h"
#include "spec/suite/stored_field.h"

namespace assay {

template <>
struct FieldsOf<MediaKinds> {
  static constexpr std::tuple list{Field{"image", &MediaKinds::image}, Field{"pdf", &MediaKinds::pdf},
                                   Field{"audio", &MediaKinds::audio}};
  static constexpr std::array<LeftOutNames, 0> left_out = {};
};

template <>
struct FieldsOf<MediaPart> {
  static constexpr std::tuple list{Field{"kind", &MediaPart::kind},
                                   Field{"type", &MediaPart::type},
                                   Field{"sha256", &MediaPart::sha256},
                                   Field{"name", &MediaPart::name},
                                   Field{"address", &MediaPart::address, FieldUse::kHoldsSecrets},
                                   Field{"tokens", &MediaPart::tokens, FieldUse::kTold},
                                   Field{"size_bytes", &MediaPart::size_bytes, FieldUse::kTold}};
  static constexpr std::array<LeftOutNames, 1> left_out = {"blob"};  // the store has it, under `sha256`
};

}  // namespace assay
