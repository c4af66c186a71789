// The data files of facts and prices, built into the program as they are (src/CMakeLists.txt).
#pragma once

#include <string_view>

namespace assay {

extern const std::string_view kModelsToml;
extern const std::string_view kPricesToml;

}  // namespace assay
