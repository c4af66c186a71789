// Exports results of promptfoo, version 3 of its JSON, as `promptfoo import` and its viewer read them: a
// prompt for each variant, a test for each case and attempt.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "report/decide/groups/group_tables.h"
#include "report/export/cells.h"
#include "report/export/promptfoo_table.h"
#include "report/values/json.h"
#include "report/values/points.h"
#include "spec/score/expectations.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::string_view kPrompt = "{{prompt}}";
constexpr int kFailedByAssert = 1;
constexpr int kPromptfooFailedByError = 2;

// A name for a result that is the same whenever it is exported.
std::string IdOf(const Report& report, const Cell& cell) {
  const std::string hash =
      PromptfooId(fmt::format("{}/{}/{}/{}", report.run.run_id, cell.case_index, cell.variant, cell.attempt));
  return fmt::format("{}-{}-4{}-8{}-{}", hash.substr(0, 8), hash.substr(8, 4), hash.substr(12, 3),
                     hash.substr(15, 3), hash.substr(18, 12));
}

Value Tokens(const Usage& usage) {
  return Object{{"prompt", Number(usage.input_tokens)},
                {"completion", Number(usage.output_tokens)},
                {"total", Number(usage.input_tokens + usage.output_tokens)},
                {"cached", Number(usage.cached_read_tokens)}};
}

// How promptfoo calls a check of this kind, as far as it has one.
std::string AssertType(const Check& check) {
  std::string type = check.IsCriterion() ? "llm-rubric" : check.kind;
  for (char& c : type) {
    if (c == '_') c = '-';
  }
  return (check.invert ? "not-" : "") + type;
}

Value AssertionOf(const Check& check) {
  return Object{{"type", AssertType(check)},
                {"value", check.text},
                {"weight", check.weight},
                {"threshold", check.threshold},
                {"metric", UnlessEmpty(*check.metric)}};
}

Value GradingOf(const Suite& suite, const Cell& cell, const PassRule& pass) {
  Case extracted;
  const Case& the_case = CheckedCase(suite, cell, extracted);
  List parts;
  for (std::size_t i = 0; i < std::min(cell.record.scores.size(), the_case.checks.size()); ++i) {
    const Score& score = cell.record.scores[i];
    const double share = score.state != ScoreState::kScored ? 0
                         : score.max == 0                   ? score.value
                                                            : score.value / score.max;
    Map part;
    const Check& check = the_case.checks[i];
    Extend(part, {{"pass", check.threshold || score.verdict ? Holds(check, score).value_or(false)
                                                            : share >= pass.UsualMark(suite)},
                  {"score", NumberOrNull(share)},
                  {"reason", score.failed() ? score.error : score.explanation},
                  {"assertion", AssertionOf(check)}});
    parts.emplace_back(std::move(part));
  }
  return Object{
      {"pass", IsPassed(suite, cell, pass)},
      {"score", cell.state == CellState::kScored ? NumberOrNull(cell.score) : Value(0)},
      {"reason", IsPassed(suite, cell, pass) ? std::string("All assertions passed") : WhyOf(suite, cell)},
      {"componentResults", std::move(parts)}};
}

// The mean of the scores of each metric, by the weights of their checks.
Value NamedScores(const Suite& suite, const Cell& cell) {
  struct Sum {
    double weighted = 0;
    double weight = 0;
  };
  Case extracted;
  const Case& the_case = CheckedCase(suite, cell, extracted);
  std::map<std::string, Sum> sums;
  for (std::size_t i = 0; i < std::min(cell.record.scores.size(), the_case.checks.size()); ++i) {
    const Score& score = cell.record.scores[i];
    if (score.metric.empty() || score.state != ScoreState::kScored) continue;
    Sum& sum = sums[score.metric];
    sum.weighted += score.value * the_case.checks[i].weight;
    sum.weight += the_case.checks[i].weight;
  }
  Map named;
  for (const auto& [name, sum] : sums)
    named.Append(name, NumberOrNull(sum.weight == 0 ? 0 : sum.weighted / sum.weight));
  return Value(std::move(named));
}

Value Provider(const Variant& variant) { return Object{{"id", variant.model_id}, {"label", variant.id}}; }

std::string PromptOf(const Case& the_case) {
  const std::vector<Message> turns = FixedTurns(the_case);
  return turns.size() == 1 ? turns.front().text : CompactJson(MessagesValue(turns));
}

Value Vars(const Case& the_case) { return Object{{"prompt", PromptOf(the_case)}}; }

// Where a case's tests begin: one for each attempt.
std::vector<std::uint64_t> FirstTests(const Suite& suite) {
  std::vector<std::uint64_t> first;
  std::uint64_t next = 0;
  for (const Case& the_case : suite.cases) {
    first.push_back(next);
    next += the_case.attempts.value_or(suite.attempts);
  }
  return first;
}

Value ResultOf(const Report& report, const Cell& cell, std::uint64_t test, std::size_t prompt,
               const PassRule& pass) {
  const Suite& suite = *report.suite;
  const Case& the_case = suite.cases[cell.case_index];
  const Variant& variant = suite.variants[cell.variant];
  const Transcript& transcript = cell.record.transcript;
  const bool is_scored = cell.state == CellState::kScored;
  Map metadata =
      Object{{"case", the_case.id}, {"attempt", cell.attempt + 1}, {"state", CellStateName(cell.state)}};
  for (std::size_t d = 0; d < the_case.groups->size(); ++d)
    metadata.Append(DimensionName(d), TextOrNull((*the_case.groups)[d]));
  const std::string why = WhyOf(suite, cell);
  return Object{
      {"id", IdOf(report, cell)},
      {"promptIdx", prompt},
      {"testIdx", test},
      {"testCase", Object{{"description", the_case.id},
                          {"vars", Vars(the_case)},
                          {"assert", ArrayOf(the_case.checks, AssertionOf)},
                          {"metadata", metadata}}},
      {"promptId", PromptfooId(kPrompt)},
      {"provider", Provider(variant)},
      {"prompt", Object{{"raw", PromptOf(the_case)}, {"label", kPrompt}}},
      {"vars", Vars(the_case)},
      {"response", Object{{"output", transcript.error.empty() ? Value(transcript.SubjectText()) : Value()},
                          {"tokenUsage", Tokens(cell.record.usage.OfAnswers())},
                          {"cached", false},
                          {"error", UnlessEmpty(transcript.error)}}},
      {"gradingResult", is_scored ? Value(GradingOf(suite, cell, pass)) : Value()},
      {"success", IsPassed(suite, cell, pass)},
      {"score", is_scored ? NumberOrNull(cell.score) : Value(0)},
      {"latencyMs", 0},
      {"cost", 0},
      {"failureReason", IsPassed(suite, cell, pass) ? 0
                        : is_scored                 ? kFailedByAssert
                                                    : kPromptfooFailedByError},
      {"error",
       When(!is_scored, why.empty() ? fmt::format("the cell is {}", CellStateName(cell.state)) : why)},
      {"namedScores", NamedScores(suite, cell)},
      {"metadata", metadata}};
}

struct Tally {
  std::uint64_t passed = 0, failed = 0, errors = 0;
  double score = 0;
  Usage usage;
  void Add(const Suite& suite, const Cell& cell, const PassRule& pass) {
    usage += cell.record.usage.OfAnswers();
    if (cell.state != CellState::kScored) {
      ++errors;
      return;
    }
    score += cell.score;
    ++(IsPassed(suite, cell, pass) ? passed : failed);
  }
};

Value PromptOf(const Variant& variant, const Tally& tally) {
  return Object{{"id", PromptfooId(kPrompt)},
                {"raw", kPrompt},
                {"label", kPrompt},
                {"provider", variant.id},
                {"metrics", Object{{"score", NumberOrNull(tally.score)},
                                   {"testPassCount", tally.passed},
                                   {"testFailCount", tally.failed},
                                   {"testErrorCount", tally.errors},
                                   {"assertPassCount", tally.passed},
                                   {"assertFailCount", tally.failed},
                                   {"totalLatencyMs", 0},
                                   {"tokenUsage", Tokens(tally.usage)},
                                   {"namedScores", Map{}},
                                   {"namedScoresCount", Map{}},
                                   {"cost", 0}}}};
}

// Cells that were never asked are no results.
Status ForEachResult(const Report& report, const ExportAsk& ask, CellParts parts,
                     const Report::Visitor& visit) {
  return report.for_each_cell(CellsOf(ask), parts, [&](const Cell& cell) {
    return cell.state == CellState::kSkipped ? Ok() : visit(cell);
  });
}

// What the cells of each variant add up to.
class TableColumns {
 public:
  explicit TableColumns(const Suite& suite)
      : suite_(suite),
        is_table_(IsPromptfooTable(suite)),
        tallies_(suite.variants.size()),
        columns_(is_table_ ? suite.variants.size() : 0) {}

  bool is_table() const { return is_table_; }
  void Add(const Cell& cell, const PassRule& pass, const AnswerTook* took) {
    if (is_table_) {
      columns_[cell.variant].Add(suite_, cell, pass, took);
    } else {
      tallies_[cell.variant].Add(suite_, cell, pass);
    }
  }
  Value PromptOf(VariantIndex v) const {
    const Variant& variant = suite_.variants[v];
    return is_table_ ? columns_[v].PromptOf(suite_, variant) : assay::PromptOf(variant, tallies_[v]);
  }
  Value Stats() const {
    PromptfooColumn whole;
    for (const PromptfooColumn& each : columns_) each.AddTo(whole);
    if (is_table_) return whole.Stats();
    Tally total;
    for (const Tally& each : tallies_) {
      total.passed += each.passed;
      total.failed += each.failed;
      total.errors += each.errors;
      total.usage += each.usage;
    }
    return Object{{"successes", total.passed},
                  {"failures", total.failed},
                  {"errors", total.errors},
                  {"tokenUsage", Tokens(total.usage)}};
  }

 private:
  const Suite& suite_;
  bool is_table_;
  std::vector<Tally> tallies_;
  std::vector<PromptfooColumn> columns_;
};

std::string Head(const Report& report, const std::vector<VariantIndex>& variants,
                 const TableColumns& columns) {
  List prompts = ArrayOf(variants, [&](const VariantIndex v) { return columns.PromptOf(v); });
  std::string time = IsoText(report.run.started_ms);
  time.replace(time.find('+'), std::string::npos, ".000Z");
  return fmt::format(
      "{{\"evalId\":{},\"results\":{{\"version\":3,\"timestamp\":{},\"prompts\":{},\"results\":[\n",
      CompactJson(
          Value(fmt::format("eval-{}-{}", PromptfooId(report.run.run_id).substr(0, 3), time.substr(0, 19)))),
      CompactJson(Value(time)), CompactJson(Value(std::move(prompts))));
}

// The prompts of the config, each once.
List PromptsOf(const Suite& suite) {
  if (!IsPromptfooTable(suite)) return {Value(kPrompt)};
  List prompts;
  for (const Variant& variant : suite.variants) {
    Value raw = variant.details.Find("prompt")->TextAt("raw");
    const bool is_known = std::any_of(prompts.begin(), prompts.end(),
                                      [&](const Value& known) { return SameValue(known, raw); });
    if (!is_known) prompts.push_back(std::move(raw));
  }
  return prompts;
}

std::string Tail(const Report& report, const std::vector<VariantIndex>& variants,
                 const TableColumns& columns) {
  const Suite& suite = *report.suite;
  return fmt::format(
      "\n],\"stats\":{}}},\"config\":{},\"shareableUrl\":null,\"metadata\":{}}}\n",
      CompactJson(columns.Stats()),
      CompactJson(Object{
          {"description", suite.title.empty() ? suite.id : suite.title},
          {"providers", ArrayOf(variants, [&](const VariantIndex v) { return Provider(suite.variants[v]); })},
          {"prompts", PromptsOf(suite)}}),
      CompactJson(Object{{"exportedBy", fmt::format("assay {}", report.run.assay_version)},
                         {"evaluationCreatedAt", IsoText(report.run.started_ms)},
                         {"stopped", TextOrNull(report.stopped)}}));
}

}  // namespace

Status ExportPromptfoo(const Report& report, const ExportAsk& ask, Sink& sink) {
  const std::vector<VariantIndex> variants = VariantsOf(report, ask);
  const Suite& suite = *report.suite;
  TableColumns columns(suite);
  AnswerUses uses;
  if (columns.is_table()) {
    ASSAY_TRY(uses, AnswerUses::Of(report, ask));
  }
  ASSAY_CHECK_OK(ForEachResult(report, ask, CellParts::kScores, [&](const Cell& cell) {
    columns.Add(cell, ask.pass, uses.Find(cell));
    return Ok();
  }));
  std::string out = Head(report, variants, columns);
  const std::vector<std::uint64_t> tests = FirstTests(*report.suite);
  bool is_first = true;
  ASSAY_CHECK_OK(ForEachResult(report, ask, CellParts::kAll, [&](const Cell& cell) {
    if (!is_first) out += ",\n";
    is_first = false;
    const std::size_t prompt = ask.variant ? 0 : cell.variant;
    const Value result =
        columns.is_table()
            ? PromptfooResult(suite, cell, IdOf(report, cell), prompt, ask.pass, uses.Find(cell))
            : ResultOf(report, cell, tests[cell.case_index] + cell.attempt, prompt, ask.pass);
    AppendJson(result, JsonStyle::kJavaScript, out);
    if (out.size() < kExportPieceBytes) return Ok();
    const Status written = sink.Write(out);
    out.clear();
    return written;
  }));
  return sink.Write(out + Tail(report, variants, columns));
}

}  // namespace assay
