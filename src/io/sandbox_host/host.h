// The sandbox host's main loop: receives runs from the launcher and starts a supervisor for each.
#pragma once

#include "io/sandbox/wire.h"
#include "io/sandbox_host/step.h"

namespace assay {

// Serves until the launcher closes `control`; then the process ends, and with it everything below.
[[noreturn]] void Serve(const SandboxSetup& setup, int control);

// Tells the launcher that runs may come, or why none can.
void SayHello(const StepError& error, int control, bool has_listener = false);

}  // namespace assay
