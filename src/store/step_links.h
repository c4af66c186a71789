// Encodes which exchanges the steps of a cell used as bytes: 0x80 0x00 (a 0 that no varint of ours is), then
// per step the varints kind, role, check and count, and per exchange the varint of its id's zigzag difference
// to the one before.
//
// Before store version 6 without the two leading bytes, per step: slot, count, exchanges. LEB128, little end
// first. Also lists of ids and cells: the differences alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "spec/run/step_link.h"

namespace assay {

// Links that are known by slots alone, of a copied run that an older assay began, take the older form.
std::string EncodeStepLinks(const std::vector<StepLink>& steps);
// Of the older form slot 0 is the step that answers; the others are LinkKind::kBySlot.
Result<std::vector<StepLink>> DecodeStepLinks(std::string_view bytes);

std::string EncodeNumbers(std::span<const std::uint64_t> numbers);
Result<std::vector<std::uint64_t>> DecodeNumbers(std::string_view bytes);

}  // namespace assay
