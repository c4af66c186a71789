// The source of the Python process for warm starts, which loads a prelude once and forks for each run
// (zygote.py).
#pragma once

#include <string_view>

namespace assay {

extern const std::string_view kPythonZygote;

}  // namespace assay
