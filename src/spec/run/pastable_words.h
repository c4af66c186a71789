// The words of a command as people paste them into a shell again, without what they must not see.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Each quoted again as a shell takes it back, whatever a stored text does with its quotes; one word where
// they cannot be told apart. Names, passwords and keys of addresses are digests.
std::string PastableWords(std::string_view words);

}  // namespace assay
