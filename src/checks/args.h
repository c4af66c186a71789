// ParsedArgs and its makers: the arguments of a check after parsing, or the message that every answer gets
// instead of a score.
//
// Arguments that are no good break every score of their check: they stop the suite (refuses_broken). Like a
// format's own tool they are a warning at the argument's place: weval goes on and leaves the point unscored.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/errors/diagnostics.h"
#include "checks/check.h"

namespace assay {

template <class T>
struct ParsedArgs {
  T value;
  std::string problem;  // "" if the value can be used
};

template <class T>
CheckArgs MakeArgs(T value) {
  return std::make_shared<const ParsedArgs<T>>(ParsedArgs<T>{std::move(value), {}});
}

// The place of the arguments, or of the whole check if they have none.
Span ArgsSpan(const Check& check);
// Arguments that no answer can be graded by: an error of the suite, or, where its own tool goes on, a
// warning, and every answer gets the text that comes back. "$matches: <problem>", at `where`.
std::string TellBroken(const ParseInput& input, std::string_view problem, Span where,
                       Diagnostics& diagnostics);
// "$contains: expected a text, found a list".
std::string TellUnexpected(const ParseInput& input, std::string_view expected, Diagnostics& diagnostics);
// The same for an error that knows its place, or else of the arguments.
std::string TellBroken(const ParseInput& input, const Error& problem, Diagnostics& diagnostics);
// The same for a check that is assay's own. A value of the wrong kind is always an error of the suite.
std::string TellBadArgument(const ParseInput& input, const Error& problem, Diagnostics& diagnostics);
// Why there is no value; nothing if there is one.
template <class T>
std::optional<Error> ProblemIn(const Result<T>& read) {
  return read ? std::nullopt : std::optional<Error>(read.error());
}
// Tells `first` and, as long as problems lie within items of a list, those of its other items: a broken item
// gives way to `stand_in`, and `problem_of` reads the arguments again. The list is the arguments' member
// `key`; "": the arguments themselves. Returns the first problem.
std::string TellEachBroken(const ParseInput& input, std::string_view key, const Value& stand_in, Error first,
                           const std::function<std::optional<Error>(const Value& args)>& problem_of,
                           Diagnostics& diagnostics);

template <class T>
CheckArgs UnusableArgs(std::string problem) {
  return std::make_shared<const ParsedArgs<T>>(ParsedArgs<T>{{}, std::move(problem)});
}

using GradeFunction = Score (*)(const GradeInput& input, const CheckArgs& args, WorkerState& worker);

// A row's grade function from one that takes the arguments as `parse` made them with MakeArgs<T>.
template <class T, Score (*grade)(const GradeInput&, const T&, WorkerState&)>
Score GradeWith(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  const auto& parsed = *static_cast<const ParsedArgs<T>*>(args.get());
  if (!parsed.problem.empty()) return Score::Failure(parsed.problem);
  return grade(input, parsed.value, worker);
}

// For rows that ask (check.h): one request for each answer, or none where the arguments are no good; then
// their problem is what every answer gets.
template <class T>
std::uint32_t OneRequestIfUsable(const CheckArgs& args) {
  return static_cast<const ParsedArgs<T>*>(args.get())->problem.empty() ? 1 : 0;
}
template <class T>
Score ProblemScore(const CheckArgs& args) {
  return Score::Failure(static_cast<const ParsedArgs<T>*>(args.get())->problem);
}

// The opposite: for the not_ forms. Errors stay errors.
template <GradeFunction grade>
Score Not(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return Invert(grade(input, args, worker));
}

// Whether what `grade` finds is turned around before it counts: by a not_ form, or by the suite.
bool IsTurnedAround(const Check& check);
// Of an answer that is itself why nothing can be said of it, by a limit that it exceeds: it gets no point,
// turned around or not. `why` is its explanation.
Score LostScore(std::string why, bool is_turned_around);

// A computed number as a score: clamped to [0, 1], -0 as 0. NaN is a score only where the rules say so; else
// it is an error.
Score NumberScore(double number, const GradingRules& rules);

}  // namespace assay
