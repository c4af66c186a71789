// A look-up among several processes that work on one run: what nobody has answered yet is claimed by one of
// them.
#pragma once

#include <chrono>

#include "run/executor/messages.h"
#include "store/coordinator.h"

namespace assay {

// When what others ask is looked up again.
inline constexpr std::chrono::milliseconds kLookAgainAfter{250};

// Thread of the store. `claims` null: nobody else asks. `freed`: what was claimed and is not asked after all.
LookedUp LookUp(Store& store, CallClaims* claims, EpochRange epochs, std::vector<Digest> keys,
                std::span<const Digest> freed);

}  // namespace assay
