// Aligns the answer with a template and grades what stands in its blanks:
// `blank_filling: {template, targets, blank_str?, escape?, prefix?, post_handler?}`.
//   target  a text, or {content, weight, to_lower, substr_match}; `content` is a text or a list of
//           alternatives, each a text or {content, regex, cond}
//   score   the weights of the blanks that one of their alternatives fits, of all weights; none fits where
//           less than 0.8 of the template is found. A post_handler replaces both
//   items   a blank each; what a post_handler tells is the score's remark
//   cond    a condition sees what the original's function knows where it stands, `f` (the table of the
//           alignment) alone excepted
//   source  InfiBench's evaluator (spec infibench 6), with its faults: a mapping as `content` accepts its own
//           keys; a template that ends in a blank is an error; letters of the blank's mark take part in the
//           alignment
//   known deviations: limits (checks/code/alignment.h, text/python/regex.h); an answer that exceeds one, or
//           that makes a condition on it or the post_handler fail, has no point (but with --compat)
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "base/text/utf8.h"
#include "checks/code/alignment.h"
#include "checks/code/wanted.h"
#include "checks/graders.h"
#include "checks/program/python_condition.h"
#include "checks/program/python_row.h"
#include "spec/score/item_words.h"
#include "spec/suite/check.h"
#include "text/found.h"
#include "text/object.h"
#include "text/python/regex.h"
#include "text/python/text.h"
#include "text/python/truth.h"

namespace assay {
namespace {

constexpr double kRateMin = 0.8;

struct Alternative {
  std::string text;    // as written
  std::string wanted;  // in lower case where the target says so
  bool is_regex = false;
  std::shared_ptr<const PythonRegex> regex;
  std::optional<PythonCondition> condition;
  Value as_written;     // what a condition sees as `ans`; undefined without one
  std::string problem;  // why it fails where it is reached; "" if it does not
};

struct Target {
  std::string accepted;  // in words
  std::vector<Alternative> alternatives;
  double weight = 1;
  bool to_lower = false;
  bool is_part_enough = false;
  Value as_written;  // what a condition sees as `target`; undefined where none of its alternatives has one
  std::string problem;

  bool has_condition() const { return !as_written.is_undefined(); }
};

}  // namespace

struct Blanks {
  std::u32string pattern;           // the template with its marks
  std::vector<std::size_t> places;  // of the marks
  std::size_t mark_size = 0;
  std::string prefix;
  std::string escape;
  std::vector<Target> targets;
  std::optional<PythonHandler> handler;
  PythonHost python;
  bool fails_like_original = false;
  std::uint32_t calls_max = 0;
  Map names;  // what conditions see of the arguments, whatever the answer; empty where there is no condition

  double Total() const;
  // What a handler is called with for an answer in which nothing of the template is found.
  List OfNothing() const;
  Score Grade(const GradeInput& input, PythonCalls& calls) const;
};

namespace {

// ---- arguments
// --------------------------------------------------------------------------------------------------

Error BadBlank(std::string message, const Value& at) {
  return {.code = ErrorCode::kInvalidInput, .message = std::move(message), .where = at.span};
}

Result<std::string> TextArgument(const Value& args, std::string_view name,
                                 std::optional<std::string> otherwise) {
  if (const std::string* text = FindText(args, name)) return *text;
  const Value* value = args.Find(name);
  if (value == nullptr && otherwise) return *otherwise;
  return BadBlank(
      fmt::format("{} must be a text, found {}", name, value == nullptr ? "nothing" : KindName(*value)),
      value == nullptr ? args : *value);
}

Alternative ReadAlternative(const Value& value, bool to_lower) {
  Alternative alternative;
  const std::string* content = FindOwnText(value, "content");
  if (content == nullptr) {
    alternative.problem =
        fmt::format("an alternative must be a text or have one as content, found {}", KindName(value));
    return alternative;
  }
  alternative.text = *content;
  alternative.wanted = to_lower ? PythonLower(alternative.text) : alternative.text;
  alternative.is_regex = IsPythonTrueAt(value, "regex");
  if (value.Find("cond") != nullptr) {
    alternative.condition.emplace(value.TextAt("cond"));
    alternative.as_written = value;
  }
  if (!alternative.is_regex) return alternative;
  Result<std::shared_ptr<const PythonRegex>> regex = PythonRegex::Compile(alternative.wanted);
  if (regex) {
    alternative.regex = std::move(regex).value();
  } else {
    alternative.problem = regex.error().message;
  }
  return alternative;
}

Result<Target> ReadTarget(const Value& value) {
  Target target;
  const Value* accepted = value.Find("content");
  target.accepted = WantedText(accepted == nullptr ? value : *accepted);
  if (value.is_string()) {
    target.alternatives.push_back(ReadAlternative(value, false));
    return target;
  }
  if (!value.is_map())
    return BadBlank(fmt::format("a target must be a text or a mapping, found {}", KindName(value)), value);
  if (const Value* weight = value.Find("weight")) {
    const std::optional<double> number = weight->is_string() ? std::nullopt : PythonFloat(*weight);
    if (!number)
      return BadBlank(fmt::format("a weight must be a number, found {}", KindName(*weight)), *weight);
    target.weight = *number;
  }
  target.to_lower = IsPythonTrueAt(value, "to_lower");
  target.is_part_enough = IsPythonTrueAt(value, "substr_match");
  const Value* content = value.Find("content");
  const Value nothing;
  if (content == nullptr) content = &nothing;
  const std::optional<List> items = content->is_string() ? List{*content} : PythonItems(*content);
  if (!items) {
    target.problem = fmt::format("content must be a text or a list of texts, found {}", KindName(*content));
    return target;
  }
  for (const Value& item : *items) {
    target.alternatives.push_back(ReadAlternative(item, target.to_lower));
    if (target.alternatives.back().condition) target.as_written = value;
  }
  return target;
}

// Where the mark begins in the template; overlapping places count, which the caller finds out.
std::vector<std::size_t> PlacesOf(std::u32string_view mark, std::u32string_view pattern) {
  std::vector<std::size_t> places;
  for (std::size_t at = pattern.find(mark); at != std::u32string_view::npos;
       at = pattern.find(mark, at + 1)) {
    places.push_back(at);
  }
  return places;
}

Status ReadMarks(const Value& args, Blanks& blanks) {
  ASSAY_TRY(const std::string pattern, TextArgument(args, "template", std::nullopt));
  ASSAY_TRY(const std::string mark_text, TextArgument(args, "blank_str", "[blank]"));
  const std::u32string mark = ToUtf32(mark_text);
  blanks.pattern = ToUtf32(pattern);
  if (blanks.pattern.empty() || mark.empty())
    return BadBlank("the template and blank_str must not be empty", args);
  blanks.mark_size = mark.size();
  blanks.places = PlacesOf(mark, blanks.pattern);
  for (std::size_t i = 1; i < blanks.places.size(); ++i) {
    if (blanks.places[i] - blanks.places[i - 1] < mark.size())
      return BadBlank("blanks overlap in the template", args);
  }
  if (blanks.places.size() != blanks.targets.size()) {
    return BadBlank(fmt::format("there are {} blanks and {} targets; every blank needs one",
                                blanks.places.size(), blanks.targets.size()),
                    args);
  }
  return Ok();
}

// Whole numbers stay whole ones of Python, so that a condition may count with them.
Value WholeNumber(std::size_t number) { return Value(static_cast<std::int64_t>(number)); }

Map NamesOf(const Value& args, const Blanks& blanks) {
  Map names;
  const bool has_condition = std::any_of(blanks.targets.begin(), blanks.targets.end(),
                                         [](const Target& target) { return target.has_condition(); });
  if (!has_condition) return names;
  names.Append("template", *args.Find("template"));
  const Value* mark = args.Find("blank_str");
  Extend(names, {{"blank_str", mark == nullptr ? Value("[blank]") : *mark},
                 {"escape", blanks.escape},
                 {"targets", *args.Find("targets")},
                 {"n_blank", WholeNumber(blanks.places.size())},
                 {"blank_places", ArrayOf(blanks.places, WholeNumber)}});
  Value handler = Null{};
  if (blanks.handler) {
    handler = Object{{"module", blanks.handler->module}, {"func", blanks.handler->function}};
  }
  names.Append("post_handler", std::move(handler));
  return names;
}

Result<Blanks> ReadBlanks(const Value& args) {
  if (!args.is_map())
    return BadBlank(fmt::format("expected {{template, targets}}, found {}", KindName(args)), args);
  Blanks blanks;
  const Value* targets = args.Find("targets");
  const std::optional<List> items = targets == nullptr ? std::nullopt : PythonItems(*targets);
  if (!items) return BadBlank("expected a list of targets", args);
  for (const Value& item : *items) {
    ASSAY_TRY(Target target, ReadTarget(item));
    for (const Alternative& alternative : target.alternatives) {
      if (alternative.condition && !alternative.condition->is_understood()) ++blanks.calls_max;
    }
    blanks.targets.push_back(std::move(target));
  }
  ASSAY_CHECK_OK(ReadMarks(args, blanks));
  ASSAY_TRY(blanks.escape, TextArgument(args, "escape", " '\"`"));
  ASSAY_TRY(blanks.prefix, TextArgument(args, "prefix", ""));
  if (const Value* handler = args.Find("post_handler")) {
    Result<PythonHandler> read = ReadHandler(*handler);
    if (!read) return BadBlank(read.error().message, *handler);
    blanks.handler = std::move(read).value();
    blanks.calls_max += 2;  // the second one where the first fails
  }
  blanks.names = NamesOf(args, blanks);
  return blanks;
}

// ---- grading
// ----------------------------------------------------------------------------------------------------

Error Problem(std::string message) {
  return {.code = ErrorCode::kInvalidInput, .message = std::move(message)};
}

// How many bytes of UTF-8 these characters take.
std::size_t BytesOf(std::u32string_view text) {
  std::string bytes;
  for (const char32_t c : text) AppendUtf8(c, bytes);
  return bytes.size();
}

struct BlankFound {
  std::string text;
  TextRange where = {};  // bytes of the prefix and the answer
};

// What stands in the blank at `place`, without the characters of `escape` around it.
Result<BlankFound> BlankText(const Blanks& blanks, std::size_t place, std::u32string_view text,
                             const Alignment& alignment) {
  const std::size_t end_place = place + blanks.mark_size;
  if (end_place >= blanks.pattern.size())
    return Problem("the template ends in a blank, which has no end then");
  const std::size_t start = place == 0 ? alignment.places[0] : alignment.places[place - 1] + std::size_t{1};
  const std::size_t end = std::min<std::size_t>(alignment.places[end_place], text.size());
  std::string found;
  for (std::size_t i = start; i < end; ++i) AppendUtf8(text[i], found);
  const std::string_view stripped = PythonStrip(found, blanks.escape);
  const std::size_t from =
      BytesOf(text.substr(0, start)) + static_cast<std::size_t>(stripped.data() - found.data());
  return BlankFound{.text = std::string(stripped), .where = {from, from + stripped.size()}};
}

Result<bool> Fits(const Target& target, const Alternative& alternative, const std::string& text) {
  if (!alternative.problem.empty()) return Problem(alternative.problem);
  if (!alternative.is_regex) {
    return target.is_part_enough ? text.find(alternative.wanted) != std::string::npos
                                 : text == alternative.wanted;
  }
  return target.is_part_enough ? alternative.regex->Search(text) : alternative.regex->FullMatch(text);
}

// The blank that is being graded, as conditions see it: the locals of the original's function.
struct BlankInView {
  std::size_t number = 0;
  const Map& names;  // what they see whichever blank it is
  double score = 0;  // so far
  double total = 0;  // this blank included
  const List& details;
};

// What conditions see of the answer, whichever blank it is.
Map NamesOfAnswer(const Blanks& blanks, std::u32string_view text, const Alignment& alignment, double rate) {
  Map names = blanks.names;
  if (names.empty()) return names;
  std::string response;
  for (const char32_t c : text) AppendUtf8(c, response);
  Extend(names, {{"response", std::move(response)},
                 {"s", ArrayOf(alignment.places, WholeNumber)},
                 {"matched_rate", rate}});
  return names;
}

Map NamesAt(const BlankInView& view, const Target& target, const Alternative& alternative,
            const std::string& text) {
  Map names = view.names;
  const auto of_target = [&target](std::string_view key, Value otherwise) {
    const Value* written = target.as_written.Find(key);
    return written == nullptr ? otherwise : *written;
  };
  Extend(names, {{"no", WholeNumber(view.number)},
                 {"now_score", view.score},
                 {"tot_score", view.total},
                 {"grading_details", view.details},
                 {"target", target.as_written},
                 {"weight", of_target("weight", Value(1.0))},
                 {"to_lower", of_target("to_lower", Value(false))},
                 {"substr_match", of_target("substr_match", Value(false))},
                 {"anses", of_target("content", Value(Null{}))},
                 {"matched", false},
                 {"now_status", fmt::format("response string: {}, ans: {}", text, alternative.text)},
                 {"ans", alternative.as_written},
                 {"ans_str", alternative.wanted},
                 {"ans_cond", alternative.condition->text()},
                 {"ans_re", alternative.is_regex}});
  return names;
}

// `text`: before it is lowered, `lowered`: as it is compared.
Result<bool> BlankFillingHolds(const BlankInView& view, const Target& target, const Alternative& alternative,
                               const std::string& text, const std::string& lowered, PythonCalls& calls) {
  if (!alternative.condition) return true;
  Map names = NamesAt(view, target, alternative, text);
  names.Append("response_str", lowered);
  const PythonCondition& condition = *alternative.condition;
  const Result<bool> holds =
      condition.is_understood() ? condition.Evaluate(names) : calls.Test(condition.text(), names);
  if (!holds) return condition.BlamedOn(holds.error());
  return holds;
}

// Fills the item of a blank in which this text stands.
Status GradeBlank(const BlankInView& view, const Target& target, std::string text, PythonCalls& calls,
                  ScoreItem& item) {
  if (!target.problem.empty()) return Problem(target.problem);
  item.found = "unmatched";
  bool is_matched = false;
  for (const Alternative& alternative : target.alternatives) {
    item.found.clear();
    item.given = text;
    item.against = alternative.text;
    if (target.to_lower) text = PythonLower(text);
    ASSAY_TRY(is_matched, Fits(target, alternative, text));
    if (is_matched) {
      ASSAY_TRY(is_matched, BlankFillingHolds(view, target, alternative, *item.given, text, calls));
    }
    if (!is_matched) continue;
    item.share = 1;
    item.points = target.weight;
    return Ok();
  }
  return Ok();
}

struct Graded {
  double score = 0;
  double total = 0;
  List details;  // what handlers and conditions see
  std::vector<ScoreItem> items;
  std::vector<TextRange> marks;
};

std::string MatchRateText(double rate) { return "match rate too low - " + PythonFloatText(rate); }

Result<Graded> GradeBlanks(const Blanks& blanks, std::string_view answer, PythonCalls& calls) {
  std::u32string text = ToUtf32(blanks.prefix) + ToUtf32(answer);
  if (text.empty()) text = U" ";
  ASSAY_TRY(const Alignment alignment, Align(blanks.pattern, text));
  const double rate = static_cast<double>(alignment.matched) /
                      static_cast<double>(blanks.pattern.size() - blanks.places.size() * blanks.mark_size);
  Graded graded;
  const Map names = NamesOfAnswer(blanks, text, alignment, rate);
  const std::size_t before = blanks.prefix.size();
  // Bytes that are no text stand for themselves in the answer, for a character here.
  const bool has_places = BytesOf(text) == before + answer.size();
  for (std::size_t i = 0; i < blanks.targets.size(); ++i) {
    const Target& target = blanks.targets[i];
    graded.total += target.weight;
    ScoreItem& item = graded.items.emplace_back();
    item.wanted = target.accepted;
    item.weight = target.weight;
    if (rate < kRateMin) {
      item.found = MatchRateText(rate);
    } else {
      ASSAY_TRY(BlankFound found, BlankText(blanks, blanks.places[i], text, alignment));
      const BlankInView view{.number = i,
                             .names = names,
                             .score = graded.score,
                             .total = graded.total,
                             .details = graded.details};
      ASSAY_CHECK_OK(GradeBlank(view, target, std::move(found.text), calls, item));
      if (item.share == 1 && has_places && found.where.from >= before)
        AddMark({found.where.from - before, found.where.to - before}, graded.marks);
    }
    graded.score += item.points;
    graded.details.emplace_back(BlankLine(item));
  }
  return graded;
}

}  // namespace

double Blanks::Total() const {
  double total = 0;
  for (const Target& target : targets) total += target.weight;
  return total;
}

List Blanks::OfNothing() const {
  const ScoreItem item{.found = MatchRateText(0)};
  return {0.0, Total(), List(targets.size(), Value(BlankLine(item)))};
}

Score Blanks::Grade(const GradeInput& input, PythonCalls& calls) const {
  Result<Graded> graded = GradeBlanks(*this, input.answer.text(), calls);
  if (!graded) {
    const bool is_lost = graded.error().code == ErrorCode::kLimit && !fails_like_original && Total() > 0;
    return is_lost ? LostComponent(Total(), graded.error().message) : ComponentFailure(graded.error());
  }
  const std::optional<List> of_nothing = fails_like_original ? std::nullopt : std::optional(OfNothing());
  Score score = handler ? HandledScore(*handler, {graded->score, graded->total, std::move(graded->details)},
                                       calls, std::move(graded->items), of_nothing)
                        : ComponentScore(graded->score, graded->total, std::move(graded->items));
  score.marks = std::move(graded->marks);
  return score;
}

CheckArgs ParseBlankFilling(const ParseInput& input, Diagnostics& diagnostics) {
  Result<Blanks> blanks = ReadBlanks(input.check.args);
  if (!blanks) {
    const auto problem_of = [](const Value& args) { return ProblemIn(ReadBlanks(args)); };
    return UnusableArgs<Blanks>(
        TellEachBroken(input, "targets", Value("x"), blanks.error(), problem_of, diagnostics));
  }
  blanks->python = FindPython(input);
  blanks->fails_like_original = input.grading.python_words;
  return MakeArgs(std::move(blanks).value());
}

template struct PythonRow<Blanks>;

}  // namespace assay
