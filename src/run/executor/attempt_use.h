// What an answer took: time, tokens and money, of the exchanges that it came of. Checks look at it
// (GradeInput::use). Pure: the same exchanges give the same, at the same prices.
#pragma once

#include <span>
#include <string_view>

#include "spec/exchange/exchange.h"
#include "spec/run/step.h"

namespace assay {

class ModelBook;

struct AnswerUsed {
  const Suite& suite;
  const Variant& variant;
  std::string_view answered_by;         // Transcript::answered_by
  std::span<const Exchange> exchanges;  // of the answering step, in order
  const ModelBook& models;
};
AttemptUse UseOf(const AnswerUsed& used);

}  // namespace assay
