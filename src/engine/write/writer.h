// Opens a store for writing: of a file one process at a time may; others wait as long as --store-timeout
// says.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "engine/grants/granted.h"
#include "engine/signals.h"
#include "engine/state/known_stores.h"

namespace assay {

// OwnStore::Open or OwnStore::Adopt.
using OwnStoreOpener = Result<std::unique_ptr<OwnStore>> (*)(const StoreOptions& options);

// Waits for as long as --store-timeout says, also for a server that takes no more connections; `on_wait` is
// told once for whom. Ctrl-C ends the wait. kTimeout
// names the process that has the place.
Result<std::unique_ptr<OwnStore>> OpenForWriting(const Granted& granted, Clock& clock, StopSignals& signals,
                                                 const std::function<void(std::string)>& on_wait,
                                                 OwnStoreOpener attempt = OwnStore::Open);

}  // namespace assay
