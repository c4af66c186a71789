// Computes the cells of a generated report from their numbers.
#include "tests/support/generated_report.h"

#include <algorithm>

#include <string>
#include <utility>

#include "spec/suite/suite.h"

namespace assay::testing {
namespace {

constexpr std::string_view kWords =
    "The office opens at nine & closes at five; bring the form, an id and \"proof\" of address. ";

std::string TextOf(std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += kWords;
  text.resize(bytes);
  return text;
}

double ScoreAt(std::size_t place) { return static_cast<double>(place * 7919 % 101) / 100; }

Score MakeScore(const ReportShape& shape, std::size_t place, bool judged) {
  if (place % 97 == 0) return Score::Failure("the judges gave replies that cannot be read");
  Score score = Score::Of(ScoreAt(place));
  for (std::size_t i = 0; judged && i < shape.judges; ++i) {
    score.evidence.push_back(
        {"judge-" + std::to_string(i) + "(acme:judge)", score.value, TextOf(shape.reason_bytes)});
  }
  return score;
}

Cell MakeCell(const ReportShape& shape, std::size_t c, std::size_t v, AttemptIndex attempt) {
  const std::size_t place = (c * shape.variants + v) * shape.attempts + attempt;
  Cell cell;
  cell.case_index = static_cast<CaseIndex>(c);
  cell.variant = static_cast<VariantIndex>(v);
  cell.attempt = attempt;
  Transcript& transcript = cell.record.transcript;
  if (place % 211 == 0) {
    cell.state = CellState::kError;
    transcript.error = "HTTP 500 after 3 tries";
    return cell;
  }
  cell.state = CellState::kScored;
  cell.score = ScoreAt(place);
  transcript.answer = TextOf(shape.answer_bytes);
  transcript.generated_texts = {transcript.answer};
  transcript.history = {{Role::kUser, "When is the office open?"}, {Role::kAssistant, transcript.answer}};
  for (std::size_t i = 0; i < shape.checks; ++i) {
    cell.record.scores.push_back(MakeScore(shape, place * 31 + i, i % 2 == 0));
  }
  return cell;
}

Case MakeCase(const ReportShape& shape, std::size_t index) {
  Case c;
  c.id = "case-" + std::to_string(index);
  c.turns = {{Role::kUser, TurnKind::kText, TextOf(300), {}},
             {Role::kAssistant, TurnKind::kGenerate, "", {}}};
  for (std::size_t i = 0; i < shape.checks; ++i) {
    Check check;
    check.kind = i % 2 == 0 ? std::string(kJudgeKind) : "icontains";
    check.text = "Says what a visitor must bring, number " + std::to_string(i);
    CheckNode leaf;
    leaf.op = CheckNode::Op::kLeaf;
    leaf.check = static_cast<CheckIndex>(i);
    c.tree.children.push_back(leaf);
    c.checks.push_back(std::move(check));
  }
  return c;
}

Status VisitCase(const ReportShape& shape, std::size_t c, const CellRange& range,
                 const Report::Visitor& visit) {
  const std::size_t last = std::min<std::size_t>(range.last_variant, shape.variants);
  for (std::size_t v = range.first_variant; v < last; ++v) {
    for (AttemptIndex attempt = 0; attempt < shape.attempts; ++attempt) {
      ASSAY_CHECK_OK(visit(MakeCell(shape, c, v, attempt)));
    }
  }
  return Ok();
}

}  // namespace

GeneratedReport::GeneratedReport(const ReportShape& the_shape) : shape(the_shape) {
  suite.id = "generated";
  suite.title = "Generated";
  suite.dialect = "blueprint";
  suite.attempts = shape.attempts;
  for (std::size_t i = 0; i < shape.cases; ++i) suite.cases.push_back(MakeCase(shape, i));
  for (std::size_t i = 0; i < shape.variants; ++i) {
    Variant variant;
    variant.model_id = "openrouter:acme/model-number-" + std::to_string(i);
    variant.id = variant.model_id + "[temp:0]";
    suite.variants.push_back(std::move(variant));
  }
  Map details;
  details.Append("evalMethodsUsed", List{"llm-coverage"});
  suite.details = std::move(details);
  report.suite = &suite;
  report.run.run_id = "20260101T000000-0000";
  report.run.run_label = "generated";
  for (std::size_t i = 0; i < shape.variants; ++i) {
    VariantSummary summary;
    summary.variant = static_cast<VariantIndex>(i);
    summary.cells = summary.scored = shape.cases * shape.attempts;
    summary.mean = ScoreAt(i);
    report.variants.push_back(summary);
  }
  report.for_each_cell = [this](const CellRange& range, CellParts, const Report::Visitor& visit) -> Status {
    const std::size_t last = std::min<std::size_t>(range.last_case, shape.cases);
    for (std::size_t c = range.first_case; c < last; ++c) ASSAY_CHECK_OK(VisitCase(shape, c, range, visit));
    return Ok();
  };
}

}  // namespace assay::testing
