// Files that the program carries: starters of `assay init`, schemas of `assay schema` (src/CMakeLists.txt).
#pragma once

#include <string_view>

namespace assay {

extern const std::string_view kBlueprintStarter;
extern const std::string_view kSuiteStarter;
extern const std::string_view kCaseStarter;
extern const std::string_view kPromptStarter;
extern const std::string_view kDatasetStarter;
extern const std::string_view kMatrixStarter;

extern const std::string_view kBlueprintSchema;
extern const std::string_view kSuiteSchema;
extern const std::string_view kDatasetSchema;

}  // namespace assay
