// llm-rubric, factuality and model-graded-closedqa: one call, and a verdict in its reply.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/text/ascii.h"
#include "checks/promptfoo/graders/moves.h"
#include "text/javascript/number.h"
#include "text/javascript/text.h"
#include "text/javascript/truth.h"
#include "text/javascript/values.h"
#include "text/object.h"

namespace assay::promptfoo {
namespace {

constexpr std::string_view kYes[] = {"true", "yes", "pass", "y"};

// Texts that a prompt is filled in with: what is no text comes as its JSON.
std::string FilledText(const Value& value) {
  return value.is_nullish() ? "" : value.is_string() ? value.AsString() : JsJson(value);
}

bool SaysYes(const Value& said, std::string_view key) {
  const Value* verdict = said.Find(key);
  if (verdict == nullptr || verdict->is_nullish()) return true;
  if (const std::optional<bool> truth = said.BoolAt(key)) return *truth;
  const std::string word = JsToLower(JsTrim(said.TextAt(key)));
  return std::find(std::begin(kYes), std::end(kYes), word) != std::end(kYes);
}

double ScoreOr(const Value& said, double otherwise) {
  const Value* score = said.Find("score");
  const double number = score == nullptr ? std::nan("") : JsNumber(*score);
  return std::isfinite(number) ? number : otherwise;
}

AssertionResult RubricResult(const GraderTurn& turn, const Value& said) {
  const std::optional<Threshold> least = ThresholdOf(turn.assertion());
  AssertionResult result;
  result.pass = SaysYes(said, "pass");
  result.score = ScoreOr(said, result.pass ? 1 : 0);
  if (least) result.pass = result.pass && result.score >= least->number;
  if (IsTruthyAt(said, "reason")) {
    result.reason = JsString(*said.Find("reason"));
  } else {
    result.reason = result.pass ? "Grading passed"
                                : fmt::format("Score {} below threshold {}", JsNumberText(result.score),
                                              least ? least->text : "undefined");
  }
  if (!turn.call.negated()) return result;
  result.pass = !result.pass;
  result.score = std::clamp(1 - result.score, 0.0, 1.0);
  return result;
}

// The categories of factuality: what each means, its key in a test's options, and its score without them.
struct Category {
  char letter;
  std::string_view option;
  double score;
  std::string_view meaning;
};
constexpr Category kCategories[] = {
    {'A', "subset", 1,
     "The submitted answer is a subset of the expert answer and is fully consistent with it."},
    {'B', "superset", 1,
     "The submitted answer is a superset of the expert answer and is fully consistent with it."},
    {'C', "agree", 1, "The submitted answer contains all the same details as the expert answer."},
    {'D', "disagree", 0, "There is a disagreement between the submitted answer and the expert answer."},
    {'E', "differButFactual", 1,
     "The answers differ, but these differences don't matter from the perspective of factuality."},
};

GraderMove FactualityResult(const GraderTurn& turn, const std::string& category, std::string_view reason) {
  const auto* row = std::find_if(std::begin(kCategories), std::end(kCategories), [&](const Category& known) {
    return category.size() == 1 && category[0] == known.letter;
  });
  if (row == std::end(kCategories)) return Failed("Invalid category value: " + category);
  const Map& scores = turn.input().options.MapAt("factuality");
  const double score = scores.NumberAt(row->option).value_or(row->score);
  AssertionResult result{score > 0, score, std::string(JsTrim(reason))};
  if (result.reason.empty()) result.reason = fmt::format("Category {}: {}", row->letter, row->meaning);
  return Done(Turned(std::move(result), turn.Turns(false)));
}

// The letter in front of the first bracket that closes one: "(B)", "b)"; 0 if there is none.
char LetterOf(std::string_view text) {
  for (std::size_t at = text.find(')'); at != std::string_view::npos; at = text.find(')', at + 1)) {
    const char letter = at == 0 ? ' ' : static_cast<char>(text[at - 1] & ~0x20);
    if (letter >= 'A' && letter <= 'E') return letter;
  }
  return 0;
}

}  // namespace

Result<GraderMove> NextRubric(const GraderTurn& turn) {
  if (turn.replies.empty()) {
    Map names = Object{{"output", turn.call.text}, {"rubric", FilledText(turn.call.value)}};
    return Ask("llm-rubric", std::move(names));
  }
  const Value& reply = turn.replies.front();
  if (IsEmptyReply(reply)) return GraderFailed(std::string(kNoOutput));
  if (!reply.is_string() && !reply.is_map())
    return GraderFailed("llm-rubric produced malformed response - output must be string or object. Output: " +
                        JsJson(reply));
  const Value said = ReplyObject(reply);
  if (!said.is_map()) return GraderFailed("Could not extract JSON from llm-rubric response");
  return Done(RubricResult(turn, said));
}

Result<GraderMove> NextFactuality(const GraderTurn& turn) {
  if (turn.replies.empty()) {
    Map names = Object{{"input", turn.input().prompt.value_or("")},
                       {"ideal", FilledText(turn.call.value)},
                       {"completion", turn.call.text}};
    return Ask("factuality", std::move(names));
  }
  const Value& reply = turn.replies.front();
  if (IsEmptyReply(reply)) return Failed(std::string(kNoOutput));
  const Value said = ReplyObject(reply);
  if (said.Find("category") != nullptr) {
    const std::string category = JsToUpper(JsTrim(JsString(*said.Find("category"))));
    return FactualityResult(turn, category, said.TextAt("reason"));
  }
  const std::string text = ReplyText(reply);
  const char letter = LetterOf(text);
  if (letter == 0) return Failed("Factuality checker output did not match expected format: " + text);
  return FactualityResult(turn, std::string(1, letter), std::string_view(text).substr(text.find(')') + 1));
}

Result<GraderMove> NextClosedQa(const GraderTurn& turn) {
  if (turn.replies.empty()) {
    Map names = Object{{"input", turn.input().prompt.value_or("")},
                       {"criteria", FilledText(turn.call.value)},
                       {"completion", turn.call.text}};
    return Ask("model-graded-closedqa", std::move(names));
  }
  if (IsEmptyReply(turn.replies.front())) return Failed(std::string(kNoOutput));
  const std::string text = ReplyText(turn.replies.front());
  const std::string_view end = JsTrim(text);
  const bool meets = end.ends_with('Y');
  if (!meets && !end.ends_with('N')) return Failed("Model grader produced a malformed response:\n" + text);
  return Done(
      Turned({meets, meets ? 1.0 : 0.0,
              fmt::format("The submission {} the criterion:\n{}", meets ? "meets" : "does not meet", text)},
             turn.Turns(false)));
}

}  // namespace assay::promptfoo
