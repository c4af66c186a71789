// How much of this machine works at once.
#pragma once

#include <cstddef>

namespace assay {

std::size_t Cores();  // that are there, at least one

}  // namespace assay
