// ExtractedAnswers: what of an answer its checks grade: the whole, or a part of it that an extraction finds.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "checks/check.h"
#include "plan/plan.h"
#include "text/extract/extraction.h"

namespace assay {

// Each part is looked for once an answer. The answer outlives it.
class ExtractedAnswers {
 public:
  explicit ExtractedAnswers(AnswerView& whole) : whole_(whole) {}

  // Why the check has nothing to grade: its score, which counts as it stands, turned around or not. Nothing:
  // it has something, and `input.answer` would be `View(check)`.
  std::optional<Score> Missing(const BoundCheck& check, bool is_turned_around);
  AnswerView& View(const BoundCheck& check);
  std::string_view whole() const { return whole_.text(); }
  // Marks the part in a score of the check; what it marked in the part would stand elsewhere in the answer.
  void Mark(const BoundCheck& check, Score& score);

 private:
  struct Part {
    std::optional<ExtractedPart> found;
    std::string problem;  // why nobody can tell
    std::optional<AnswerView> view;
  };
  Part& PartOf(const BoundCheck& check);

  AnswerView& whole_;
  std::map<const Extraction*, Part> parts_;
};

}  // namespace assay
