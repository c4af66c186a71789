// Runs one of the user's own programs and reads what it prints. For questions to installed tools; foreign
// programs go through the Launcher.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace assay {

// Standard output, cut at 4 MiB; standard input and error are /dev/null. argv[0] is an absolute path. The
// environment is exactly the given one. kIo: it cannot be started, or ended with another status than 0.
// kTimeout: it took longer than 20 s.
Result<std::string> RunOwnProgram(const std::vector<std::string>& argv,
                                  const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace assay
