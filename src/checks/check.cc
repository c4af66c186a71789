// Computes lower-case form and word count of an answer, each at most once, and inverts scores for negated
// checks.
#include "checks/check.h"

#include "text/javascript/text.h"

namespace assay {

const std::string& AnswerView::js_lower() {
  if (!js_lower_) js_lower_ = JsToLower(text_);
  return *js_lower_;
}

TextRange AnswerView::OfLower(TextRange range) {
  if (subject_.is_ascii()) return range;
  const std::string_view lower = js_lower();
  if (range.empty() || lower.size() != text_.size()) return {};
  const std::size_t size = range.to - range.from;
  return JsToLower(text_.substr(range.from, size)) == lower.substr(range.from, size) ? range : TextRange();
}

std::size_t AnswerView::js_words() {
  if (!js_words_) js_words_ = CountJsWords(text_);
  return *js_words_;
}

Score Invert(Score score) {
  if (score.state != ScoreState::kScored) return score;
  score.value = score.max - score.value;
  if (score.verdict) score.verdict = !*score.verdict;
  return score;
}

}  // namespace assay
