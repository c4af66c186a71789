// Looks up, claims what is missing, and looks that up once more: it may have been answered in between.
#include "run/executor/calls/claimed_look_up.h"

#include <utility>

namespace assay {

namespace {

struct Missing {
  std::vector<Digest> keys;
  std::vector<std::size_t> places;
};

Missing MissingOf(std::span<const Digest> keys, std::span<const std::optional<Exchange>> found) {
  Missing missing;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (found[i]) continue;
    missing.keys.push_back(keys[i]);
    missing.places.push_back(i);
  }
  return missing;
}

Status ClaimMissing(Store& store, CallClaims& claims, EpochRange epochs, std::span<const Digest> keys,
                    std::vector<std::optional<Exchange>>& found, std::vector<bool>& held) {
  const Missing missing = MissingOf(keys, found);
  if (missing.keys.empty()) return Ok();
  ASSAY_TRY(const std::vector<bool> mine, claims.Claim(missing.keys, epochs.last));
  ASSAY_TRY(std::vector<std::optional<Exchange>> again, store.Find(missing.keys, epochs));
  held.resize(keys.size());
  std::vector<Digest> answered;
  for (std::size_t i = 0; i < missing.keys.size(); ++i) {
    held[missing.places[i]] = !mine[i] && !again[i];
    if (mine[i] && again[i]) answered.push_back(missing.keys[i]);
    found[missing.places[i]] = std::move(again[i]);
  }
  return answered.empty() ? Ok() : claims.Free(answered, epochs.last);
}

}  // namespace

LookedUp LookUp(Store& store, CallClaims* claims, EpochRange epochs, std::vector<Digest> keys,
                std::span<const Digest> freed) {
  LookedUp looked{.keys = std::move(keys), .found = std::vector<std::optional<Exchange>>(), .held = {}};
  Status claimed = Ok();
  if (claims != nullptr && !freed.empty()) claimed = claims->Free(freed, epochs.last);
  looked.found = store.Find(looked.keys, epochs);
  if (claims != nullptr && claimed && looked.found)
    claimed = ClaimMissing(store, *claims, epochs, looked.keys, looked.found.value(), looked.held);
  if (!claimed) looked.found = claimed.error();
  return looked;
}

}  // namespace assay
