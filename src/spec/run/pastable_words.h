// Rewrites a stored command line so that people can paste it into a shell: quoted again, with secrets in
// addresses replaced by digests.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Each quoted again as a shell takes it back, whatever a stored text does with its quotes; one word where
// they cannot be told apart. Names, passwords and keys of addresses are digests.
std::string PastableWords(std::string_view words);

}  // namespace assay
