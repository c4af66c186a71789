// Adds the assertions of each cell up, and words them as promptfoo does.
#include "report/export/promptfoo_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "spec/score/expectations.h"
#include "spec/suite/suite.h"
#include "text/found.h"
#include "text/javascript/number.h"
#include "text/numbers/formula.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr int kNoFailure = 0;
constexpr int kFailedByAssertion = 1;
constexpr int kFailedByError = 2;
constexpr std::string_view kAssertionSet = "assert-set";

double& NumberOfName(NamedNumbers& numbers, std::string_view name) {
  for (auto& [known, number] : numbers) {
    if (known == name) return number;
  }
  return numbers.emplace_back(name, 0.0).second;
}

Value NumbersValue(const NamedNumbers& numbers) {
  Map map;
  for (const auto& [name, number] : numbers) map.Append(name, number);
  return Value(std::move(map));
}

// The score as the assertion gave it, before it was held within its bounds.
double ScoreAsGiven(const Score& score) { return score.remark.NumberAt("raw").value_or(score.value); }

const Value& AssertionIn(const Check& check) {
  static const Value kNone;
  const Value* assertion = check.args.Find("assertion");
  return assertion == nullptr ? kNone : *assertion;
}

Value Component(bool pass, double score, std::string_view reason, const Value& assertion) {
  return Object{{"pass", pass}, {"score", score}, {"reason", reason}, {"assertion", assertion}};
}

class TestAdder {
 public:
  explicit TestAdder(PromptfooTest& test) : test_(test) {}

  void Add(const Check& check, const Score& score) {
    const bool pass = Holds(check, score).value_or(false);
    const double given = ScoreAsGiven(score);
    total_ += given * check.weight;
    weight_ += check.weight;
    Name(*check.metric, given, check.weight, 1);
    for (const Member& named : score.remark.MapAt("named_scores")) {
      if (named.key != *check.metric) Name(named.key, named.value.AsNumber(), check.weight, 1);
    }
    if (!pass) test_.last_fail = score.explanation;
    has_failed_ = has_failed_ || !pass;
    AddComponents(check, score, pass, given);
  }

  void Close(const Case& the_case, bool pass) {
    test_.pass = pass;
    test_.score = weight_ > 0 ? total_ / weight_ : 0;
    test_.reason = has_failed_ ? test_.last_fail : "All assertions passed";
    if (the_case.checks.empty()) {
      test_.score = 1;
      test_.reason = "No assertions";
    }
    const std::optional<double> threshold = the_case.details.NumberAt("threshold");
    if (threshold && !the_case.checks.empty())
      test_.reason = fmt::format("Aggregate score {} {} {} threshold", JsToFixed(test_.score, 2),
                                 pass ? "≥" : "<", JsNumberText(*threshold));
    for (auto& [name, sum] : test_.named_scores) {
      const double weight = NumberOfName(test_.named_weights, name);
      sum = weight == 0 ? 0 : sum / weight;
    }
  }

 private:
  void Name(const std::string& name, double score, double weight, double count) {
    if (name.empty()) return;
    NumberOfName(test_.named_scores, name) += score * weight;
    NumberOfName(test_.named_weights, name) += weight;
    NumberOfName(test_.named_counts, name) += count;
  }

  void AddOne(bool pass, Value component) {
    ++(pass ? test_.passed : test_.failed);
    test_.components.push_back(std::move(component));
  }

  // A set stands before its members, which it also has.
  void AddComponents(const Check& check, const Score& score, bool pass, double given) {
    const Value& assertion = AssertionIn(check);
    if (assertion.TextAt("type") != kAssertionSet)
      return AddOne(pass, Component(pass, given, score.explanation, assertion));
    const List& members = assertion.ListAt("assert");
    List parts;
    const List& components = score.remark.ListAt("components");
    for (std::size_t i = 0; i < components.size(); ++i) {
      const Value& part = components[i];
      parts.push_back(Component(part.BoolAt("pass").value_or(false), part.NumberAt("score").value_or(0),
                                part.TextAt("reason"), i < members.size() ? members[i] : Value()));
    }
    Map set = assertion.AsMap();
    set.Erase("assert");
    set.Set("assertionCount", Number(members.size()));
    AddOne(pass, Object{{"pass", pass},
                        {"score", given},
                        {"reason", score.explanation},
                        {"namedScores", Map()},
                        {"componentResults", parts},
                        {"metadata", Object{{"assertionSet", std::move(set)}}}});
    for (Value& part : parts) {
      const bool part_passes = part.BoolAt("pass").value_or(false);
      AddOne(part_passes, std::move(part));
    }
  }

  PromptfooTest& test_;
  double total_ = 0;
  double weight_ = 0;
  bool has_failed_ = false;
};

// What promptfoo counts of tokens; `of_graders`: undefined where it counts them elsewhere.
Value TokensValue(const Usage& usage, std::uint64_t requests, Value of_graders) {
  return Object{
      {"prompt", Number(usage.input_tokens)},
      {"completion", Number(usage.output_tokens)},
      {"cached", Number(usage.cached_read_tokens)},
      {"total", Number(usage.input_tokens + usage.output_tokens)},
      {"numRequests", Number(requests)},
      {"completionDetails", Object{{"reasoning", Number(usage.reasoning_tokens)},
                                   {"acceptedPrediction", 0},
                                   {"rejectedPrediction", 0},
                                   {"cacheReadInputTokens", Number(usage.cached_read_tokens)},
                                   {"cacheCreationInputTokens", Number(usage.cached_write_tokens)}}},
      {"assertions", std::move(of_graders)}};
}

// {prompt, completion, cached, total, numRequests, ...} of answers and of graders.
Value PromptfooTokens(const Usage& answers, std::uint64_t requests, const Usage& graders,
                      std::uint64_t grader_requests) {
  return TokensValue(answers, requests, TokensValue(graders, grader_requests, Value()));
}

// What the script of a service says of its tokens; null: nothing.
const Map* ToldTokens(const AttemptRecord& record) {
  const Value& details = record.transcript.told.details;
  return details.is_map() ? FindMap(details, "tokenUsage") : nullptr;
}

// What the answer used: as the replies say, else as a script does.
Usage UsageOfAnswer(const AttemptRecord& record) {
  Usage usage = record.usage.OfAnswers();
  if (usage.known || ToldTokens(record) == nullptr) return usage;
  for (const auto& [role, used] : record.transcript.told.usage_by_role) usage += used;
  return usage;
}

Value ResponseTokens(const AttemptRecord& record) {
  const Map* told = ToldTokens(record);
  return told != nullptr ? Value(*told) : TokensValue(UsageOfAnswer(record), 1, Value());
}

double UsdOf(const AnswerTook* took) { return took == nullptr ? 0 : took->usd.value_or(0); }
double MsOf(const AnswerTook* took) {
  constexpr double kMsPerSecond = 1000;
  return took == nullptr ? 0 : std::round(took->seconds.value_or(0) * kMsPerSecond);
}

// The scores with the metrics that the config derives of them, in its order; one that cannot be worked out
// is 0.
NamedNumbers WithDerived(const Suite& suite, NamedNumbers scores, std::uint64_t tests) {
  for (const Value& metric : suite.details.ListAt("derivedMetrics")) {
    std::vector<std::string> names = {"__count"};
    std::vector<double> values = {static_cast<double>(tests)};
    for (const auto& [name, score] : scores) {
      names.push_back(name);
      values.push_back(score);
    }
    const Result<Formula> formula = Formula::Read(metric.TextAt("value"), names);
    const double value = formula ? formula->Of(values) : 0;
    NumberOfName(scores, metric.TextAt("name")) = std::isfinite(value) ? value : 0;
  }
  return scores;
}

Value ProviderOfColumn(const Variant& variant) {
  const Value* provider = variant.details.Find("provider");
  return Object{{"id", provider == nullptr ? variant.model_id : provider->TextAt("id")},
                {"label", provider == nullptr ? std::string() : provider->TextAt("label")}};
}

// The prompt as it was sent.
std::string SentPrompt(const Case& the_case, const Variant& variant) {
  if (const CaseAsking* asking = AskingOf(the_case, variant)) return asking->text;
  return the_case.turns.empty() ? std::string() : the_case.turns.front().text;
}

Value TestCaseOf(const Case& the_case) {
  const Value* test = the_case.row->Find("test");
  const auto member = [&](std::string_view key) {
    const Value* value = test == nullptr ? nullptr : test->Find(key);
    return value == nullptr ? Value() : *value;
  };
  List assertions;
  for (const Check& check : the_case.checks) assertions.push_back(AssertionIn(check));
  return Object{{"vars", the_case.row->MapAt("vars")},
                {"description", member("description")},
                {"threshold", member("threshold")},
                {"assert", std::move(assertions)},
                {"options", test == nullptr ? Map() : test->MapAt("options")},
                {"metadata", test == nullptr ? Map() : test->MapAt("metadata")}};
}

Value GradingValue(const PromptfooTest& test) {
  return Object{{"pass", test.pass},
                {"score", test.score},
                {"reason", test.reason},
                {"namedScores", NumbersValue(test.named_scores)},
                {"namedScoreWeights", When(!test.named_weights.empty(), NumbersValue(test.named_weights))},
                {"componentResults", test.components}};
}

}  // namespace

bool IsPromptfooTable(const Suite& suite) {
  return !suite.variants.empty() && suite.variants.front().details.Find("prompt") != nullptr &&
         suite.variants.front().details.Find("provider") != nullptr;
}

std::string PromptfooId(std::string_view text) { return Hex(Sha256Of(text)); }

PromptfooTest PromptfooTestOf(const Suite& suite, const Cell& cell, const PassRule& pass) {
  PromptfooTest test;
  TestAdder adder(test);
  const Case& the_case = suite.cases[cell.case_index];
  const std::size_t checks = std::min(cell.record.scores.size(), the_case.checks.size());
  for (std::size_t i = 0; i < checks; ++i) adder.Add(the_case.checks[i], cell.record.scores[i]);
  adder.Close(the_case, IsPassed(suite, cell, pass));
  return test;
}

void PromptfooColumn::Add(const Suite& suite, const Cell& cell, const PassRule& pass,
                          const AnswerTook* took) {
  usd_ += UsdOf(took);
  ms_ += MsOf(took);
  answers_ += UsageOfAnswer(cell.record);
  graders_ += cell.record.usage.OfJudging();
  ++requests_;
  if (cell.state != CellState::kScored) {
    ++errors_;
    return;
  }
  const PromptfooTest test = PromptfooTestOf(suite, cell, pass);
  ++(test.pass ? passed_ : failed_);
  score_ += test.score;
  assertions_passed_ += test.passed;
  assertions_failed_ += test.failed;
  NamedNumbers weights = test.named_weights;
  for (const auto& [name, score] : test.named_scores)
    NumberOfName(named_scores_, name) += score * NumberOfName(weights, name);
  for (const auto& [name, count] : test.named_counts) NumberOfName(named_counts_, name) += count;
  for (const auto& [name, weight] : test.named_weights) NumberOfName(named_weights_, name) += weight;
}

Value PromptfooColumn::PromptOf(const Suite& suite, const Variant& variant) const {
  const Value& prompt = *variant.details.Find("prompt");
  const Value provider = ProviderOfColumn(variant);
  const std::string& label = provider.TextAt("label");
  const std::string& id = prompt.TextAt("id");
  return Object{
      {"id", id.empty() ? PromptfooId(prompt.TextAt("label")) : id},
      {"raw", prompt.TextAt("raw")},
      {"label", prompt.TextAt("label")},
      {"provider", label.empty() ? provider.TextAt("id") : label},
      {"metrics", Object{{"score", score_},
                         {"testPassCount", passed_},
                         {"testFailCount", failed_},
                         {"testErrorCount", errors_},
                         {"assertPassCount", assertions_passed_},
                         {"assertFailCount", assertions_failed_},
                         {"totalLatencyMs", ms_},
                         {"tokenUsage", PromptfooTokens(answers_, requests_, graders_, 0)},
                         {"namedScores", NumbersValue(WithDerived(suite, named_scores_, requests_))},
                         {"namedScoresCount", NumbersValue(named_counts_)},
                         {"namedScoreWeights", NumbersValue(named_weights_)},
                         {"cost", usd_}}}};
}

void PromptfooColumn::AddTo(PromptfooColumn& total) const {
  total.passed_ += passed_;
  total.failed_ += failed_;
  total.errors_ += errors_;
  total.requests_ += requests_;
  total.answers_ += answers_;
  total.graders_ += graders_;
}

Value PromptfooColumn::Stats() const {
  return Object{{"successes", passed_},
                {"failures", failed_},
                {"errors", errors_},
                {"tokenUsage", PromptfooTokens(answers_, requests_, graders_, 0)}};
}

Value PromptfooResult(const Suite& suite, const Cell& cell, std::string id, std::size_t column,
                      const PassRule& pass, const AnswerTook* took) {
  const Case& the_case = suite.cases[cell.case_index];
  const Variant& variant = suite.variants[cell.variant];
  const Value& prompt = *variant.details.Find("prompt");
  const bool is_scored = cell.state == CellState::kScored;
  const Transcript& transcript = cell.record.transcript;
  const bool has_answer = transcript.error.empty();
  const PromptfooTest test = is_scored ? PromptfooTestOf(suite, cell, pass) : PromptfooTest();
  const std::string error = is_scored ? (test.pass ? std::string() : test.reason) : WhyOf(suite, cell);
  const Value options = TestCaseOf(the_case);
  return Object{{"cost", UsdOf(took)},
                {"error", UnlessEmpty(error)},
                {"gradingResult", is_scored ? GradingValue(test) : Value(Null())},
                {"id", std::move(id)},
                {"latencyMs", MsOf(took)},
                {"namedScores", NumbersValue(test.named_scores)},
                {"prompt", Object{{"raw", SentPrompt(the_case, variant)},
                                  {"label", prompt.TextAt("label")},
                                  {"config", options.MapAt("options")}}},
                {"promptId", PromptfooId(prompt.TextAt("label"))},
                {"promptIdx", column},
                {"provider", ProviderOfColumn(variant)},
                {"response", Object{{"output", has_answer ? Value(transcript.SubjectText()) : Value()},
                                    {"error", UnlessEmpty(transcript.error)},
                                    {"tokenUsage", ResponseTokens(cell.record)},
                                    {"cost", UsdOf(took)},
                                    {"cached", false}}},
                {"score", is_scored ? test.score : 0},
                {"success", is_scored && test.pass},
                {"testCase", options},
                {"testIdx", PromptfooRowOf(suite, cell)},
                {"tokenUsage", PromptfooTokens(UsageOfAnswer(cell.record), 1, cell.record.usage.OfJudging(),
                                               is_scored ? 1 : 0)},
                {"vars", the_case.row->MapAt("vars")},
                {"metadata", Object{{"case", the_case.id}, {"attempt", cell.attempt + 1}}},
                {"failureReason", !is_scored  ? kFailedByError
                                  : test.pass ? kNoFailure
                                              : kFailedByAssertion}};
}

std::uint64_t PromptfooRowOf(const Suite& suite, const Cell& cell) {
  const Value& details = suite.cases[cell.case_index].details;
  const auto row = static_cast<std::uint64_t>(details.NumberAt("row").value_or(0));
  return row + cell.attempt * static_cast<std::uint64_t>(details.NumberAt("combinations").value_or(1));
}

}  // namespace assay
