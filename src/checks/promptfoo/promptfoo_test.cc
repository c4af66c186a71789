// Tests of promptfoo's assertions beyond its golden rows: errors, and where our rules differ.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "checks/promptfoo/aggregate.h"
#include "checks/promptfoo/columns.h"
#include "checks/promptfoo/graders/grader.h"
#include "checks/promptfoo/graders/prompts.h"
#include "checks/promptfoo/json/schema.h"
#include "checks/promptfoo/markup/tree.h"
#include "checks/promptfoo/script/call.h"
#include "checks/promptfoo/shares/words.h"
#include "text/javascript/values.h"
#include "text/json/json.h"

namespace assay::promptfoo {
namespace {

Value Json(std::string_view json) {
  Result<Value> value = ParseJson(json);
  REQUIRE(value.has_value());
  return *std::move(value);
}

Result<AssertionResult> RunOn(std::string_view assertion, Value output, const AssertionPolicy& policy = {}) {
  ASSAY_TRY(const Assertion read, ReadAssertion(Json(assertion)));
  AssertionInput input;
  input.output = std::move(output);
  input.policy = policy;
  return RunAssertion(read, input);
}

std::string ErrorOf(std::string_view assertion, Value output = "x") {
  const Result<AssertionResult> result = RunOn(assertion, std::move(output));
  return result ? "no error" : result.error().message;
}

Result<TestResult> TotalOf(std::string_view assertions, const Value& threshold,
                           const AssertionPolicy& policy) {
  ASSAY_TRY(const TestAssertions test, ReadAssertions(Json(assertions).AsList(), threshold));
  AssertionInput input;
  input.output = "abc";
  input.policy = policy;
  return RunTest(test, input);
}

std::vector<std::string> FaultsOf(std::string_view schema, std::string_view value) {
  const auto compiled = StrictSchema::Compile(Json(schema));
  REQUIRE(compiled.has_value());
  return (*compiled)->Faults(Json(value));
}

}  // namespace

TEST_CASE("an assertion of an unknown type is an error that names a near one") {
  const Result<Assertion> read = ReadAssertion(Json(R"({"type":"not-containz","value":"x"})"));
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().message.find("did you mean \"contains\"") != std::string::npos);
  CHECK(ErrorOf(R"({"value":"x"})").find("has no type") != std::string::npos);
  CHECK(ErrorOf(R"({"type":"webhook","value":"x"})").find("not run here") != std::string::npos);
}

TEST_CASE("a value that an assertion cannot take is an error that says what is expected") {
  CHECK(ErrorOf(R"({"type":"contains","value":true})") ==
        "the value of \"contains\" is a true/false value: expected a text or a number");
  CHECK(ErrorOf(R"({"type":"starts-with"})") == "the value of \"starts-with\" is missing: expected a text");
  CHECK(ErrorOf(R"({"type":"contains-any","value":"\"a\"b"})").find("a comma behind") != std::string::npos);
  CHECK(ErrorOf(R"({"type":"word-count","value":{"min":3,"max":1}})").find("not more than") !=
        std::string::npos);
  CHECK(ErrorOf(R"({"type":"is-json","value":{"tipe":"object"}})", "{}").find("\"tipe\" is no keyword") !=
        std::string::npos);
}

TEST_CASE("by our rules scores are shares, and NaN is an error") {
  const Result<AssertionResult> over = RunOn(R"({"type":"javascript","value":"5"})", "x");
  REQUIRE(over.has_value());
  CHECK(over->score == 1);
  CHECK(over->raw_score == 5);
  CHECK(RunOn(R"({"type":"javascript","value":"5"})", "x", kAccidents)->score == 5);
  CHECK(ErrorOf(R"({"type":"javascript","value":"NaN"})").find("is NaN") != std::string::npos);
}

TEST_CASE("by our rules an empty answer is a whole refusal") {
  CHECK(RunOn(R"({"type":"is-refusal"})", "")->score == 1);
  CHECK(RunOn(R"({"type":"is-refusal"})", "", kAccidents)->score == 0);
  CHECK_FALSE(RunOn(R"({"type":"not-is-refusal"})", "")->pass);
}

TEST_CASE("by our rules a fail without a reason counts, and a text may be a threshold") {
  constexpr std::string_view kSilent =
      R"~([{"type":"javascript","value":"({pass:false,score:0,reason:''})"},)~"
      R"~({"type":"contains","value":"a"}])~";
  CHECK_FALSE(TotalOf(kSilent, Value(), {})->pass);
  CHECK(TotalOf(kSilent, Value(), kAccidents)->pass);
  CHECK(TotalOf(kSilent, "0.5", {})->reason == "Aggregate score 0.50 ≥ 0.5 threshold");
  CHECK(TotalOf(kSilent, "0.5", kAccidents)->reason == "All assertions passed");
}

TEST_CASE("by our rules a negation turns every grader around") {
  const Result<Assertion> read = ReadAssertion(Json(R"({"type":"not-factuality","value":"Paris"})"));
  AssertionInput input;
  input.output = "Paris";
  input.prompt = "capital?";
  const List replies = {"A) fine"};
  CHECK_FALSE(NextGraderMove(*read, input, replies)->result->pass);
  input.policy = kAccidents;
  CHECK(NextGraderMove(*read, input, replies)->result->pass);
}

TEST_CASE("a grader is asked in our words, or in those of the config") {
  AssertionInput input;
  input.vars = Json(R"({"who":{"name":"Ann"}})").AsMap();
  input.render = [](std::string_view text, const Map& names) -> Result<std::string> {
    return fmt::format("{}/{}", text, JsString(*names.Find("who")));
  };
  const GraderRequest request{"llm-rubric", Json(R"({"output":"x"})").AsMap()};
  CHECK(GraderMessages(request, Value(), input)->size() == 2);
  const List text = *GraderMessages(request, "grade", input);
  CHECK(JsJson(Value(text)) == R"([{"role":"user","content":"grade/{\"name\":\"Ann\"}"}])");
  const Value messages = Json(R"([{"role":"system","content":"a"}])");
  CHECK(GraderMessages(request, messages, input)->front().TextAt("content") == R"(a/{"name":"Ann"})");
  CHECK_FALSE(GraderMessages({"nothing", {}}, Value(), input).has_value());
}

TEST_CASE("code becomes the body of a function") {
  CHECK(FunctionBody("output.length > 3;  ") == "return output.length > 3");
  CHECK(FunctionBody("const n = ';'; n.length === 1") == "const n = ';'; return n.length === 1");
  CHECK(FunctionBody("if (output)\n  return true\n") == "if (output)\n  return true");
  CHECK(FunctionBody("constant > 1") == "return constant > 1");
}

TEST_CASE("a script can neither wait nor go on for ever") {
  const Result<AssertionResult> waits =
      RunOn(R"~({"type":"javascript","value":"new Promise(() => {})"})~", "x");
  CHECK_FALSE(waits->pass);
  CHECK(waits->reason.find("never settled") != std::string::npos);
  const Result<AssertionResult> loops =
      RunOn(R"~({"type":"javascript","value":"(() => { for (;;) {} })()"})~", "x");
  CHECK_FALSE(loops->pass);
  CHECK(loops->reason.find("still running") != std::string::npos);
}

TEST_CASE("a schema is checked in ajv's order, and its words") {
  using Words = std::vector<std::string>;
  CHECK(FaultsOf(R"({"type":"object","properties":{"a/b":{"type":"integer"}}})", R"({"a/b":1.5})") ==
        Words{"data/a~1b must be integer"});
  CHECK(FaultsOf(R"({"oneOf":[{"type":"number"},{"minimum":1}]})", "2") ==
        Words{"data must match exactly one schema in oneOf"});
  CHECK(FaultsOf(R"({"items":[{"type":"string"}],"additionalItems":false})", R"(["a",1])") ==
        Words{"data must NOT have more than 1 items"});
  CHECK(FaultsOf(R"({"uniqueItems":true})", "[1,2,1]") ==
        Words{"data must NOT have duplicate items (items ## 0 and 2 are identical)"});
  CHECK(FaultsOf(R"({"dependencies":{"a":["b","c"]}})", R"({"a":1,"b":1})") ==
        Words{"data must have properties b, c when property a is present"});
  CHECK(FaultsOf(R"({"contains":{"type":"null"}})", "[1]") ==
        Words{"data must contain at least 1 valid item(s)"});
  CHECK(FaultsOf(R"({"format":"date-time"})", R"("2024-02-29T12:00:00Z")").empty());
  CHECK(FaultsOf(R"({"format":"ipv6"})", R"("::1")").empty());
  CHECK(FaultsOf(R"({"definitions":{"l":{"properties":{"n":{"$ref":"#/definitions/l"}},"required":["v"]}},)"
                 R"("$ref":"#/definitions/l"})",
                 R"({"v":1,"n":{}})") == Words{"data/n must have required property 'v'"});
  CHECK_FALSE(StrictSchema::Compile(Json(R"({"$ref":"#/nowhere"})")).has_value());
  CHECK_FALSE(StrictSchema::Compile(Json(R"({"if":{}})")).has_value());
  CHECK_FALSE(StrictSchema::Compile(Json(R"({"format":"colour"})")).has_value());
}

TEST_CASE("a schema or an answer that would take for ever ends") {
  const std::vector<std::string> faults = FaultsOf(R"({"anyOf":[{"$ref":"#"},{"$ref":"#"}]})", "1");
  CHECK_FALSE(faults.empty());
  CHECK_FALSE(RunOn(R"({"type":"contains-json"})", std::string(20'000, '{'))->pass);
}

TEST_CASE("XML is read strictly") {
  for (const std::string_view good :
       {"<a/>", "<?xml version='1.0' encoding='UTF-8'?>\n<a b='1'>&#x41;&lt;</a>\n<!-- c -->",
        "<a xmlns='u' xmlns:n='v'><n:b n:c='1' c='2'/></a>", "<!DOCTYPE a><a><![CDATA[<b>]]></a>"}) {
    CHECK_MESSAGE(!XmlFault(good).has_value(), good);
  }
  for (const std::string_view bad :
       {"", "a", "<a>", "<a></b>", "<a b='1' b='2'/>", "<a b=1/>", "<n:a/>", "<a>]]></a>",
        "<a><!-- -- --></a>", "<a/><b/>", " <?xml version='1.0'?><a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>",
        "<a>\x01</a>", "<a xmlns:n='u' xmlns:m='u' n:b='1' m:b='2'/>"}) {
    CHECK_MESSAGE(XmlFault(bad).has_value(), bad);
  }
}

TEST_CASE("paths lead along elements, several of one name, and attributes") {
  const XmlElement root = ReadElements("<a id='1'><b>x</b><b/><c/></a>");
  for (const std::string_view path : {"a", "a.@_id", "a.b", "a.b.1", "a.c"}) CHECK(HasPath(root, path));
  for (const std::string_view path : {"", "b", "a.d", "a.b.2", "a.c.0", "a.@_x"})
    CHECK_FALSE(HasPath(root, path));
}

TEST_CASE("words of the Penn Treebank") {
  CHECK(TreebankWords("He said \"don't\" (twice).") ==
        Words{"he", "said", "``", "do", "n't", "''", "(", "twice", ")", "."});
  CHECK(TreebankWords("I cannot...go -- it's $5,00!") ==
        Words{"i", "can", "not", "...", "go", "--", "it", "'s", "$", "5", ",", "00", "!"});
}

TEST_CASE("one column wins") {
  const std::vector<AssertionResult> best = SelectBest("is short", "The best is 1.", 2);
  CHECK_FALSE(best[0].pass);
  CHECK(best[1].reason == "Output selected as the best: is short");
  CHECK(SelectBest("x", "7", 2)[0].reason == "Invalid select-best verdict: 7");
  const Result<Assertion> assertion = ReadAssertion(Json(R"({"type":"max-score"})"));
  const TestResult low = *TotalOf(R"([{"type":"contains","value":"z"}])", Value(), {});
  const TestResult high = *TotalOf(R"([{"type":"contains","value":"a"}])", Value(), {});
  const std::vector<AssertionResult> results = *SelectMaxScore(*assertion, {&low, &high});
  CHECK(results[0].reason == "Not selected (score: 0.000, max: 1.000)");
  CHECK(results[1].pass);
  TestResult loser = high;
  AddColumnResult(*assertion, results[0], loser);
  CHECK_FALSE(loser.pass);
  CHECK(loser.score == 0);
}

}  // namespace assay::promptfoo
