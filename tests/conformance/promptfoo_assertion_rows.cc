// Golden rows of promptfoo: assertions, tests of several, and graders.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "checks/promptfoo/aggregate.h"
#include "checks/promptfoo/assertion.h"
#include "checks/promptfoo/graders/grader.h"
#include "checks/promptfoo/table.h"
#include "tests/conformance/conformance.h"
#include "text/javascript/values.h"
#include "text/nunjucks/nunjucks.h"
#include "text/object.h"

namespace assay::conformance {
namespace {
namespace promptfoo_assertions {

using promptfoo::Assertion;
using promptfoo::AssertionInput;
using promptfoo::AssertionResult;

constexpr double kNear = 1e-9;

// The environment in which the rows were made.
Nunjucks GoldenTemplates() { return Nunjucks(Object{{"PF_GOLD", "G"}}); }

double NumberOf(const Value& value) {
  return value.is_string() ? JsNumber(value) : value.is_number() ? value.AsNumber() : 0;
}

bool SameNumber(double want, double got) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
  if (std::isinf(want) || std::isinf(got)) return want == got;
  return std::abs(want - got) <= kNear;
}

promptfoo::Embeddings EmbeddingsOf(const Value& row) {
  promptfoo::Embeddings embeddings;
  for (const Member& member : Get(row, "embeddings").is_map() ? Get(row, "embeddings").AsMap() : Map()) {
    std::vector<double>& numbers = embeddings[member.key];
    for (const Value& number : member.value.AsList()) numbers.push_back(number.AsNumber());
  }
  return embeddings;
}

AssertionInput InputOf(const Value& row, const promptfoo::Embeddings& embeddings, Nunjucks& templates) {
  AssertionInput input;
  input.output = Get(row, "output");
  input.vars = row.MapAt("vars");
  if (Get(row, "prompt").is_string()) input.prompt = GetText(row, "prompt");
  input.latency_ms = row.NumberAt("latencyMs");
  input.cost = row.NumberAt("cost");
  if (Get(row, "logProbs").is_list()) {
    std::vector<double>& log_probs = input.log_probs.emplace();
    for (const Value& number : row.ListAt("logProbs")) log_probs.push_back(number.AsNumber());
  }
  input.finish_reason = GetText(row, "finishReason");
  input.guardrails = Get(row, "guardrails");
  input.classes = Get(row, "classes");
  input.embeddings = &embeddings;
  input.render = [&templates](std::string_view text, const Map& vars) {
    return templates.Render(text, vars);
  };
  return input;
}

// What the embedder of the golden rows says of a text that it does not know; "" if it knows all.
std::string MissingEmbedding(const Assertion& assertion, const AssertionInput& input) {
  const Result<std::vector<std::string>> texts = promptfoo::TextsToEmbed(assertion, input);
  if (!texts) return "";
  for (const std::string& text : *texts) {
    if (!input.embeddings->contains(text)) return "no embedding for " + text;
  }
  return "";
}

std::string Differs(const Value& want, const AssertionResult& got) {
  const Value* pass = want.Find("pass");
  if (pass == nullptr || !SameValue(*pass, Value(got.pass)))
    return fmt::format("pass {}: {}", got.pass, got.reason);
  if (!SameNumber(NumberOf(Get(want, "score")), got.score))
    return fmt::format("score {}, want {}: {}", got.score, Show(Get(want, "score")), got.reason);
  const Value& reason = Get(want, "reason");
  if (reason.is_string() && reason.AsString() != got.reason)
    return fmt::format("reason \"{}\", want \"{}\"", got.reason, reason.AsString());
  const std::string prefix = GetText(want, "reason_prefix");
  if (!got.reason.starts_with(prefix))
    return fmt::format("reason \"{}\", want \"{}...\"", got.reason, prefix);
  Map named;
  for (const auto& [name, score] : got.named_scores) named.Set(name, Value(score));
  if (want.Find("namedScores") != nullptr && !SameValue(Get(want, "namedScores"), Value(named)))
    return fmt::format("named scores {}", Show(Value(named)));
  return "";
}

// "" for a row that passes, else how it differs. `skip` says why the row is not run.
std::string RunRow(const Value& row, const promptfoo::AssertionPolicy& policy, Nunjucks& templates,
                   std::string& skip) {
  const Value& want = Get(row, "want");
  const bool wants_error = want.Find("error") != nullptr;
  const Result<Assertion> assertion = promptfoo::ReadAssertion(row);
  if (!assertion) return wants_error ? "" : assertion.error().message;
  if (assertion->row->run == nullptr) {
    skip = fmt::format("assertions of type \"{}\" are not run", assertion->row->type);
    return "";
  }
  const promptfoo::Embeddings embeddings = EmbeddingsOf(row);
  AssertionInput input = InputOf(row, embeddings, templates);
  input.policy = policy;
  if (assertion->row->type.starts_with("similar"))
    input.embedding_error = MissingEmbedding(*assertion, input);
  const Result<AssertionResult> got = promptfoo::RunAssertion(*assertion, input);
  if (!got && got.error().code == ErrorCode::kUnsupported &&
      got.error().message.ends_with("is not run here")) {
    skip = got.error().message;
    return "";
  }
  if (wants_error) return got ? fmt::format("no error, want {}", GetText(want, "error")) : "";
  return got ? Differs(want, *got) : "error: " + got.error().message;
}

Map NamedNumbers(const std::vector<std::pair<std::string, double>>& numbers) {
  Map map;
  for (const auto& [name, number] : numbers) map.Set(name, Value(number));
  return map;
}

bool SameNumbers(const Value& want, const Map& got) {
  if (want.AsMap().size() != got.size()) return false;
  return std::all_of(want.AsMap().begin(), want.AsMap().end(), [&](const Member& member) {
    const std::optional<double> number = got.NumberAt(member.key);
    return number && SameNumber(NumberOf(member.value), *number);
  });
}

std::string DiffersInTotal(const Value& want, const promptfoo::TestResult& got) {
  AssertionResult total{got.pass, got.score, got.reason};
  Map plain = want.AsMap();
  plain.Erase("namedScores");
  if (std::string difference = Differs(Value(plain), total); !difference.empty()) return difference;
  if (!SameNumbers(Get(want, "namedScores"), NamedNumbers(got.named_scores)))
    return fmt::format("named scores {}", Show(NamedNumbers(got.named_scores)));
  const Value& weights = Get(want, "namedScoreWeights");
  if (weights.is_map() && !SameNumbers(weights, NamedNumbers(got.named_weights)))
    return fmt::format("weights {}", Show(NamedNumbers(got.named_weights)));
  const List& parts = want.ListAt("components");
  if (parts.size() != got.components.size()) return fmt::format("{} components", got.components.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const promptfoo::TestComponent& part = got.components[i];
    const std::string& type = part.type;
    if (GetText(parts[i], "type") != type) return fmt::format("component {} is {}", i, type);
    if (std::string difference = Differs(parts[i], part.result); !difference.empty())
      return fmt::format("component {}: {}", i, difference);
  }
  return "";
}

void RunTotal(const Value& row, Nunjucks& templates, Outcome& outcome) {
  const Value& want = Get(row, "want");
  const bool wants_error = want.Find("error") != nullptr;
  const auto fail = [&](std::string_view why) {
    outcome.Fail(fmt::format("{} {}", GetText(row, "id"), why));
  };
  const Result<promptfoo::TestAssertions> test =
      promptfoo::ReadAssertions(row.ListAt("assert"), Get(row, "threshold"));
  if (!test) return wants_error ? outcome.Pass() : fail(test.error().message);
  const promptfoo::Embeddings embeddings;
  AssertionInput input = InputOf(row, embeddings, templates);
  input.policy = promptfoo::kAccidents;
  const Result<promptfoo::TestResult> got = promptfoo::RunTest(*test, input);
  if (wants_error || !got)
    return wants_error == !got.has_value() ? outcome.Pass() : fail(got ? "no error" : got.error().message);
  const std::string difference = DiffersInTotal(want, *got);
  return difference.empty() ? outcome.Pass() : fail(difference);
}

Outcome RunTotals(const std::string& path) {
  Nunjucks templates = GoldenTemplates();
  return ForEachLine(
      path, [&](std::size_t, const Value& row, Outcome& outcome) { RunTotal(row, templates, outcome); });
}

// Plays a grader's script: the n-th call gets the n-th reply, the last one again and again.
struct Graded {
  std::optional<Error> error;
  promptfoo::GraderMove move;
  List labels;
};

Graded PlayGrader(const Assertion& assertion, AssertionInput& input, const List& script) {
  constexpr std::size_t kCallsMax = 50;
  Graded graded;
  List replies;
  while (replies.size() < kCallsMax) {
    Result<promptfoo::GraderMove> move = promptfoo::NextGraderMove(assertion, input, replies);
    if (!move) {
      graded.error = move.error();
      return graded;
    }
    graded.move = *std::move(move);
    if (!graded.move.request) return graded;
    graded.labels.emplace_back(std::string(graded.move.request->step));
    replies.push_back(script[std::min(replies.size(), script.size() - 1)]);
  }
  return graded;
}

void RunGrader(const Value& row, Nunjucks& templates, Outcome& outcome) {
  const Value& want = Get(row, "want");
  const auto fail = [&](std::string_view why) {
    outcome.Fail(fmt::format("{} ({}) {}", GetText(row, "id"), GetText(row, "type"), why));
  };
  const Result<Assertion> assertion = promptfoo::ReadAssertion(row);
  if (!assertion) return fail(assertion.error().message);
  const promptfoo::Embeddings embeddings = EmbeddingsOf(row);
  AssertionInput input = InputOf(row, embeddings, templates);
  input.policy = promptfoo::kAccidents;
  input.options = Get(row, "options");
  input.grader_id = "golden";
  const Graded graded = PlayGrader(*assertion, input, row.ListAt("replies"));
  if (static_cast<double>(graded.labels.size()) != want.NumberAt("calls"))
    return fail(fmt::format("{} calls", graded.labels.size()));
  if (want.Find("error") != nullptr) return graded.error ? outcome.Pass() : fail("no error");
  if (graded.error) return fail(graded.error->message);
  if (!graded.move.result) return fail("no result");
  if (!SameValue(Get(want, "labels"), Value(graded.labels))) return fail(Show(Value(graded.labels)));
  if (want.BoolAt("graderError").value_or(false) != graded.move.grader_failed)
    return fail("another failure of the grader");
  const std::string difference = Differs(want, *graded.move.result);
  return difference.empty() ? outcome.Pass() : fail(difference);
}

Outcome RunGraders(const std::string& path) {
  Nunjucks templates = GoldenTemplates();
  return ForEachLine(
      path, [&](std::size_t, const Value& row, Outcome& outcome) { RunGrader(row, templates, outcome); });
}

Outcome RunAssertionFile(const std::string& path, const promptfoo::AssertionPolicy& policy) {
  Nunjucks templates = GoldenTemplates();
  return ForEachLine(path, [&](std::size_t, const Value& row, Outcome& outcome) {
    std::string skip;
    const std::string difference = RunRow(row, policy, templates, skip);
    if (!skip.empty()) return outcome.Skip(skip);
    if (difference.empty()) return outcome.Pass();
    outcome.Fail(fmt::format("{} ({}) {}", GetText(row, "id"), GetText(row, "type"), difference));
  });
}

Outcome RunAssertions(const std::string& path) { return RunAssertionFile(path, promptfoo::kAccidents); }
Outcome RunMeteorRows(const std::string& path) { return RunAssertionFile(path, {}); }

}  // namespace promptfoo_assertions
}  // namespace

std::span<const GoldenRow> PromptfooAssertionRows() {
  static constexpr GoldenRow kRows[] = {
      {"promptfoo/assertions.jsonl", promptfoo_assertions::RunAssertions},
      {"promptfoo/meteor.jsonl", promptfoo_assertions::RunMeteorRows},
      {"promptfoo/aggregate.jsonl", promptfoo_assertions::RunTotals},
      {"promptfoo/graders.jsonl", promptfoo_assertions::RunGraders},
  };
  return kRows;
}

}  // namespace assay::conformance
