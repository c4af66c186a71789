// Computes lower-case form and word count of an answer, each at most once, and inverts scores for negated
// checks.
#include "checks/check.h"

#include "text/javascript/text.h"

namespace assay {

const std::string& AnswerView::js_lower() {
  if (!js_lower_) js_lower_ = JsToLower(text_);
  return *js_lower_;
}

std::size_t AnswerView::js_words() {
  if (!js_words_) js_words_ = CountJsWords(text_);
  return *js_words_;
}

Score Invert(Score score) {
  if (score.state == ScoreState::kScored) score.value = score.max - score.value;
  return score;
}

}  // namespace assay
