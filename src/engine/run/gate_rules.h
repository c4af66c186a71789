// Decides whether an option that gates a run (--fail-under and the like) may count answers that this user did
// not make: they are used and shown, but open no gate unless he names them (docs/trust.md).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/errors/result.h"
#include "engine/grants/granted.h"
#include "engine/grants/outputs.h"
#include "engine/open/recordings.h"
#include "engine/state/known_stores.h"

namespace assay {

// kInvalidInput, with what to do: a gate is asked for, and a recording that nobody named would answer, or the
// store has something that was made elsewhere.
Status MayGateBy(const OpenedRecordings& recorded, const GateOptions& gates, const Granted& granted);
Status MayGateBy(const StoreOrigin& origin, const GateOptions& gates, const Granted& granted);
// The same of a run of the store, the one that is shown or the base of a gate.
Status MayGateBy(std::string_view run_id, std::uint64_t foreign_replies, const GateOptions& gates,
                 const Granted& granted);

}  // namespace assay
