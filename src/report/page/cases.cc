// Writes the cases of the report page: the conversation, the table of criteria, and every answer.
#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "base/text/utf8.h"
#include "base/wire/wire.h"
#include "report/page/html/html_text.h"
#include "report/page/parts.h"
#include "text/packed/base64.h"

namespace assay {
namespace {

constexpr std::size_t kSummaryBytesShown = 160;    // the window cuts the line anyway
constexpr std::size_t kCriterionBytesMax = 1'000;  // as PageModel's sums assume
constexpr std::size_t kCriteriaColumnsMax = 60;

std::string_view FirstQuestion(const Case& the_case) {
  for (const Turn& turn : the_case.turns) {
    if (turn.role == Role::kUser && turn.kind == TurnKind::kText) return turn.text;
  }
  return {};
}

void WriteMeta(HtmlWriter& page, const Case& the_case) {
  const bool has_citation = !the_case.citation.is_nullish();
  if (the_case.tags.empty() && !has_citation && the_case.weight == 1) return;
  page.Raw("<p class=meta>");
  if (the_case.weight != 1) page.Raw(fmt::format("weight {} ", the_case.weight));
  for (const std::string& tag : the_case.tags) page.Raw("· ").Text(tag).Raw(" ");
  if (has_citation) {
    page.Raw("· source: ");
    WriteCitation(page, the_case.citation);
  }
  page.Raw("</p>");
}

void WriteTurn(HtmlWriter& page, std::string_view role, std::string_view text, std::size_t limit) {
  page.Raw("<div class=\"turn ").Raw(role).Raw("\"><b>").Raw(role).Raw("</b><div class=t>");
  page.CutText(text, limit).Raw("</div></div>");
}

// A picture, or what there was. The type is one of ours: MediaOf names it.
void WriteMedia(HtmlWriter& page, const PageModel& model, const MediaPart& part) {
  if (model.pictures.count(&part) > 0) {
    page.Raw("<img style=\"display:block;max-width:100%;max-height:24rem\" src=\"data:").Attribute(part.type);
    page.Raw(";base64,").Raw(EncodeBase64(part.blob->bytes)).Raw("\" alt=\"").Attribute(part.name).Raw("\">");
    return;
  }
  page.Raw("<p class=meta>").CutText(part.name, kCriterionBytesMax).Raw(" · ").Text(part.type);
  if (part.size_bytes > 0) page.Raw(" · ").Text(SizeText(static_cast<std::size_t>(part.size_bytes)));
  page.Raw("</p>");
}

void WriteConversation(HtmlWriter& page, const PageModel& model, const Case& the_case) {
  page.Raw("<div class=asked><h4>Asked</h4>");
  if (the_case.system.kind == SystemOverride::Kind::kText) {
    WriteTurn(page, RoleName(Role::kSystem), the_case.system.text, model.limits.prompt);
  }
  for (const Turn& turn : the_case.turns) {
    if (turn.kind == TurnKind::kText) {
      for (const MediaPart& part : turn.media) WriteMedia(page, model, part);
      WriteTurn(page, RoleName(turn.role), turn.text, model.limits.prompt);
    } else {
      page.Raw(
          "<div class=\"turn assistant\"><b>assistant</b><div class=\"t slot\">answered by the "
          "model</div></div>");
    }
  }
  page.Raw("</div>");
  if (the_case.ideal && !the_case.ideal->empty()) {
    page.Raw("<h4>Ideal answer</h4><div class=ideal>")
        .Markdown(*the_case.ideal, model.limits.prompt)
        .Raw("</div>");
  }
}

void WriteDocuments(HtmlWriter& page, const Case& the_case) {
  if (the_case.documents.empty()) return;
  page.Raw("<h4>Sources</h4><ul class=list>");
  for (const CaseDocument& document : the_case.documents) {
    page.Raw("<li><div>").CutText(document.title, kCriterionBytesMax).Raw("<p class=meta>");
    page.CutText(document.url, kCriterionBytesMax);
    if (!document.path.empty()) page.Raw(" · ").CutText(document.path, kCriterionBytesMax);
    page.Raw("</p></div>");
  }
  page.Raw("</ul>");
}

// Systems under test are looked at for what they fail at: cases with errors first, then by their mean.
std::vector<CaseIndex> OrderOfCases(const PageModel& model) {
  std::vector<CaseIndex> order(model.suite->cases.size());
  std::iota(order.begin(), order.end(), CaseIndex{0});
  const std::vector<Variant>& variants = model.suite->variants;
  const bool failures_first = std::any_of(variants.begin(), variants.end(),
                                          [](const Variant& variant) { return variant.profile.has_value(); });
  if (!failures_first) return order;
  const auto key = [&model](CaseIndex index) {
    const MapRow& row = model.rows[index];
    const bool has_error = std::any_of(row.fields.begin(), row.fields.end(),
                                       [](const MapField& field) { return field.errors > 0; });
    return has_error ? -1.0 : row.mean.value_or(0);
  };
  std::stable_sort(order.begin(), order.end(), [&key](CaseIndex a, CaseIndex b) { return key(a) < key(b); });
  return order;
}

// The table of criteria x variants of one case, filled while its answers are written below it would come too
// late, so the pairs' point means are gathered first.
struct CriteriaTable {
  std::vector<std::vector<std::string>> fields;      // by check, by rank: FieldMarkup
  std::vector<std::vector<std::size_t>> best_paths;  // by child of the tree, by rank: from 1; 0: none counts
};

class CriteriaWriter {
 public:
  CriteriaWriter(HtmlWriter& page, const PageModel& model, const Case& the_case, const CriteriaTable& table)
      : page_(page),
        case_(the_case),
        table_(table),
        columns_(std::min(model.by_rank.size(), kCriteriaColumnsMax)) {}

  void Write() {
    page_.Raw("<h4>Criteria</h4><div class=scroll><table class=\"map points\"><thead><tr><td>");
    for (std::size_t rank = 0; rank < columns_; ++rank) page_.Raw(fmt::format("<th scope=col>{}", rank + 1));
    page_.Raw("</thead><tbody>");
    for (const CheckNode& child : case_.tree.children) {
      if (child.op == CheckNode::Op::kLeaf) WriteRow(child.check, "");
    }
    for (std::size_t i = 0; i < case_.tree.children.size(); ++i) {
      const CheckNode& child = case_.tree.children[i];
      if (child.op != CheckNode::Op::kLeaf) WriteAlternatives(child, table_.best_paths[i]);
    }
    page_.Raw("</tbody></table></div>");
  }

 private:
  void WriteAlternatives(const CheckNode& node, const std::vector<std::size_t>& best) {
    const bool is_any = node.op == CheckNode::Op::kAny;
    page_.Raw("<tr class=group><th scope=row>");
    page_.Raw(is_any ? "The best alternative counts; it is number" : "All of these:");
    for (std::size_t rank = 0; is_any && rank < columns_; ++rank) {
      page_.Raw(best[rank] == 0 ? "<td>" : fmt::format("<td>{}", best[rank]));
    }
    for (std::size_t i = 0; i < node.children.size(); ++i) WritePath(node.children[i], i + 1);
  }

  void WritePath(const CheckNode& node, std::size_t number) {
    if (node.op == CheckNode::Op::kLeaf) return WriteRow(node.check, fmt::format("{}. ", number));
    for (const CheckNode& child : node.children) WritePath(child, number);
  }

  void WriteRow(CheckIndex index, std::string_view path) {
    const Check& check = case_.checks[index];
    page_.Raw(path.empty() ? "<tr><th scope=row>" : "<tr class=alt><th scope=row>").Raw(path);
    if (check.invert) page_.Raw("<span class=not>not: </span>");
    page_.CutText(check.text, kCriterionBytesMax);
    if (check.weight != 1) page_.Raw(fmt::format(" <small>× {}</small>", check.weight));
    if (!check.citation.is_nullish()) {
      page_.Raw(" <small>");
      WriteCitation(page_, check.citation);
      page_.Raw("</small>");
    }
    for (std::size_t rank = 0; rank < columns_; ++rank) page_.Raw("<td").Raw(table_.fields[index][rank]);
  }

  HtmlWriter& page_;
  const Case& case_;
  const CriteriaTable& table_;
  std::size_t columns_;
};

// The pairs of one case that the page shows, by rank: it holds one case's at a time.
Result<std::vector<Pair>> ShownPairsOf(const PageModel& model, CaseIndex index) {
  std::vector<Pair> pairs;
  const auto keep = [&pairs](const Pair& pair) {
    pairs.push_back(pair);
    return Ok();
  };
  if (!model.large) ASSAY_CHECK_OK(ForEachPairOf(*model.report, index, CellParts::kShown, keep));
  for (const PageModel::Selected& pair : model.selected) {
    if (pair.case_index != index) continue;
    ASSAY_CHECK_OK(
        ForEachPairIn(*model.report, CellRange::OfPair(index, pair.variant), CellParts::kShown, keep));
  }
  std::sort(pairs.begin(), pairs.end(), [&](const Pair& a, const Pair& b) {
    return model.rank_of[a.variant] < model.rank_of[b.variant];
  });
  return pairs;
}

CriteriaTable GatherCriteria(const PageModel& model, CaseIndex index, const std::vector<Pair>& pairs) {
  const Case& the_case = model.suite->cases[index];
  CriteriaTable table;
  table.fields.assign(the_case.checks.size(), std::vector<std::string>(model.by_rank.size(), ">"));
  table.best_paths.assign(the_case.tree.children.size(), std::vector<std::size_t>(model.by_rank.size()));
  for (const Pair& pair : pairs) {
    for (std::size_t i = 0; i < the_case.checks.size(); ++i) {
      const bool has_score = i < pair.shown.scores.size();
      const bool missing =
          has_score ? pair.shown.scores[i].state == ScoreState::kMissing : !pair.shown.grading_error.empty();
      const bool error = has_score ? pair.shown.scores[i].state == ScoreState::kError : !missing;
      table.fields[i][model.rank_of[pair.variant]] = FieldMarkup(
          {.mean = pair.points[i], .any_error = error, .any_partial = missing, .any_unscored = true});
    }
    for (std::size_t i = 0; i < the_case.tree.children.size(); ++i) {
      const auto best = BestPathOf(the_case.tree.children[i], the_case, pair);
      if (best) table.best_paths[i][model.rank_of[pair.variant]] = best->child + 1;
    }
  }
  return table;
}

// The answers of one case by rank.
Status WriteAnswers(HtmlWriter& page, const PageModel& model, CaseIndex index,
                    const std::vector<Pair>& pairs) {
  page.Raw("<h4>Answers</h4>");
  for (const Pair& pair : pairs) {
    std::vector<NumberedAttempt> attempts;
    if (HasAttempts(*model.suite, index)) {
      CellRange range = CellRange::OfPair(index, pair.variant);
      range.attempts = model.limits.attempts;
      ASSAY_CHECK_OK(ForEachAttemptIn(*model.report, range, CellParts::kAll,
                                      [&](AttemptIndex attempt, const Pair& alone) -> Status {
                                        attempts.push_back({attempt, alone});
                                        return Ok();
                                      }));
    }
    WriteAnswer(page, model, pair, attempts);
  }
  return page.status();
}

Status WriteCase(HtmlWriter& page, const PageModel& model, CaseIndex index) {
  const Case& the_case = model.suite->cases[index];
  const std::optional<double> mean = model.large ? std::nullopt : model.rows[index].mean;
  page.Raw(fmt::format("<details class=case id=c{} data-mean={:.4f}><summary><h3>", index, mean.value_or(2)));
  page.Text(CutToBytes(the_case.id, kSummaryBytesShown)).Raw("</h3><p>");
  page.Text(CutToBytes(FirstQuestion(the_case), kSummaryBytesShown)).Raw("</p>");
  if (mean)
    page.Raw(
        fmt::format("<span class=\"chip {}\">{}</span>", ScoreClass(*mean), ScoreText(*mean, kFieldDigits)));
  page.Raw("</summary><div class=body>");
  if (!the_case.description.empty()) page.Markdown(the_case.description, model.limits.prompt);
  WriteMeta(page, the_case);
  WriteConversation(page, model, the_case);
  WriteDocuments(page, the_case);
  ASSAY_TRY(const std::vector<Pair> pairs, ShownPairsOf(model, index));
  if (model.limits.shows_criteria && !the_case.checks.empty()) {
    const CriteriaTable table = GatherCriteria(model, index, pairs);
    CriteriaWriter(page, model, the_case, table).Write();
  }
  ASSAY_CHECK_OK(WriteAnswers(page, model, index, pairs));
  page.Raw("</div></details>\n");
  return page.status();
}

}  // namespace

Status WriteCases(HtmlWriter& page, const PageModel& model) {
  page.Raw(
      model.large
          ? "<section><h2>Lowest scores and errors</h2><p>The run is too large to show every answer here. "
          : "<section><h2>Cases</h2><p>What was asked, how each criterion was met, and every answer. ");
  page.Raw("Any answer in full: <code>assay show ")
      .Text(model.report->run.run_id)
      .Raw(" --case ID</code></p>\n");
  std::optional<CaseIndex> last;
  for (const PageModel::Selected& pair : model.selected) {
    if (last != pair.case_index) ASSAY_CHECK_OK(WriteCase(page, model, pair.case_index));
    last = pair.case_index;
  }
  if (!model.large) {
    for (const CaseIndex index : OrderOfCases(model)) ASSAY_CHECK_OK(WriteCase(page, model, index));
  }
  page.Raw("</section>\n");
  return page.status();
}

}  // namespace assay
