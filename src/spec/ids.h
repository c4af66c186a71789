// Places in a suite and in a grid of cells: all count from 0.
#pragma once

#include <cstdint>

namespace assay {

using CaseIndex = std::uint32_t;
using VariantIndex = std::uint32_t;
using AttemptIndex = std::uint32_t;
using CheckIndex = std::uint32_t;
using JudgeIndex = std::uint32_t;

}  // namespace assay
