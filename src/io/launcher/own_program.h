// Finds the user's own programs, runs one and reads what it prints. For questions to installed tools; foreign
// programs go through the Launcher.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace assay {

// The first file of this name that may be executed in the folders of `search_path`, which have colons between
// them; "" if there is none.
std::string FindProgram(const std::string& name, const std::string& search_path);

// Standard output, cut at 4 MiB; standard input and error are /dev/null. argv[0] is an absolute path. The
// environment is exactly the given one. kIo: it cannot be started, or ended with another status than 0.
// kTimeout: it took longer than 20 s.
Result<std::string> RunOwnProgram(const std::vector<std::string>& argv,
                                  const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace assay
