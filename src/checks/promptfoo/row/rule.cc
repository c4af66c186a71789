// Reads the arguments of the check: the assertion, and the places of its graders.
#include "checks/promptfoo/row/rule.h"

#include <fmt/core.h>

#include <cmath>

#include "checks/promptfoo/table.h"
#include "spec/suite/check.h"
#include "spec/suite/suite_rules.h"
#include "text/found.h"

namespace assay::promptfoo {
namespace {

constexpr std::string_view kTypeOfSets = "assert-set";
constexpr std::string_view kTypeOfClasses = "classifier";

Span PlaceOfMember(const Value& written, std::string_view key) {
  const Value* member = written.Find(key);
  return member == nullptr ? written.span : member->span;
}

Error NotRunHere(const Value& written, std::string_view why) {
  return {ErrorCode::kUnsupported,
          fmt::format("assertions of type \"{}\" are not run here{}", written.TextAt("type"), why),
          PlaceOfMember(written, "type")};
}

// Why a single assertion cannot run; nothing if it can.
std::optional<Error> ProblemOfLeaf(const Value& written) {
  if (written.TextAt("type") == kTypeOfSets)
    return Error{ErrorCode::kInvalidInput,
                 "an assert-set holds assertions and no other set: put its assertions into this one",
                 PlaceOfMember(written, "type")};
  const Result<Assertion> assertion = ReadAssertion(written);
  if (!assertion) return assertion.error();
  const AssertionRow& row = *assertion->row;
  if (row.compares_columns) return NotRunHere(written, ", since they compare the answers of all columns");
  if (row.type == kTypeOfClasses) return NotRunHere(written, ", since no model here tells classes");
  if (row.run == nullptr && !row.asks) return NotRunHere(written, "");
  return std::nullopt;
}

std::optional<std::size_t> PlaceAmong(const Value* graders, std::string_view key, std::size_t judges) {
  if (graders == nullptr) return std::nullopt;
  const std::optional<double> place = graders->NumberAt(key);
  if (!place || *place < 0 || *place >= static_cast<double>(judges) || *place != std::floor(*place))
    return std::nullopt;
  return static_cast<std::size_t>(*place);
}

Error NobodyFor(const Assertion& assertion, std::string_view what, std::string_view where, Span span) {
  return {ErrorCode::kInvalidInput,
          fmt::format("\"{}\" needs a model that {}: name one {}", assertion.type, what, where), span};
}

// The assertions that have a result of their own, as they are written.
List LeavesIn(const Value& written, std::vector<Error>& problems) {
  if (written.TextAt("type") != kTypeOfSets) return {written};
  const List* members = FindList(written, "assert");
  if (members != nullptr) return *members;
  problems.push_back({ErrorCode::kInvalidInput, "an assert-set needs `assert`, a list of assertions",
                      PlaceOfMember(written, "assert")});
  return {};
}

void BindGraders(const ParseInput& input, const List& written, AssertionRule& rule,
                 std::vector<Error>& problems) {
  const Map vars = input.row == nullptr ? Map() : input.row->MapAt("vars");
  const List& graders = input.check.args.ListAt("graders");
  const std::size_t judges = input.check.judges->size();
  const std::vector<const Assertion*> leaves = rule.test.Leaves();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Value* named = i < graders.size() ? &graders[i] : nullptr;
    LeafGraders& grader = rule.graders.emplace_back();
    grader.text = PlaceAmong(named, "text", judges);
    grader.embedding = PlaceAmong(named, "embedding", judges);
    grader.calls = CallsOfAssertion(*leaves[i], vars);
    const Span span = PlaceOfMember(written[i], "type");
    if (grader.calls.most > 0 && !grader.text)
      problems.push_back(NobodyFor(*leaves[i], "grades",
                                   "as `provider` of the assertion, of the test's options or of "
                                   "defaultTest.options, or with --grader",
                                   span));
    if (grader.calls.embeds > 0 && !grader.embedding)
      problems.push_back(NobodyFor(*leaves[i], "turns texts into vectors",
                                   "as `provider: {embedding: MODEL}` of the assertion, of the test's "
                                   "options or of defaultTest.options",
                                   span));
  }
}

}  // namespace

AssertionRule ReadAssertionRule(const ParseInput& input, std::vector<Error>& problems) {
  AssertionRule rule;
  rule.scripts = input.scripts;
  if (input.grading.original_accidents) rule.policy = kAccidents;
  const Value& args = input.check.args;
  const Value* written = args.Find("assertion");
  if (written == nullptr || !written->is_map()) {
    problems.push_back({ErrorCode::kInvalidInput, "expected an assertion, {type: contains, value: Paris}",
                        written == nullptr ? args.span : written->span});
    return rule;
  }
  const List leaves = LeavesIn(*written, problems);
  for (const Value& leaf : leaves) {
    if (std::optional<Error> problem = ProblemOfLeaf(leaf)) problems.push_back(*std::move(problem));
  }
  if (!problems.empty()) return rule;
  Result<TestAssertions> test = ReadAssertions({*written}, Value());
  if (!test) {
    problems.push_back(test.error());
    return rule;
  }
  rule.test = *std::move(test);
  BindGraders(input, leaves, rule, problems);
  return rule;
}

}  // namespace assay::promptfoo
