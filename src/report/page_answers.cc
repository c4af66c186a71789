// One answer on the page (in few bytes, as there may be thousands): its text, its attempts, and why each
// criterion was scored as it was.
#include <algorithm>

#include <fmt/core.h>

#include "report/page_parts.h"

namespace assay {
namespace {

constexpr std::size_t kAttemptsShown = 50;
constexpr std::size_t kFrameBytesMax = 64'000;

void WriteAttempts(HtmlWriter& page, const PageModel& model, const Pair& pair) {
  if (model.suite->attempts < 2) return;
  page.Raw("<p class=meta>attempts: ");
  for (std::size_t i = 0; i < std::min(pair.values.size(), kAttemptsShown); ++i) {
    page.Raw(PercentText(pair.values[i], 0)).Raw(" ");
  }
  if (pair.values.size() > kAttemptsShown) page.Raw("…");
  page.Raw("</p>");
}

// Generated turns before the last, in order; fixed turns stand above, in the case.
void WriteEarlierTurns(HtmlWriter& page, const Transcript& transcript, std::size_t limit) {
  for (std::size_t i = 0; i + 1 < transcript.generated_texts.size(); ++i) {
    page.Raw(fmt::format("<div class=\"turn assistant\"><b>turn {}</b><div class=t>", i + 1));
    page.CutText(transcript.generated_texts[i], limit).Raw("</div></div>");
  }
}

void WriteText(HtmlWriter& page, const PageModel& model, const Pair& pair) {
  const Transcript& transcript = pair.shown.transcript;
  WriteEarlierTurns(page, transcript, model.limits.answer);
  if (!pair.answered()) {
    page.Raw("<p class=\"t fault\">").CutText(transcript.error, model.limits.answer);
    return;
  }
  const bool is_html = model.suite->cases[pair.case_index].render_as == "html";
  if (is_html && model.limits.answer >= transcript.answer.size() &&
      transcript.answer.size() <= kFrameBytesMax) {
    page.Raw("<iframe sandbox loading=lazy title=\"answer as HTML, without scripts\" srcdoc=\"");
    page.Attribute(transcript.answer).Raw("\"></iframe>");
  }
  page.Raw("<p class=t>").CutText(transcript.answer, model.limits.answer);
}

void WriteVotes(HtmlWriter& page, const PageModel& model, const Score& score) {
  if (score.evidence.empty()) return;
  page.Raw("<ul>");
  for (const Evidence& vote : score.evidence) {
    page.Raw("<li>").Raw(ScoreChip(Score::Of(vote.value), vote.value)).Text(vote.source);
    if (!vote.text.empty()) page.Raw("<p>").CutText(vote.text, model.limits.reason).Raw("</p>");
  }
  page.Raw("</ul>");
}

void WritePoint(HtmlWriter& page, const PageModel& model, const Check& check, const Score& score,
                std::optional<double> mean) {
  page.Raw("<li>").Raw(ScoreChip(score, mean)).Raw("<div>");
  if (check.invert) page.Raw("<span class=not>not: </span>");
  page.CutText(check.text, model.limits.reason);
  // A consensus only sums up the votes below.
  if (!score.explanation.empty() && score.evidence.empty())
    page.Raw("<p>").CutText(score.explanation, model.limits.reason).Raw("</p>");
  if (!score.error.empty()) page.Raw("<p class=fault>").CutText(score.error, model.limits.reason).Raw("</p>");
  WriteVotes(page, model, score);
  page.Raw("</div>");
}

}  // namespace

void WriteAnswer(HtmlWriter& page, const PageModel& model, const Pair& pair) {
  const std::uint32_t rank = model.rank_of[pair.variant];
  page.Raw(fmt::format("<details class=a id=c{}v{}><summary>", pair.case_index, rank));
  page.Text(model.suite->variants[pair.variant].id).Raw(PairMark(pair)).Raw("</summary>");
  WriteAttempts(page, model, pair);
  WriteText(page, model, pair);
  const Case& the_case = model.suite->cases[pair.case_index];
  const std::size_t points = std::min(the_case.checks.size(), pair.shown.scores.size());
  if (model.limits.shows_reasons && points > 0) {
    page.Raw("<h5>Why</h5><ul class=list>");
    for (std::size_t i = 0; i < points; ++i) {
      WritePoint(page, model, the_case.checks[i], pair.shown.scores[i], pair.points[i]);
    }
    page.Raw("</ul>");
  }
  page.Raw("</details>\n");
}

}  // namespace assay
