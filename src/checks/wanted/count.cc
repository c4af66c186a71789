// Grades `$count`: whether the answer has as many words, sentences, texts and the like as wanted. Pure; any
// thread.
//   args    {of, exactly | at_least, at_most, graded}; `of` is a name of text/prose/countable.h, or {text,
//           ignore_case}, {word}, {matches}, {letter}; word and letter ignore case, text does unless it says
//           so
//   score   1 within the bounds, else 0; graded: count / at_least below them, at_most / count above
//   source  assay's own; known deviations: none
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "base/text/utf8.h"
#include "checks/graders.h"
#include "checks/wanted/arguments.h"
#include "text/found.h"
#include "text/javascript/text.h"
#include "text/prose/countable.h"

namespace assay {
namespace {

struct WantedCount {
  std::string_view of;                     // of kCountables; "": the text, or the pattern
  std::string text;                        // in small letters unless its case counts
  bool ignores_case = true;                // of the text
  bool is_word = false;                    // the text counts as a word of its own
  std::shared_ptr<const JsRegex> pattern;  // null: none
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  bool graded = false;
  GradingRules rules;
  bool is_turned_around = false;
};

constexpr std::string_view kCountExpected =
    "of: words, word_runs, characters, lines, paragraphs, sentences, bullets, headings, placeholders, "
    "capital_words, code_blocks, urls, or {text}, {word}, {matches} or {letter}";

Status ReadCountedText(const Value& of, WantedCount& wanted) {
  if (!of.is_map() || of.AsMap().empty()) return BadArgument(kCountExpected, of);
  const Member& first = *of.AsMap().begin();
  const std::string key = of.Find("text") != nullptr ? "text" : first.key;
  ASSAY_CHECK_OK(key == "text" ? OnlyMembers(of, {"text", "ignore_case"}) : OnlyMembers(of, {key}));
  const Value& value = *of.Find(key);
  if (!value.is_string() || value.AsString().empty()) return BadMember("a text that is not empty", of, key);
  if (key == "matches") {
    Result<std::shared_ptr<const JsRegex>> regex = JsRegex::Compile(value.AsString(), JsRegexFlags::kNone);
    if (!regex)
      return Error{.code = ErrorCode::kInvalidInput, .message = regex.error().message, .where = value.span};
    wanted.pattern = *std::move(regex);
    return Ok();
  }
  if (key != "text" && key != "word" && key != "letter") return BadArgument(kCountExpected, of);
  if (key == "letter" && CountCodePoints(value.AsString()) != 1) return BadMember("one letter", of, key);
  ASSAY_TRY(wanted.ignores_case, FlagMember(of, "ignore_case", true));
  wanted.text = wanted.ignores_case ? JsToLower(value.AsString()) : value.AsString();
  wanted.is_word = key == "word";
  return Ok();
}

Result<WantedCount> ReadWantedCount(const ParseInput& input) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  const Value& args = input.check.args;
  WantedCount wanted;
  wanted.rules = input.grading;
  wanted.is_turned_around = IsTurnedAround(input.check);
  ASSAY_CHECK_OK(OnlyMembers(args, {"of", "exactly", "at_least", "at_most", "graded"}));
  ASSAY_TRY(const std::optional<double> exactly, BoundedMember(args, "exactly", 0, kAny));
  ASSAY_TRY(const std::optional<double> at_least, BoundedMember(args, "at_least", 0, kAny));
  ASSAY_TRY(const std::optional<double> at_most, BoundedMember(args, "at_most", at_least.value_or(0), kAny));
  ASSAY_TRY(wanted.graded, FlagMember(args, "graded", false));
  if (exactly.has_value() == (at_least.has_value() || at_most.has_value()))
    return BadMember("a number, or at_least or at_most instead", args, "exactly");
  wanted.least = exactly.value_or(at_least.value_or(wanted.least));
  wanted.most = exactly.value_or(at_most.value_or(wanted.most));
  const Value* of = args.Find("of");
  if (of == nullptr) return BadMember("what is counted", args, "of");
  const std::string* written = FindText(args, "of");
  if (written == nullptr) {
    ASSAY_CHECK_OK(ReadCountedText(*of, wanted));
    return wanted;
  }
  const auto* name = std::find(std::begin(kCountables), std::end(kCountables), *written);
  if (name == std::end(kCountables)) return BadArgument(kCountExpected, *of);
  wanted.of = *name;
  return wanted;
}

Result<std::size_t> CountIn(AnswerView& answer, const WantedCount& wanted) {
  if (!wanted.of.empty()) return CountOf(wanted.of, answer.text());
  if (wanted.pattern != nullptr) {
    ASSAY_TRY(const std::vector<TextRange> matches, wanted.pattern->FindAll(answer.subject()));
    return matches.size();
  }
  const std::string_view text = wanted.ignores_case ? std::string_view(answer.js_lower()) : answer.text();
  return CountText(wanted.text, text, wanted.is_word ? Whereabouts::kAsWord : Whereabouts::kAnywhere);
}

Score Grade(const GradeInput& input, const WantedCount& wanted, WorkerState&) {
  const Result<std::size_t> counted = CountIn(input.answer, wanted);
  if (!counted) return YesOrNo(counted.error(), wanted.is_turned_around);
  const auto count = static_cast<double>(*counted);
  double value = count >= wanted.least && count <= wanted.most ? 1 : 0;
  if (wanted.graded && count < wanted.least) value = count / wanted.least;
  if (wanted.graded && count > wanted.most) value = wanted.most / count;
  Score score = NumberScore(value, wanted.rules);
  score.explanation = fmt::format("the count is {}", *counted);
  return score;
}

}  // namespace

CheckArgs ParseCount(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadWantedCount(input), diagnostics);
}

Score GradeCount(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<WantedCount, Grade>(input, args, worker);
}

}  // namespace assay
