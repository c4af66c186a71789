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
// Reads one object, with what ParseJudgeReply allows around it, in the class and of `answer`; other members
// of it do not count. The code of `answer` stands at the end of the reflection. kInvalidInput with what was
// missing; never a guess.
Result<JudgeVerdict> ParseJudgeJson(std::string_view text, const JudgedAnswer* answer = nullptr);

}  // namespace assay
