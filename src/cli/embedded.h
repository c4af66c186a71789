// Files that the program carries: starters of `assay init`, schemas of `assay schema`, the example of `assay
// demo`, the pages of `assay help` (src/CMakeLists.txt).
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

// An example of examples/, with its recording.
extern const std::string_view kDemoSuite;
extern const std::string_view kDemoRecording;

// docs/*.md
extern const std::string_view kDocAuthoringInfibench;
extern const std::string_view kDocBlueprint;
extern const std::string_view kDocCli;
extern const std::string_view kDocCompatibility;
extern const std::string_view kDocCluster;
extern const std::string_view kDocCost;
extern const std::string_view kDocEditors;
extern const std::string_view kDocErrors;
extern const std::string_view kDocExports;
extern const std::string_view kDocGlossary;
extern const std::string_view kDocInfibench;
extern const std::string_view kDocJudging;
extern const std::string_view kDocLimits;
extern const std::string_view kDocProviders;
extern const std::string_view kDocResearch;
extern const std::string_view kDocSandbox;
extern const std::string_view kDocStatistics;
extern const std::string_view kDocTrust;
extern const std::string_view kDocUnitTests;

}  // namespace assay
