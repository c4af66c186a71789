// The versions of the generators that made a run's answers, stored with the run: a later program compares
// them with its own rows to know whether it can replay what was said.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/errors/result.h"

namespace assay {

using GeneratorVersions = std::map<std::string, std::uint32_t, std::less<>>;  // by the names of their rows

// JSON: {"conversation":1,"turn":2}; "" for none, as of runs that said nothing of them.
std::string EncodeGeneratorVersions(const GeneratorVersions& versions);
Result<GeneratorVersions> DecodeGeneratorVersions(std::string_view text);

}  // namespace assay
