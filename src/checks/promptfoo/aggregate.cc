// Adds results up: once for the members of each set, and once for the test.
#include "checks/promptfoo/aggregate.h"

#include <fmt/core.h>

#include <algorithm>

#include "checks/promptfoo/table.h"
#include "text/javascript/number.h"
#include "text/javascript/values.h"

namespace assay::promptfoo {
namespace {

constexpr std::string_view kSetType = "assert-set";

// The threshold of a test or a set: a number, or with our rules a text that names one.
std::optional<double> ThresholdIn(const Value& threshold, const AssertionInput& input) {
  if (threshold.is_number()) return threshold.AsNumber();
  if (!input.policy.reads_text_thresholds || !threshold.is_string()) return std::nullopt;
  const double number = JsNumber(threshold);
  return number == number ? std::optional<double>(number) : std::nullopt;
}

double& NamedNumber(std::vector<std::pair<std::string, double>>& numbers, std::string_view name) {
  for (auto& [known, number] : numbers) {
    if (known == name) return number;
  }
  return numbers.emplace_back(name, 0.0).second;
}

// Results of one level: of a set, or of the test.
class Sum {
 public:
  explicit Sum(const AssertionPolicy& policy) : policy_(policy) {}

  void Add(const AssertionResult& result, double weight, const std::string& metric) {
    total_ += result.score * weight;
    weight_ += weight;
    if (!metric.empty()) AddNamed(metric, result.score, weight);
    for (const auto& [name, score] : result.named_scores) {
      if (name != metric) AddNamed(name, score, weight);
    }
    if (result.pass || (result.reason.empty() && !policy_.silent_fails_count)) return;
    failed_ = true;
    reason_ = result.reason;
  }
  void PassAnyway(std::string_view reason) { anyway_ = reason; }

  TestResult Close(const std::optional<double>& threshold) {
    TestResult result;
    result.score = weight_ > 0 ? total_ / weight_ : 0;
    result.pass = !failed_;
    result.reason = failed_ ? reason_ : "All assertions passed";
    if (threshold) {
      result.pass = result.score >= *threshold;
      result.reason = fmt::format("Aggregate score {} {} {} threshold", JsToFixed(result.score, 2),
                                  result.pass ? "≥" : "<", JsNumberText(*threshold));
    }
    if (!anyway_.empty()) {
      result.pass = true;
      result.reason = anyway_;
    }
    for (const auto& [name, sum] : named_) {
      const double weight = NamedNumber(weights_, name);
      result.named_scores.emplace_back(name, weight == 0 ? 0 : sum / weight);
    }
    result.named_weights = weights_;
    return result;
  }

 private:
  void AddNamed(const std::string& name, double score, double weight) {
    NamedNumber(named_, name) += score * weight;
    NamedNumber(weights_, name) += weight;
  }

  AssertionPolicy policy_;
  double total_ = 0;
  double weight_ = 0;
  bool failed_ = false;
  std::string reason_;
  std::string anyway_;
  std::vector<std::pair<std::string, double>> named_;
  std::vector<std::pair<std::string, double>> weights_;
};

Result<std::string> MetricName(const std::string& metric, const AssertionInput& input) {
  if (metric.empty() || !input.render) return metric;
  return input.render(metric, input.vars);
}

// A guardrail that was to be tripped: what it holds back is what the test wants.
bool IsWantedGuardrail(const Assertion& assertion, const AssertionResult& result) {
  return !result.pass && assertion.row->type == "guardrails" &&
         assertion.config.TextAt("purpose") == "redteam";
}

bool HasResult(const Assertion& assertion) { return !assertion.row->compares_columns; }

Result<AssertionItem> ReadItem(const Value& written) {
  AssertionItem item;
  if (written.TextAt("type") != kSetType) {
    ASSAY_TRY(Assertion assertion, ReadAssertion(written));
    item.assertions.push_back(std::move(assertion));
    return item;
  }
  item.is_set = true;
  item.weight = written.NumberAt("weight").value_or(1);
  item.metric = written.TextAt("metric");
  if (const Value* threshold = written.Find("threshold")) item.threshold = *threshold;
  for (const Value& member : written.ListAt("assert")) {
    ASSAY_TRY(Assertion assertion, ReadAssertion(member));
    item.assertions.push_back(std::move(assertion));
  }
  return item;
}

// Takes the results one by one.
class Adder {
 public:
  Adder(const std::vector<AssertionResult>& results, const AssertionInput& input)
      : results_(results), input_(input) {}

  Status AddAll(const std::vector<Assertion>& assertions, Sum& sum, Sum& test,
                std::vector<TestComponent>& components) {
    for (const Assertion& assertion : assertions) {
      if (!HasResult(assertion)) continue;
      const AssertionResult& result = results_[next_++];
      ASSAY_TRY(const std::string metric, MetricName(assertion.metric, input_));
      sum.Add(result, assertion.weight, metric);
      if (IsWantedGuardrail(assertion, result)) test.PassAnyway("Content failed guardrail safety checks");
      components.push_back({assertion.type, result});
    }
    return Ok();
  }

  Status AddItem(const AssertionItem& item, Sum& test, std::vector<TestComponent>& components) {
    if (!item.is_set) return AddAll(item.assertions, test, test, components);
    Sum sum(input_.policy);
    std::vector<TestComponent> members;
    ASSAY_CHECK_OK(AddAll(item.assertions, sum, test, members));
    TestResult inner = sum.Close(ThresholdIn(item.threshold, input_));
    AssertionResult result{inner.pass, inner.score, inner.reason, std::move(inner.named_scores)};
    ASSAY_TRY(const std::string metric, MetricName(item.metric, input_));
    test.Add(result, item.weight, metric);
    components.push_back({"", std::move(result)});
    components.insert(components.end(), members.begin(), members.end());
    return Ok();
  }

 private:
  const std::vector<AssertionResult>& results_;
  const AssertionInput& input_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<const Assertion*> TestAssertions::Leaves() const {
  std::vector<const Assertion*> leaves;
  for (const AssertionItem& item : items) {
    for (const Assertion& assertion : item.assertions) {
      if (HasResult(assertion)) leaves.push_back(&assertion);
    }
  }
  return leaves;
}

Result<TestAssertions> ReadAssertions(const List& written, const Value& threshold) {
  TestAssertions test;
  test.threshold = threshold;
  for (const Value& item : written) {
    ASSAY_TRY(AssertionItem read, ReadItem(item));
    test.items.push_back(std::move(read));
  }
  return test;
}

Result<TestResult> AddUp(const TestAssertions& test, const std::vector<AssertionResult>& results,
                         const AssertionInput& input) {
  if (test.items.empty()) return TestResult{true, 1, "No assertions"};
  Sum sum(input.policy);
  Adder adder(results, input);
  std::vector<TestComponent> components;
  for (const AssertionItem& item : test.items) ASSAY_CHECK_OK(adder.AddItem(item, sum, components));
  TestResult result = sum.Close(ThresholdIn(test.threshold, input));
  result.components = std::move(components);
  return result;
}

Result<TestResult> RunTest(const TestAssertions& test, const AssertionInput& input) {
  std::vector<AssertionResult> results;
  for (const Assertion* assertion : test.Leaves()) {
    ASSAY_TRY(AssertionResult result, RunAssertion(*assertion, input));
    results.push_back(std::move(result));
  }
  return AddUp(test, results, input);
}

}  // namespace assay::promptfoo
