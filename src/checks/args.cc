// Warns about bad arguments of checks, and turns a number that a check computed into a Score.
#include "checks/args.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "spec/suite/check.h"
#include "spec/suite/suite_rules.h"

namespace assay {

namespace {

constexpr std::size_t kBrokenItemsMax = 32;  // each costs another reading

}  // namespace

Span ArgsSpan(const Check& check) {
  return check.args.span.file == FileId::kNone ? check.span : check.args.span;
}

std::string TellBroken(const ParseInput& input, std::string_view problem, Span where,
                       Diagnostics& diagnostics) {
  std::string message = fmt::format("${}: {}", input.check.kind, problem);
  if (input.refuses_broken) {
    diagnostics.Error("check.broken", message, where, "correct it, or remove the criterion");
  } else {
    diagnostics.Warning(
        "check.bad-argument", message, where,
        "the check gives an error instead of a score for every answer until you correct this");
  }
  return message;
}

std::string TellBroken(const ParseInput& input, const Error& problem, Diagnostics& diagnostics) {
  const bool has_place = problem.where && problem.where->file != FileId::kNone;
  return TellBroken(input, problem.message, has_place ? *problem.where : ArgsSpan(input.check), diagnostics);
}

std::string TellBadArgument(const ParseInput& input, const Error& problem, Diagnostics& diagnostics) {
  const bool has_place = problem.where && problem.where->file != FileId::kNone;
  std::string message = fmt::format("${}: {}", input.check.kind, problem.message);
  diagnostics.Error("check.argument", message, has_place ? *problem.where : ArgsSpan(input.check),
                    "`assay list checks` has an example");
  return message;
}

std::string TellEachBroken(const ParseInput& input, std::string_view key, const Value& stand_in, Error first,
                           const std::function<std::optional<Error>(const Value& args)>& problem_of,
                           Diagnostics& diagnostics) {
  const std::string told = TellBroken(input, first, diagnostics);
  Value args = input.check.args;
  Value* list = key.empty() || !args.is_map() ? &args : args.AsMap().Find(key);
  if (list == nullptr || !list->is_list()) return told;
  std::optional<Error> problem = std::move(first);
  for (std::size_t left = kBrokenItemsMax; left > 0 && problem && problem->where; --left) {
    const Span at = *problem->where;
    const auto holds = [at](const Value& item) {
      return item.span.file != FileId::kNone && item.span.file == at.file && item.span.offset <= at.offset &&
             at.offset < item.span.offset + std::max(item.span.length, std::uint32_t{1});
    };
    const auto broken = std::find_if(list->AsList().begin(), list->AsList().end(), holds);
    if (broken == list->AsList().end()) break;
    *broken = stand_in;
    problem = problem_of(args);
    if (problem) TellBroken(input, *problem, diagnostics);
  }
  return told;
}

std::string TellUnexpected(const ParseInput& input, std::string_view expected, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  const std::string_view found = args.is_undefined() ? "no argument" : KindName(args);
  return TellBroken(input, fmt::format("expected {}, found {}", expected, found), ArgsSpan(input.check),
                    diagnostics);
}

bool IsTurnedAround(const Check& check) { return check.kind.starts_with("not_") != check.invert; }

Score LostScore(std::string why, bool is_turned_around) {
  Score score = Score::Of(is_turned_around ? 1 : 0);
  score.explanation = std::move(why);
  return score;
}

Score NumberScore(double number, const GradingRules& rules) {
  if (std::isnan(number)) {
    if (rules.nan_is_score) return Score::Of(number);
    return Score::Failure("expected a number from 0 to 1, found one that is not a number (NaN)");
  }
  // `+ 0.0` turns -0 into 0.
  return Score::Of(std::clamp(number, 0.0, 1.0) + 0.0);
}

}  // namespace assay
