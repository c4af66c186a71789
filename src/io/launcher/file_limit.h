// Raises this process's limit of open files, and says how many sockets may be used.
#pragma once

#include <cstddef>

namespace assay {

// Raises the soft limit to the hard one; returns how many sockets may be used beside what the rest of the
// program needs, at least 1.
std::size_t RaiseFileLimit();

}  // namespace assay
