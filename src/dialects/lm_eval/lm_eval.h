// The dialect `lm-eval`: tasks of lm-evaluation-harness in YAML, with plain templates, that generate texts.
// The functions of its row in dialects/table.cc. Results are written as those of blueprints. Source of the
// rules: the tasks' form as lm-eval 0.4.9 reads it; docs/formats-of-others.md says what is refused.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "dialects/blueprint/options.h"
#include "dialects/dialect.h"
#include "dialects/foreign/said_data.h"

namespace assay {

inline constexpr DialectOption kLmEvalOptions[] = {foreign::kDataRow, kWhereRow, kSampleRow, kSampleSeedRow};
inline constexpr std::array<std::string_view, 1> kLmEvalChecks = {"filtered_match"};

int SniffLmEval(std::string_view path, std::string_view text);
std::optional<Suite> ReadLmEval(const ReadInput& input, FileId file, std::string_view text);

}  // namespace assay
