// Grades `$js: script`: what a JavaScript snippet says of the answer. Pure; limits of
// text/script/script.h.
//   args    a script; its globals are r and response (the answer) and context {messages: [{role, content}],
//   modelId}, `answer` (the whole one, where `r` is extracted) and `row` (of a table)
//   value   of the last statement, or of a top-level `return`: true and false, a number (clamped to
//   [0, 1]), undefined
//           (0), or an object with `score` (and perhaps `explain`, a text) of its own; anything else is an
//           error, as is an `error` beside a score
//   source  weval 51dc4d3 src/point-functions/js.ts (spec: blueprint 11.5)
//   known deviations: the snippet cannot reach the host; promises are never settled; time and chance are the
//   run's; of Intl there is only Collator
#include <fmt/core.h>

#include "checks/graders.h"
#include "checks/text/answer_script.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/suite_rules.h"
#include "text/found.h"
#include "text/object.h"

namespace assay {
namespace {

struct JsRule {
  std::string script;
  std::string as_function;  // the same script where `return` is allowed
  GradingRules rules = {};
  bool is_turned_around = false;
};

Value Messages(const Transcript& transcript) {
  return ArrayOf(transcript.history, [&](const Message& message) {
    return Object{{"role", std::string(RoleName(message.role))}, {"content", message.text}};
  });
}

std::vector<std::pair<std::string, Value>> Globals(const GradeInput& input) {
  Map context = Object{{"messages", Messages(input.transcript)}, {"modelId", input.variant_id}};
  const Value answer(input.answer.text());
  std::vector<std::pair<std::string, Value>> globals = {
      {"r", answer}, {"response", answer}, {"context", std::move(context)}};
  // A script without an extraction, or a table, may have variables of these names.
  if (input.whole) globals.emplace_back("answer", Value(*input.whole));
  if (!input.the_case.row->is_undefined()) globals.emplace_back("row", *input.the_case.row);
  return globals;
}

Score ScoreOfType(std::string_view type) {
  return Score::Failure(fmt::format(
      "$js: expected the script to give true, false, a number or {{score, explain}}, found {}", type));
}

// A number out of range counts as the nearest one in it, which the author may not mean.
Score ScoreOfNumber(double number, const GradingRules& rules) {
  Score score = NumberScore(number, rules);
  if (!rules.nan_is_score && (number < 0 || number > 1))
    score.explanation =
        fmt::format("the script gave {:g}, which counts as {:g}: scores go from 0 to 1", number, score.value);
  return score;
}

Score ScoreOfNothing(const GradingRules& rules) {
  Score score = Score::Of(0);
  if (!rules.nan_is_score)
    score.explanation =
        "the script gave no value, which counts as 0: its last statement has to be an expression";
  return score;
}

Score ScoreOfObject(const Value& object, const GradingRules& rules) {
  const Value* error = object.Find("error");
  if (error != nullptr && !error->is_undefined()) {
    return Score::Failure(fmt::format("$js: {}", object.TextAt("error", "the script gave an error")));
  }
  Score score;
  if (const std::optional<bool> truth = object.BoolAt("score")) {
    score = Score::Of(*truth ? 1 : 0);
  } else if (const std::optional<double> number = object.NumberAt("score")) {
    score = ScoreOfNumber(*number, rules);
  } else {
    const Value* other = object.Find("score");
    return ScoreOfType(fmt::format("a score that is {}", other == nullptr ? "undefined" : KindName(*other)));
  }
  if (const std::string* explain = FindText(object, "explain")) score.explanation = *explain;
  return score;
}

Score ScoreOfOutcome(const ScriptOutcome& outcome, const GradingRules& rules) {
  switch (outcome.kind) {
    case ScriptOutcome::Kind::kThrown:
      return Score::Failure("$js: the script failed: " + outcome.message);
    case ScriptOutcome::Kind::kLimit:
      return Score::Failure("$js: the script was stopped: " + outcome.message);
    case ScriptOutcome::Kind::kOther:
      return ScoreOfType("a " + outcome.type_name);
    case ScriptOutcome::Kind::kValue:
      break;
  }
  if (outcome.has_score_member) return ScoreOfObject(outcome.value, rules);
  if (outcome.value.is_undefined()) return ScoreOfNothing(rules);
  if (outcome.value.is_bool()) return Score::Of(outcome.value.AsBool() ? 1 : 0);
  if (outcome.value.is_number()) return ScoreOfNumber(outcome.value.AsNumber(), rules);
  return ScoreOfType(KindName(outcome.value));
}

Score Grade(const GradeInput& input, const JsRule& rule, WorkerState& worker) {
  const ScriptGlobals globals = Globals(input);
  Result<ScriptOutcome> outcome = RunAnswerScript(rule.script, globals, input, worker);
  if (outcome && outcome->illegal_return) outcome = RunAnswerScript(rule.as_function, globals, input, worker);
  // What came before took so long for this answer alone.
  if (!outcome) return LostScore("no credit: $js: " + outcome.error().message, rule.is_turned_around);
  return ScoreOfOutcome(*outcome, rule.rules);
}

}  // namespace

CheckArgs ParseJs(const ParseInput& input, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  if (!args.is_string()) return UnusableArgs<JsRule>(TellUnexpected(input, "a script as text", diagnostics));
  JsRule rule{args.AsString(), "(() => {\n" + args.AsString() + "\n})()", input.grading,
              IsTurnedAround(input.check)};
  ScriptOutcome compiled = CompileScript(rule.script);
  if (compiled.illegal_return) compiled = CompileScript(rule.as_function);
  if (compiled.kind == ScriptOutcome::Kind::kThrown)
    TellBroken(input, "this is no script: " + compiled.message, ArgsSpan(input.check), diagnostics);
  return MakeArgs(std::move(rule));
}

Score GradeJs(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<JsRule, Grade>(input, args, worker);
}

}  // namespace assay
