// Asks the server once; clocks that drift are nothing to the length of a run.
#include "engine/run/store_clock.h"

#include "store/coordinator.h"

namespace assay {

Status StoreClock::Follow(Store& store) {
  ASSAY_TRY(const std::optional<std::int64_t> there, ServerWallMs(store));
  if (there) ahead_ms_ = *there - own_.WallMs();
  return Ok();
}

}  // namespace assay
