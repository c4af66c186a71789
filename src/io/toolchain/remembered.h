// Keeps the answers of toolchains in a folder of the user's own until a file that they depend on has changed:
// asking takes up to a second, looking at files a millisecond.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// The answer to this question, if none of the files and folders that it stands on has changed since; nothing
// if it was not asked, or something is amiss. `key`: hex digits.
std::optional<std::string> RememberedAnswer(const std::string& folder, std::string_view key);

// Keeps an answer with the state of what it stands on, paths that need not exist. What cannot be written is
// asked again, so a failure is none.
void RememberAnswer(const std::string& folder, std::string_view key, std::string_view answer,
                    const std::vector<std::string>& stands_on);

}  // namespace assay
