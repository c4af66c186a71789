// Reads the arguments of text checks (one text, a list, a list with a least count) and scores how many of
// their tests pass.
#include "checks/text/text_tests.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/limits.h"
#include "spec/suite/check.h"
#include "spec/suite/suite_rules.h"
#include "text/letters/letters.h"

namespace assay {
namespace {

struct TextTests {
  std::vector<TextTest> tests;
  double wanted = 1;    // Counted only: n
  std::string problem;  // a test that could not be made; counts only if the tests are looked at
  bool is_turned_around = false;
  GradingRules rules = {};
  // Of a literal family: how tests are made, and of what texts; else null.
  const TextFamily* family = nullptr;
  std::vector<std::string> texts = {};
};

bool IsListOfTexts(const Value& value) {
  return value.is_list() && std::all_of(value.AsList().begin(), value.AsList().end(),
                                        [](const Value& item) { return item.is_string(); });
}

// Adds the test of one text, or the reason why there is none (the first one counts).
void AddTest(const ParseInput& input, const TextFamily& family, const Value& text, TextTests& tests,
             Diagnostics& diagnostics) {
  Result<TextTest> test = family.make(text.AsString());
  const Span where = text.span.file == FileId::kNone ? ArgsSpan(input.check) : text.span;
  if (test.has_value()) {
    tests.tests.push_back(std::move(test).value());
    // Doubts cost time, and beyond the cap nobody would see them.
    if (family.doubt == nullptr || diagnostics.WarningCount() >= limits::kDiagnosticsMax) return;
    if (const std::string_view doubt = family.doubt(text.AsString()); !doubt.empty()) {
      diagnostics.Warning("check.slow",
                          fmt::format("${}: {} {}", input.check.kind, Quoted(text.AsString()), doubt), where,
                          "write it so that a text can be matched in one way only");
    }
    return;
  }
  std::string problem = TellBroken(input, test.error().message, where, diagnostics);
  if (tests.problem.empty()) tests.problem = std::move(problem);
}

// Lists that decide the score before any answer is seen.
void WarnOfReach(const ParseInput& input, std::size_t count, double wanted, Diagnostics& diagnostics) {
  const auto warn = [&](std::string problem, std::string hint) {
    diagnostics.Warning("check.out-of-reach", fmt::format("${}: {}", input.check.kind, problem),
                        ArgsSpan(input.check), std::move(hint));
  };
  if (count == 0) {
    warn("the list is empty, so every answer gets the same score",
         "name what to look for, or remove the criterion");
  } else if (wanted > static_cast<double>(count)) {
    warn(fmt::format("asks for {} of {}, so no answer can get the full score", wanted, count),
         "ask for as many as there are, or fewer");
  }
}

CheckArgs MakeTests(const ParseInput& input, const TextFamily& family, const List& texts, double wanted,
                    Diagnostics& diagnostics) {
  TextTests tests;
  tests.wanted = wanted;
  tests.is_turned_around = IsTurnedAround(input.check);
  tests.rules = input.grading;
  if (family.is_literal && !input.grading.nan_is_score) {
    tests.family = &family;
    for (const Value& text : texts) tests.texts.push_back(text.AsString());
  }
  WarnOfReach(input, texts.size(), wanted, diagnostics);
  for (const Value& text : texts) AddTest(input, family, text, tests, diagnostics);
  return MakeArgs(std::move(tests));
}

// How many tests pass, and by what; an Error if one could not be made or could not be finished.
struct Passed {
  std::size_t count = 0;
  std::vector<TextRange> marks = {};
};
Result<Passed> PassedOf(const GradeInput& input, const TextTests& tests) {
  if (!tests.problem.empty()) return Error{ErrorCode::kInvalidInput, tests.problem};
  Passed passed;
  for (const TextTest& test : tests.tests) {
    ASSAY_TRY(const TextFound found, test(input.answer));
    if (!found) continue;
    ++passed.count;
    AddMark(*found, passed.marks);
  }
  return passed;
}

// A test that cannot be made is the suite's fault, one that takes too long for an answer is the answer's.
Score Unfinished(const Error& error, const TextTests& tests) {
  if (error.code != ErrorCode::kLimit) return Score::Failure(error.message);
  return LostScore("no credit: " + error.message, tests.is_turned_around);
}

bool IsPlain(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; });
}

// Of a text that the answer does not have, but that a reader finds there: which characters make the
// difference. "" if there is none. Scores go by the characters as they stand.
std::string NearMiss(const GradeInput& input, const TextTests& tests) {
  constexpr std::size_t kPointsMost = 3;
  const std::string_view answer = input.answer.text();
  const bool is_plain = IsPlain(answer);
  std::string near;
  for (const std::string& text : tests.texts) {
    if (is_plain && IsPlain(text)) continue;
    const Result<TextTest> exact = tests.family->make(text);
    const Result<TextTest> alike = tests.family->make(NearForm(text));
    if (!exact || !alike) continue;
    if (near.empty()) near = NearForm(answer);
    AnswerView view(near);
    const Result<TextFound> found = (*alike)(view);
    const Result<TextFound> as_it_stands = (*exact)(input.answer);
    if (!found || !*found || !as_it_stands || *as_it_stands) continue;
    std::string points = NearPoints(answer, kPointsMost);
    if (points.empty()) points = NearPoints(text, kPointsMost);
    return fmt::format("near miss: the answer has {} in characters that look the same ({})", Quoted(text),
                       points);
  }
  return {};
}

Score WithNearMiss(Score score, const GradeInput& input, const TextTests& tests) {
  if (tests.family != nullptr) score.explanation = NearMiss(input, tests);
  return score;
}

Score AnyOf(const GradeInput& input, const TextTests& tests, WorkerState&) {
  if (!tests.problem.empty()) return Score::Failure(tests.problem);
  for (const TextTest& test : tests.tests) {
    const Result<TextFound> found = test(input.answer);
    if (!found.has_value()) return Unfinished(found.error(), tests);
    if (!found->has_value()) continue;
    Score score = Score::Of(1);
    AddMark(**found, score.marks);
    return score;
  }
  return WithNearMiss(Score::Of(0), input, tests);
}

Score AllOf(const GradeInput& input, const TextTests& tests, WorkerState&) {
  if (tests.tests.empty() && tests.problem.empty()) return Score::Of(1);
  Result<Passed> passed = PassedOf(input, tests);
  if (!passed.has_value()) return Unfinished(passed.error(), tests);
  Score score = Score::Of(static_cast<double>(passed->count) / static_cast<double>(tests.tests.size()));
  score.marks = std::move(passed->marks);
  return passed->count < tests.tests.size() ? WithNearMiss(std::move(score), input, tests) : score;
}

Score AtLeast(const GradeInput& input, const TextTests& tests, WorkerState&) {
  if (tests.wanted <= 0) return Score::Of(1);
  // Nothing of nothing: a NaN asks for no more than that.
  if (tests.tests.empty() && tests.problem.empty()) return Score::Of(tests.wanted > 0 ? 0 : 1);
  Result<Passed> passed = PassedOf(input, tests);
  if (!passed.has_value()) return Unfinished(passed.error(), tests);
  Score score = NumberScore(static_cast<double>(passed->count) / tests.wanted, tests.rules);
  score.marks = std::move(passed->marks);
  return passed->count < tests.tests.size() ? WithNearMiss(std::move(score), input, tests) : score;
}

}  // namespace

CheckArgs ParseTextTest(const ParseInput& input, const TextFamily& family, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  if (!args.is_string()) return UnusableArgs<TextTests>(TellUnexpected(input, family.expected, diagnostics));
  return MakeTests(input, family, List{args}, 1, diagnostics);
}

CheckArgs ParseTextTests(const ParseInput& input, const TextFamily& family, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  if (!IsListOfTexts(args)) {
    const std::string expected = fmt::format("a list, each item {}", family.expected);
    return UnusableArgs<TextTests>(TellUnexpected(input, expected, diagnostics));
  }
  return MakeTests(input, family, args.AsList(), 1, diagnostics);
}

CheckArgs ParseCountedTextTests(const ParseInput& input, const TextFamily& family, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  const bool is_counted = args.is_list() && args.AsList().size() == 2 && args.AsList()[0].is_number() &&
                          IsListOfTexts(args.AsList()[1]);
  if (!is_counted) {
    const std::string expected = fmt::format("[n, list], each item of the list {}", family.expected);
    return UnusableArgs<TextTests>(TellUnexpected(input, expected, diagnostics));
  }
  return MakeTests(input, family, args.AsList()[1].AsList(), args.AsList()[0].AsNumber(), diagnostics);
}

Score GradeOne(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeAny(input, args, worker);
}

Score GradeAny(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<TextTests, AnyOf>(input, args, worker);
}

Score GradeAll(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<TextTests, AllOf>(input, args, worker);
}

Score GradeAtLeast(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<TextTests, AtLeast>(input, args, worker);
}

}  // namespace assay
