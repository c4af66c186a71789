// Exports results of promptfoo, version 3 of its JSON, as `promptfoo import` and its viewer read them: a
// prompt for each variant, a test for each case and attempt.
#include <fmt/core.h>

#include <map>

#include "base/hash.h"
#include "report/export/cells.h"
#include "report/values/json.h"
#include "report/values/points.h"
#include "spec/score/expectations.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::string_view kPrompt = "{{prompt}}";
constexpr int kFailedByAssert = 1;
constexpr int kPromptfooFailedByError = 2;

std::string PromptfooHashOf(std::string_view text) { return Hex(Sha256Of(text)); }

// A name for a result that is the same whenever it is exported.
std::string IdOf(const Report& report, const Cell& cell) {
  const std::string hash = PromptfooHashOf(
      fmt::format("{}/{}/{}/{}", report.run.run_id, cell.case_index, cell.variant, cell.attempt));
  return fmt::format("{}-{}-4{}-8{}-{}", hash.substr(0, 8), hash.substr(8, 4), hash.substr(12, 3),
                     hash.substr(15, 3), hash.substr(18, 12));
}

Value Tokens(const Usage& usage) {
  Map map;
  map.Append("prompt", static_cast<double>(usage.input_tokens));
  map.Append("completion", static_cast<double>(usage.output_tokens));
  map.Append("total", static_cast<double>(usage.input_tokens + usage.output_tokens));
  map.Append("cached", static_cast<double>(usage.cached_read_tokens));
  return Value(std::move(map));
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
  Map map;
  map.Append("type", AssertType(check));
  map.Append("value", check.text);
  map.Append("weight", check.weight);
  if (check.threshold) map.Append("threshold", *check.threshold);
  if (!check.metric->empty()) map.Append("metric", *check.metric);
  return Value(std::move(map));
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
    part.Append("pass", check.threshold ? Holds(check, score).value_or(false) : share >= pass.mark);
    part.Append("score", NumberOrNull(share));
    part.Append("reason", score.failed() ? score.error : score.explanation);
    part.Append("assertion", AssertionOf(check));
    parts.emplace_back(std::move(part));
  }
  Map map;
  map.Append("pass", IsPassed(suite, cell, pass));
  map.Append("score", cell.state == CellState::kScored ? NumberOrNull(cell.score) : Value(0));
  map.Append("reason",
             IsPassed(suite, cell, pass) ? std::string("All assertions passed") : WhyOf(suite, cell));
  map.Append("componentResults", std::move(parts));
  return Value(std::move(map));
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

Value Provider(const Variant& variant) {
  Map map;
  map.Append("id", variant.model_id);
  map.Append("label", variant.id);
  return Value(std::move(map));
}

Value Vars(const Case& the_case) {
  const std::vector<Message> turns = FixedTurns(the_case);
  Map vars;
  vars.Append("prompt", turns.size() == 1 ? turns.front().text : CompactJson(MessagesValue(turns)));
  return Value(std::move(vars));
}

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
  Map map;
  map.Append("id", IdOf(report, cell));
  map.Append("promptIdx", static_cast<double>(prompt));
  map.Append("testIdx", static_cast<double>(test));
  Map test_case;
  test_case.Append("description", the_case.id);
  test_case.Append("vars", Vars(the_case));
  List assertions;
  for (const Check& check : the_case.checks) assertions.push_back(AssertionOf(check));
  test_case.Append("assert", std::move(assertions));
  Map metadata;
  metadata.Append("case", the_case.id);
  metadata.Append("attempt", static_cast<double>(cell.attempt + 1));
  metadata.Append("state", CellStateName(cell.state));
  test_case.Append("metadata", metadata);
  map.Append("testCase", std::move(test_case));
  map.Append("promptId", PromptfooHashOf(kPrompt));
  map.Append("provider", Provider(variant));
  Map prompt_value;
  prompt_value.Append("raw", Vars(the_case).TextAt("prompt"));
  prompt_value.Append("label", kPrompt);
  map.Append("prompt", std::move(prompt_value));
  map.Append("vars", Vars(the_case));
  Map response;
  if (transcript.error.empty()) response.Append("output", transcript.SubjectText());
  response.Append("tokenUsage", Tokens(cell.record.usage.OfAnswers()));
  response.Append("cached", false);
  if (!transcript.error.empty()) response.Append("error", transcript.error);
  map.Append("response", std::move(response));
  if (is_scored) map.Append("gradingResult", GradingOf(suite, cell, pass));
  map.Append("success", IsPassed(suite, cell, pass));
  map.Append("score", is_scored ? NumberOrNull(cell.score) : Value(0));
  map.Append("latencyMs", 0);
  map.Append("cost", 0);
  map.Append("failureReason", IsPassed(suite, cell, pass) ? 0
                              : is_scored                 ? kFailedByAssert
                                                          : kPromptfooFailedByError);
  if (!is_scored) {
    const std::string why = WhyOf(suite, cell);
    map.Append("error", why.empty() ? fmt::format("the cell is {}", CellStateName(cell.state)) : why);
  }
  map.Append("namedScores", NamedScores(suite, cell));
  map.Append("metadata", std::move(metadata));
  return Value(std::move(map));
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
  Map metrics;
  metrics.Append("score", NumberOrNull(tally.score));
  metrics.Append("testPassCount", static_cast<double>(tally.passed));
  metrics.Append("testFailCount", static_cast<double>(tally.failed));
  metrics.Append("testErrorCount", static_cast<double>(tally.errors));
  metrics.Append("assertPassCount", static_cast<double>(tally.passed));
  metrics.Append("assertFailCount", static_cast<double>(tally.failed));
  metrics.Append("totalLatencyMs", 0);
  metrics.Append("tokenUsage", Tokens(tally.usage));
  metrics.Append("namedScores", Map{});
  metrics.Append("namedScoresCount", Map{});
  metrics.Append("cost", 0);
  Map map;
  map.Append("id", PromptfooHashOf(kPrompt));
  map.Append("raw", kPrompt);
  map.Append("label", kPrompt);
  map.Append("provider", variant.id);
  map.Append("metrics", std::move(metrics));
  return Value(std::move(map));
}

// Cells that were never asked are no results.
Status ForEachResult(const Report& report, const ExportAsk& ask, CellParts parts,
                     const Report::Visitor& visit) {
  return report.for_each_cell(CellsOf(ask), parts, [&](const Cell& cell) {
    return cell.state == CellState::kSkipped ? Ok() : visit(cell);
  });
}

std::string Head(const Report& report, const std::vector<VariantIndex>& variants,
                 const std::vector<Tally>& tallies) {
  List prompts;
  for (const VariantIndex v : variants) prompts.push_back(PromptOf(report.suite->variants[v], tallies[v]));
  std::string time = IsoText(report.run.started_ms);
  time.replace(time.find('+'), std::string::npos, ".000Z");
  return fmt::format(
      "{{\"evalId\":{},\"results\":{{\"version\":3,\"timestamp\":{},\"prompts\":{},\"results\":[\n",
      CompactJson(Value(
          fmt::format("eval-{}-{}", PromptfooHashOf(report.run.run_id).substr(0, 3), time.substr(0, 19)))),
      CompactJson(Value(time)), CompactJson(Value(std::move(prompts))));
}

std::string Tail(const Report& report, const std::vector<VariantIndex>& variants,
                 const std::vector<Tally>& tallies) {
  Tally total;
  for (const Tally& each : tallies) {
    total.passed += each.passed;
    total.failed += each.failed;
    total.errors += each.errors;
    total.usage += each.usage;
  }
  Map stats;
  stats.Append("successes", static_cast<double>(total.passed));
  stats.Append("failures", static_cast<double>(total.failed));
  stats.Append("errors", static_cast<double>(total.errors));
  stats.Append("tokenUsage", Tokens(total.usage));
  const Suite& suite = *report.suite;
  Map config;
  config.Append("description", suite.title.empty() ? suite.id : suite.title);
  List providers;
  for (const VariantIndex v : variants) providers.push_back(Provider(suite.variants[v]));
  config.Append("providers", std::move(providers));
  config.Append("prompts", List{Value(kPrompt)});
  Map metadata;
  metadata.Append("exportedBy", fmt::format("assay {}", report.run.assay_version));
  metadata.Append("evaluationCreatedAt", IsoText(report.run.started_ms));
  return fmt::format("\n],\"stats\":{}}},\"config\":{},\"shareableUrl\":null,\"metadata\":{}}}\n",
                     CompactJson(Value(std::move(stats))), CompactJson(Value(std::move(config))),
                     CompactJson(Value(std::move(metadata))));
}

}  // namespace

Status ExportPromptfoo(const Report& report, const ExportAsk& ask, Sink& sink) {
  const std::vector<VariantIndex> variants = VariantsOf(report, ask);
  std::vector<Tally> tallies(report.suite->variants.size());
  ASSAY_CHECK_OK(ForEachResult(report, ask, CellParts::kScores, [&](const Cell& cell) {
    tallies[cell.variant].Add(*report.suite, cell, ask.pass);
    return Ok();
  }));
  std::string out = Head(report, variants, tallies);
  const std::vector<std::uint64_t> tests = FirstTests(*report.suite);
  bool is_first = true;
  ASSAY_CHECK_OK(ForEachResult(report, ask, CellParts::kAll, [&](const Cell& cell) {
    if (!is_first) out += ",\n";
    is_first = false;
    const std::size_t prompt = ask.variant ? 0 : cell.variant;
    AppendJson(ResultOf(report, cell, tests[cell.case_index] + cell.attempt, prompt, ask.pass),
               JsonStyle::kJavaScript, out);
    if (out.size() < kExportPieceBytes) return Ok();
    const Status written = sink.Write(out);
    out.clear();
    return written;
  }));
  return sink.Write(out + Tail(report, variants, tallies));
}

}  // namespace assay
