// The file that holds a provider's key, in place of the environment: `[providers.openai] key_file`.
#pragma once

#include <string>

#include "base/errors/result.h"
#include "base/wire/secret.h"

namespace assay {

// The one line that the file holds. kRefused: others than its user may read it, or it is another user's; the
// group may read a file of root's, as secrets are mounted. kNotFound, kIo, kInvalidInput.
Result<Secret> ReadKeyFile(const std::string& path);

// As a settings file in `folder` means the path: "~/key" is below the user's home.
std::string PlacedPath(const std::string& folder, const std::string& path);

}  // namespace assay
