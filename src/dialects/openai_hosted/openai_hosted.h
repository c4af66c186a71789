// The dialect `openai-hosted`: exports of OpenAI's hosted evals (data_source_config, testing_criteria, and
// the data_source of a run) in JSON or YAML. The functions of its row in dialects/table.cc. Results are
// written as those of blueprints. Source of the rules: the service's description; docs/formats-of-others.md.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "dialects/blueprint/options.h"
#include "dialects/dialect.h"
#include "dialects/foreign/said_data.h"

namespace assay {

inline constexpr DialectOption kOpenAiHostedOptions[] = {foreign::kDataRow, kWhereRow, kSampleRow,
                                                         kSampleSeedRow};
inline constexpr std::array<std::string_view, 5> kOpenAiHostedChecks = {
    "string_check", "text_similarity", "label_model", "score_model", "multi_grader"};

int SniffOpenAiHosted(std::string_view path, std::string_view text);
std::optional<Suite> ReadOpenAiHosted(const ReadInput& input, FileId file, std::string_view text);

}  // namespace assay
