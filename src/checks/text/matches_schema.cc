// Grades `$matches_schema`: 1 if the whole answer is JSON and fits a JSON Schema, else 0. Pure; any thread.
//   args    a JSON Schema (draft 7 or 2020-12), or true: the one that the case's answers have to follow
//   answer  as `$is_json` reads it: JSON's own white space may surround it, code fences may not; any value
//   score   0 with the first reason that was found, or with why the answer is no JSON
//   items   one for each place where it does not fit: what was expected there, and what was found
//   known deviations: nesting beyond limits::kJsonDepthMax, and an answer that takes too long to check, are a
//   0 that says so: no answer can choose an error
#include <fmt/core.h>

#include "checks/graders.h"
#include "spec/suite/check.h"
#include "text/json/json.h"
#include "text/schema/json_schema.h"

namespace assay {
namespace {

struct SchemaRule {
  std::shared_ptr<const JsonSchema> schema;
  bool is_turned_around = false;
};

Score Missed(std::string why) {
  Score score = Score::Of(0);
  score.explanation = std::move(why);
  return score;
}

// It takes no points by itself: the score is of the whole.
ScoreItem ItemOf(const SchemaFault& fault) {
  return {
      .wanted = fault.place.empty() ? fault.expected : fmt::format("{} at {}", fault.expected, fault.place),
      .found = fault.found.empty() ? "nothing" : fault.found,
      .weight = 0};
}

Score Grade(const GradeInput& input, const SchemaRule& rule, WorkerState&) {
  const Result<Value> answer = ParseJson(input.answer.text());
  const auto lost = [&rule](const Error& error) {
    return LostScore("no credit: " + error.message, rule.is_turned_around);
  };
  if (!answer && answer.error().code == ErrorCode::kLimit) return lost(answer.error());
  if (!answer) return Missed("the answer is no JSON: " + answer.error().message);
  const Result<std::vector<SchemaFault>> faults = rule.schema->Check(*answer);
  if (!faults && faults.error().code == ErrorCode::kLimit) return lost(faults.error());
  if (!faults) return Score::Failure("$matches_schema: " + faults.error().message);
  if (faults->empty()) return Score::Of(1);
  const SchemaFault& first = faults->front();
  Score score = Missed(first.place.empty() ? first.words : fmt::format("{}: {}", first.place, first.words));
  for (const SchemaFault& fault : *faults) score.items.push_back(ItemOf(fault));
  return score;
}

}  // namespace

CheckArgs ParseMatchesSchema(const ParseInput& input, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  const bool is_own = args.is_bool() && args.AsBool();
  if (!is_own && !args.is_map()) {
    return UnusableArgs<SchemaRule>(
        TellUnexpected(input, "a JSON Schema, or true for the prompt's own", diagnostics));
  }
  if (is_own && input.answer_schema == nullptr) {
    return UnusableArgs<SchemaRule>(TellBroken(input,
                                               "true means the prompt's response_format, and it has none",
                                               ArgsSpan(input.check), diagnostics));
  }
  Result<std::shared_ptr<const JsonSchema>> schema =
      JsonSchema::Compile(is_own ? *input.answer_schema : args);
  if (!schema) return UnusableArgs<SchemaRule>(TellBroken(input, schema.error(), diagnostics));
  return MakeArgs(SchemaRule{.schema = *std::move(schema), .is_turned_around = IsTurnedAround(input.check)});
}

Score GradeMatchesSchema(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<SchemaRule, Grade>(input, args, worker);
}

}  // namespace assay
