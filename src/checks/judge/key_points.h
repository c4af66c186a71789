// Key points: what an ideal answer says, point by point, extracted by a model where a case has an ideal and
// no checks. The prompt, the reading of a reply, and the row that asks and judges; pure.
//
// Rules follow weval 51dc4d3 (spec: blueprint 12.7); the prompt's words are our own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "checks/check.h"
#include "spec/turn/message.h"

namespace assay {

struct Case;

// What to ask a model for the key points of `the_case.ideal`: the conversation as authored and the ideal,
// both fenced as data. The same for every variant and attempt, so that a run asks it once.
std::vector<Message> BuildKeyPointPrompt(const Case& the_case);

// What becomes of <key_point></key_point>. The original puts it to its judges like any other.
enum class EmptyKeyPoints { kDropped, kKept };

// The texts between <key_point> and </key_point>, in any letter case, trimmed.
// kInvalidInput without any, kLimit with more than limits::kKeyPointsMax. Safe on any bytes.
Result<std::vector<std::string>> ParseKeyPoints(std::string_view reply,
                                                EmptyKeyPoints empty_ones = EmptyKeyPoints::kDropped);

// Done{JudgedKeyPoints}; Failed if no model gives points. Of an attempt without an answer the points alone:
// there is nothing to judge.
const CheckRow& KeyPointsRow();

}  // namespace assay
