// Finds parts of answers, and tells where nothing was found.
#include "plan/extracted.h"

#include <algorithm>

#include "checks/args.h"

namespace assay {

namespace {

constexpr std::string_view kNoAnswerFound = "no answer found";

}  // namespace

ExtractedAnswers::Part& ExtractedAnswers::PartOf(const BoundCheck& check) {
  const auto [known, is_new] = parts_.try_emplace(check.extraction.get());
  Part& part = known->second;
  if (!is_new) return part;
  Result<std::optional<ExtractedPart>> found = check.extraction->Find(whole_.text());
  if (!found) {
    part.problem = found.error().message;
  } else {
    part.found = *std::move(found);
  }
  if (part.found) part.view.emplace(part.found->text);
  return part;
}

std::optional<Score> ExtractedAnswers::Missing(const BoundCheck& check, bool is_turned_around) {
  if (check.extraction == nullptr) return std::nullopt;
  const Part& part = PartOf(check);
  if (!part.problem.empty()) return LostScore("no credit: extract: " + part.problem, is_turned_around);
  if (part.found) return std::nullopt;
  Score score = Score::Of(0);
  score.explanation = kNoAnswerFound;
  score.found_nothing = true;
  return score;
}

AnswerView& ExtractedAnswers::View(const BoundCheck& check) {
  if (check.extraction == nullptr) return whole_;
  AnswerView& view = *PartOf(check).view;
  // The scripts of one answer share their time.
  view.script_time = whole_.script_time;
  return view;
}

void ExtractedAnswers::Mark(const BoundCheck& check, Score& score) {
  if (check.extraction == nullptr) return;
  const Part& part = PartOf(check);
  if (part.view) whole_.script_time = std::max(whole_.script_time, part.view->script_time);
  if (!part.found) return;
  score.marks.clear();
  score.block.reset();
  AddMark(part.found->where, score.marks);
}

}  // namespace assay
