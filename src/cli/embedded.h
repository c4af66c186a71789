// Files that the program carries: starters of `assay init`, the example of `assay demo`, the pages of `assay
// help` (src/CMakeLists.txt).
#pragma once

#include <string>
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

// An example of examples/.
inline constexpr std::string_view kDemoFolder = "assay-demo";  // where nobody names another
extern const std::string_view kDemoSuite;

// What is large is in a ZIP archive: docs/*.md, and the recording of the example. Unpacked at each call.
extern const std::string_view kLargeFiles;
inline constexpr std::string_view kDemoRecordingPath =
    "examples/civic-knowledge/civic-knowledge.replay.jsonl";
std::string LargeFile(std::string_view path);  // "docs/cli.md"; has to be one of them

}  // namespace assay
