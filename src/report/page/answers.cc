// Writes one answer on the report page: its text, its attempts, and why each criterion was scored as it was.
// Uses few bytes, since there may be thousands.
#include <algorithm>

#include <fmt/format.h>

#include "report/page/html/safe_html.h"
#include "report/page/parts.h"
#include "text/yaml/python_yaml.h"

namespace assay {
namespace {

constexpr std::size_t kFrameBytesMax = 64'000;
constexpr std::size_t kQuoteBytesMax = 500;

// What the model thought before a generated turn, folded.
void WriteThoughts(HtmlWriter& page, const Transcript& transcript, std::size_t turn, std::size_t limit) {
  if (turn >= transcript.generated_reasoning.size() || transcript.generated_reasoning[turn].empty()) return;
  page.Raw("<details class=more><summary>thoughts</summary><p class=t>");
  page.CutText(transcript.generated_reasoning[turn], limit).Raw("</p></details>");
}

// Generated turns before the last, in order; fixed turns stand above, in the case.
void WriteEarlierTurns(HtmlWriter& page, const Transcript& transcript, std::size_t limit) {
  for (std::size_t i = 0; i + 1 < transcript.generated_texts.size(); ++i) {
    WriteThoughts(page, transcript, i, limit);
    page.Raw(fmt::format("<div class=\"turn assistant\"><b>turn {}</b><div class=t>", i + 1));
    page.CutText(transcript.generated_texts[i], limit).Raw("</div></div>");
  }
}

// What tools of its service found for the answer.
void WriteSources(HtmlWriter& page, const List& citations) {
  if (citations.empty()) return;
  page.Raw(fmt::format("<details class=more><summary>sources ({})</summary><ul>", citations.size()));
  for (const Value& citation : citations) {
    page.Raw("<li>");
    const Value* title = citation.Find("title");
    const Value* url = citation.Find("url");
    WriteCitation(page, title == nullptr && url != nullptr ? *url : citation);
    if (const Value* quote = citation.Find("quote"); quote != nullptr && quote->is_string())
      page.Raw("<br>").CutText(quote->AsString(), kQuoteBytesMax);
  }
  page.Raw("</ul></details>");
}

void WriteText(HtmlWriter& page, const PageModel& model, const Pair& pair) {
  const Transcript& transcript = pair.shown.transcript;
  if (!transcript.answered_by.empty())
    page.Raw("<p class=meta>answered by ").Text(transcript.answered_by).Raw(", which stood in</p>");
  WriteEarlierTurns(page, transcript, model.limits.answer);
  if (!pair.answered()) {
    page.Raw("<p class=\"t fault\">").CutText(transcript.error, model.limits.answer);
    return;
  }
  if (!transcript.generated_texts.empty())
    WriteThoughts(page, transcript, transcript.generated_texts.size() - 1, model.limits.answer);
  const bool is_html = model.suite->cases[pair.case_index].render_as == "html";
  if (is_html && model.limits.answer >= transcript.answer.size() &&
      transcript.answer.size() <= kFrameBytesMax) {
    page.Raw("<iframe sandbox loading=lazy title=\"answer as HTML, without scripts\" srcdoc=\"");
    page.Attribute(SafeHtml(transcript.answer)).Raw("\"></iframe>");
  }
  page.Raw("<p class=t>").CutText(transcript.answer, model.limits.answer);
}

void WriteVotes(HtmlWriter& page, const PageModel& model, const Score& score) {
  if (score.evidence.empty()) return;
  const std::optional<Judge>& backup = model.suite->backup_judge;
  page.Raw("<ul>");
  for (const Evidence& vote : score.evidence) {
    page.Raw("<li>").Raw(ScoreChip(Score::Of(vote.value), vote.value)).Text(vote.source);
    if (backup && backup->label == vote.source) page.Raw(" (backup)");
    if (vote.repaired) page.Raw(" (asked again: no class in the first reply)");
    if (!vote.votes.empty()) page.Raw(fmt::format(" (median of {:g})", fmt::join(vote.votes, ", ")));
    if (vote.against > 0) page.Raw(" <span class=split>speaks against itself</span>");
    if (!vote.text.empty()) page.Raw("<p>").CutText(vote.text, model.limits.reason).Raw("</p>");
  }
  page.Raw("</ul>");
}

// What was asked for and what was found, of checks that keep more than a number.
void WriteDetails(HtmlWriter& page, const PageModel& model, const Check& check, const Score& score) {
  if (WriteFindings(page, model.limits, check, score)) return;
  Map found = score.answer.is_map() ? score.answer.AsMap() : Map();
  if (!score.remark.is_undefined()) found.Set("remark", score.remark);
  if (found.empty()) return;
  page.Raw("<details class=more><summary>what was found</summary><pre class=t>");
  page.CutText(WritePythonYaml(found), model.limits.answer).Raw("</pre></details>");
  if (check.args.is_undefined()) return;
  Map rule;
  rule.Append(check.kind, check.args);
  page.Raw("<details class=more><summary>the rule</summary><pre class=t>");
  page.CutText(WritePythonYaml(rule), model.limits.answer).Raw("</pre></details>");
}

void WritePoint(HtmlWriter& page, const PageModel& model, const Pair& pair, const Check& check,
                CheckIndex index) {
  const Score& score = pair.shown.scores[index];
  const std::optional<double> mean = pair.points[index];
  page.Raw("<li>").Raw(ScoreChip(score, mean)).Raw("<div>");
  if (check.invert) page.Raw("<span class=not>not: </span>");
  page.CutText(check.text, model.limits.reason);
  if (JudgesDisagree(score)) page.Raw(" <span class=split>disagree</span>");
  // A consensus only sums up the votes below.
  if (!score.explanation.empty() && score.evidence.empty())
    page.Raw("<p>").CutText(score.explanation, model.limits.reason).Raw("</p>");
  if (!score.error.empty()) page.Raw("<p class=fault>").CutText(score.error, model.limits.reason).Raw("</p>");
  WriteVotes(page, model, score);
  WriteDetails(page, model, check, score);
  page.Raw("</div>");
}

// The points of one answer: what is required, then each alternative with its score and which of them counts.
class PointsWriter {
 public:
  PointsWriter(HtmlWriter& page, const PageModel& model, const Pair& pair)
      : page_(page), model_(model), pair_(pair), case_(pair.GradedCase(*model.suite)) {}

  void Write() {
    page_.Raw("<h5>Why</h5>");
    bool any_required = false;
    for (const CheckNode& child : case_.tree.children) {
      if (child.op != CheckNode::Op::kLeaf) continue;
      if (!any_required) page_.Raw("<ul class=list>");
      any_required = true;
      WriteLeaves(child);
    }
    if (any_required) page_.Raw("</ul>");
    for (const CheckNode& child : case_.tree.children) {
      if (child.op != CheckNode::Op::kLeaf) WriteAlternatives(child);
    }
  }

 private:
  void WriteAlternatives(const CheckNode& node) {
    const bool is_any = node.op == CheckNode::Op::kAny;
    const std::optional<BestPath> best = is_any ? BestPathOf(node, case_, pair_) : std::nullopt;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const bool counts = best && best->child == i;
      if (is_any) {
        page_.Raw(fmt::format("<p class=\"way{}\">Alternative {} of {} ", counts ? " best" : "", i + 1,
                              node.children.size()));
        const std::optional<double> mean = MeanOfPath(node.children[i], case_, pair_);
        if (mean) page_.Raw(ScoreChip(Score::Of(*mean), mean));
        page_.Raw(counts ? " counts</p>" : "</p>");
      }
      page_.Raw("<ul class=list>");
      WriteLeaves(node.children[i]);
      page_.Raw("</ul>");
    }
  }

  void WriteLeaves(const CheckNode& node) {
    const bool has_score = node.check < std::min(pair_.shown.scores.size(), pair_.points.size());
    if (node.op == CheckNode::Op::kLeaf && has_score) {
      WritePoint(page_, model_, pair_, case_.checks[node.check], node.check);
    }
    for (const CheckNode& child : node.children) WriteLeaves(child);
  }

  HtmlWriter& page_;
  const PageModel& model_;
  const Pair& pair_;
  const Case& case_;
};

// One attempt, or all there is of a pair that was asked once.
void WriteAttempt(HtmlWriter& page, const PageModel& model, const Pair& pair) {
  WriteText(page, model, pair);
  WriteSources(page, pair.shown.transcript.citations);
  WriteTurnFacts(page, model, pair);
  if (!pair.shown.grading_error.empty()) {
    page.Raw("<p class=fault>").CutText(pair.shown.grading_error, model.limits.reason).Raw("</p>");
  }
  if (model.limits.shows_reasons && !pair.shown.scores.empty()) PointsWriter(page, model, pair).Write();
}

}  // namespace

void WriteAnswer(HtmlWriter& page, const PageModel& model, const Pair& pair,
                 const std::vector<NumberedAttempt>& attempts) {
  const std::uint32_t rank = model.rank_of[pair.variant];
  page.Raw(fmt::format("<details class=a id=c{}v{}><summary>", pair.case_index, rank));
  page.Text(model.suite->variants[pair.variant].id).Raw(PairMark(pair)).Raw("</summary>");
  if (attempts.empty()) WriteAttempt(page, model, pair);
  for (const NumberedAttempt& each : attempts) {
    page.Raw(fmt::format("<h5>Attempt {} {}</h5>", each.attempt + 1, PairMark(each.alone)));
    WriteAttempt(page, model, each.alone);
  }
  const AttemptIndex all = model.suite->cases[pair.case_index].attempts.value_or(model.suite->attempts);
  if (all > model.limits.attempts) {
    page.Raw(fmt::format("<p class=meta>and {} more, in full: assay show {} --case …</p>",
                         all - model.limits.attempts, model.report->run.run_id));
  }
  page.Raw("</details>\n");
}

}  // namespace assay
