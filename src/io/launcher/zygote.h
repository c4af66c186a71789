// Warm starts: the programs that load a prelude once and then fork for each run (zygote.py).
#pragma once

#include <string_view>

namespace assay {

extern const std::string_view kPythonZygote;

}  // namespace assay
