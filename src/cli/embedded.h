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
// Programs under test, each with its matrix and settings, and what they share.
extern const std::string_view kOpenAiAgent;
extern const std::string_view kOpenAiMatrix;
extern const std::string_view kOpenAiSettings;
extern const std::string_view kAskyAgent;
extern const std::string_view kAskyMatrix;
extern const std::string_view kAskySettings;
extern const std::string_view kQuestions;
extern const std::string_view kWatering;
extern const std::string_view kStorage;

extern const std::string_view kBlueprintSchema;
extern const std::string_view kSuiteSchema;
extern const std::string_view kDatasetSchema;

}  // namespace assay
