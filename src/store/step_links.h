// Encodes which exchanges the steps of a cell used as bytes: 0x80 0x00 (a 0 that no varint of ours is), then
// per step the varints kind, role, check and count, and per exchange the varint of its id's zigzag difference
// to the one before. Varints are LEB128. Also lists of ids and cells: the differences alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "spec/run/step_link.h"

namespace assay {

std::string EncodeStepLinks(const std::vector<StepLink>& steps);
Result<std::vector<StepLink>> DecodeStepLinks(std::string_view bytes);

std::string EncodeNumbers(std::span<const std::uint64_t> numbers);
Result<std::vector<std::uint64_t>> DecodeNumbers(std::string_view bytes);

}  // namespace assay
