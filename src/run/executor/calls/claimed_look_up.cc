// Claims first and looks up then: whatever was answered before the claim is seen.
#include "run/executor/calls/claimed_look_up.h"

#include <utility>

namespace assay {

LookedUp LookUp(Store& store, CallClaims& claims, EpochRange epochs, Keys keys) {
  LookedUp looked{.keys = keys.claimed, .found = std::vector<std::optional<Exchange>>()};
  looked.keys.insert(looked.keys.end(), keys.looked_up.begin(), keys.looked_up.end());
  if (!keys.freed.empty()) {
    if (const Status freed = claims.Free(keys.freed, epochs.last); !freed) {
      looked.found = freed.error();
      return looked;
    }
  }
  if (!keys.named.empty()) {
    const Result<std::vector<ClaimHolder>> holders = claims.HoldersOf(keys.named, epochs.last);
    if (!holders) {
      looked.found = holders.error();
      return looked;
    }
    looked.holders = HoldersText(*holders);
  }
  if (!keys.claimed.empty()) {
    Result<std::vector<bool>> mine = claims.Claim(keys.claimed, epochs.last);
    if (!mine) {
      looked.found = std::move(mine).error();
      return looked;
    }
    looked.claimed = *std::move(mine);
  }
  if (!looked.keys.empty()) looked.found = store.Find(looked.keys, epochs);
  return looked;
}

}  // namespace assay
