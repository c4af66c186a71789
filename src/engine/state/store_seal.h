// The seal of a store: a file beside it, NAME.seal, by which a machine that remembers nothing knows a store
// for its own. Whoever holds ASSAY_STORE_KEY, a secret of the CI, can have made it, and nobody else
// (docs/ci.md; layout: docs/formats/state.md).
#pragma once

#include <optional>
#include <string>

#include "base/errors/result.h"
#include "base/wire/secret.h"
#include "store/marks.h"

namespace assay {

inline constexpr char kStoreKeyVariable[] = "ASSAY_STORE_KEY";

// The key; nothing: the variable is not set, or empty, as it is for a fork. kInvalidInput: it is too short.
Result<std::optional<Secret>> StoreKey();
// What the seal beside the store says.
struct SealReading {
  std::optional<MarkedRows> marks;  // nothing: it does not count
  std::string why;  // then: there is none, another key made it, or the store went on without it
};
SealReading ReadSeal(const std::string& store, const Secret& key);
// Seals the store as its file is now.
Status WriteSeal(const std::string& store, const MarkedRows& marks, const Secret& key);

}  // namespace assay
