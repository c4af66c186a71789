// Judge verdicts as JSON: the schema that a judge is asked to follow, and the reader of its reply. Pure.
#pragma once

#include <string_view>

#include "base/errors/result.h"
#include "checks/judge/judge.h"
#include "text/value.h"

namespace assay {

// {"reflection": text, "classification": a class of the scale}, both and nothing else.
Value JudgeSchema();
// How the prompt shows it.
inline constexpr std::string_view kJudgeJsonShape = R"({"reflection": "...", "classification": "CLASS_..."})";
// kInvalidInput with what was missing; never a guess.
Result<JudgeVerdict> ParseJudgeJson(std::string_view text);

}  // namespace assay
