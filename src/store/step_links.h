// The exchanges of a cell's steps as bytes: per step varint slot, varint count, then per exchange the varint
// of its id's zigzag difference to the one before. LEB128, little end first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace assay {

std::string EncodeStepLinks(const std::vector<StepExchanges>& steps);
Result<std::vector<StepExchanges>> DecodeStepLinks(std::string_view bytes);

}  // namespace assay
