// Starts a program in a session of its own that inherits only the given streams and environment.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/errors/result.h"
#include "io/sandbox/file.h"

namespace assay {

// -1: /dev/null.
struct SpawnStreams {
  int input = -1;
  int output = -1;
  int errors = -1;
};

// Its process group has the number that is returned. argv[0] is looked up in PATH. Signals are as a new
// program expects them. kNotFound: there is no such program; kIo: it cannot be started.
Result<pid_t> SpawnInSession(std::vector<std::string> argv, std::vector<std::string> environment,
                             const SpawnStreams& streams);

// Both ends wait, as programs expect of their streams; ours is made not to where that is wanted.
SandboxPipe OpenBlockingPipe();

}  // namespace assay
