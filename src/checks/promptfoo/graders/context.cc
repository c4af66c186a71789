// context-recall, context-relevance and context-faithfulness: how an answer goes with the texts behind it.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/text/ascii.h"
#include "checks/promptfoo/graders/moves.h"
#include "checks/promptfoo/script/call.h"
#include "text/found.h"
#include "text/javascript/text.h"
#include "text/javascript/values.h"
#include "text/object.h"

namespace assay::promptfoo {
namespace {

// A text, or a list of texts; undefined if there is none.
Result<Value> ContextOf(const GraderTurn& turn) {
  const std::string& transform = turn.assertion().written.TextAt("contextTransform");
  if (!transform.empty()) {
    AssertionInput of_output = turn.input();
    of_output.output = turn.call.output;
    return TransformedOutput(transform, of_output);
  }
  const Value* context = turn.input().vars.Find("context");
  return context == nullptr ? Value() : *context;
}

std::string JoinedContext(const Value& context) {
  if (!context.is_list()) return JsString(context);
  std::vector<std::string> parts;
  for (const Value& part : context.AsList()) parts.push_back(JsString(part));
  return fmt::format("{}", fmt::join(parts, "\n\n"));
}

Error Missing(const GraderTurn& turn, std::string_view what) {
  return {ErrorCode::kInvalidInput, fmt::format("\"{}\" needs {}", turn.assertion().type, what),
          turn.assertion().value.span};
}

struct Question {
  std::string query;
  Value context;
};

// What relevance and faithfulness cannot do without.
Result<Question> QuestionOf(const GraderTurn& turn) {
  Question question;
  const std::string* query = FindText(turn.input().vars, "query");
  if (query == nullptr) return Missing(turn, "a variable \"query\" with the question of the user");
  question.query = *query;
  ASSAY_TRY(question.context, ContextOf(turn));
  if (!question.context.is_string() && !question.context.is_list())
    return Missing(turn,
                   "a variable \"context\", or a contextTransform, that gives a text or a list of texts");
  return question;
}

// Sentences end behind ". ", "! " or "? "; numbers of a list alone are none.
std::vector<std::string> SentencesIn(std::string_view text) {
  std::vector<std::string> sentences;
  const auto add = [&](std::string_view part) {
    const std::string_view sentence = JsTrim(part);
    const bool is_number =
        sentence.size() > 1 && sentence.ends_with('.') &&
        std::all_of(sentence.begin(), sentence.end() - 1, [](char c) { return IsAsciiDigit(c); });
    if (!sentence.empty() && !is_number) sentences.emplace_back(sentence);
  };
  std::size_t start = 0;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    const bool ends = text[at] == '.' || text[at] == '!' || text[at] == '?';
    if (!ends || !IsJsSpace(static_cast<unsigned char>(text[at + 1]))) continue;
    add(text.substr(start, at + 1 - start));
    start = at + 1;
  }
  add(text.substr(start));
  return sentences;
}

std::vector<std::string> UnitsOf(std::string_view text) {
  std::vector<std::string> lines = LinesOf(text);
  return lines.size() > 1 ? lines : SentencesIn(text);
}

double RelevantShare(const Value& context, const std::string& reply) {
  if (reply.find("Insufficient Information") != std::string::npos) return 0;
  const bool by_lines = context.is_list() || LinesOf(context.AsString()).size() > 1;
  const std::size_t units = context.is_list() ? context.AsList().size() : UnitsOf(context.AsString()).size();
  if (units == 0) return 0;
  const std::vector<std::string> kept_parts = by_lines ? LinesOf(reply) : UnitsOf(reply);
  const std::size_t kept = std::set<std::string>(kept_parts.begin(), kept_parts.end()).size();
  return static_cast<double>(std::min(by_lines ? kept : kept_parts.size(), units)) /
         static_cast<double>(units);
}

std::size_t CountOf(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

// How many statements a reply says yes to.
std::size_t CountYes(std::string_view verdicts) {
  constexpr std::string_view kFinal = "final verdict for each statement in order:";
  const std::size_t final = verdicts.find(kFinal);
  if (final == std::string_view::npos) return CountOf(verdicts, "verdict: yes");
  const std::string_view words = verdicts.substr(final + kFinal.size());
  std::size_t count = 0;
  for (std::size_t start = 0; start < words.size();) {
    const std::size_t end = std::min(words.find('.', start), words.size());
    if (words.substr(start, end - start).find("yes") != std::string_view::npos) ++count;
    start = end + 1;
  }
  return count;
}

}  // namespace

Result<GraderMove> NextContextRecall(const GraderTurn& turn) {
  if (!turn.call.value.is_string()) return BadValue(turn.call, "the truth as a text");
  if (!turn.input().prompt) return Missing(turn, "a prompt");
  if (turn.replies.empty()) {
    ASSAY_TRY(const Value context, ContextOf(turn));
    Map names = Object{{"context", context.is_undefined() ? *turn.input().prompt : JoinedContext(context)},
                       {"groundTruth", turn.call.value}};
    return Ask("context-recall", std::move(names));
  }
  if (IsEmptyReply(turn.replies.front())) return Failed(std::string(kNoOutput));
  const std::string reply = JsToLower(ReplyText(turn.replies.front()));
  std::size_t attributed = 0;
  std::size_t judged = 0;
  for (const std::string& line : LinesOf(reply)) {
    const bool is_attributed = line.find("[attributed]") != std::string::npos;
    if (is_attributed) ++attributed;
    if (is_attributed || line.find("[not attributed]") != std::string::npos) ++judged;
  }
  const double share = judged == 0 ? 0 : static_cast<double>(attributed) / static_cast<double>(judged);
  return Done(ShareOfContext(turn, "Recall", share));
}

Result<GraderMove> NextContextRelevance(const GraderTurn& turn) {
  ASSAY_TRY(const Question question, QuestionOf(turn));
  if (turn.replies.empty()) {
    Map names = Object{{"context", JoinedContext(question.context)}, {"query", question.query}};
    return Ask("context-relevance", std::move(names));
  }
  if (IsEmptyReply(turn.replies.front())) return Failed(std::string(kNoOutput));
  return Done(ShareOfContext(turn, "Context relevance",
                             RelevantShare(question.context, ReplyText(turn.replies.front()))));
}

Result<GraderMove> NextContextFaithfulness(const GraderTurn& turn) {
  ASSAY_TRY(const Question question, QuestionOf(turn));
  if (turn.replies.empty()) {
    Map names = Object{{"question", question.query}, {"answer", turn.call.text}};
    return Ask("context-faithfulness-longform", std::move(names));
  }
  if (IsEmptyReply(turn.replies.back())) return Failed(std::string(kNoOutput));
  const std::vector<std::string> statements = LinesOf(ReplyText(turn.replies.front()));
  if (turn.replies.size() == 1) {
    Map names = Object{{"context", JoinedContext(question.context)},
                       {"statements", fmt::format("{}", fmt::join(statements, "\n"))}};
    return Ask("context-faithfulness-nli", std::move(names));
  }
  const std::size_t yes = std::min(CountYes(JsToLower(ReplyText(turn.replies[1]))), statements.size());
  const double share =
      statements.empty() ? 0 : static_cast<double>(yes) / static_cast<double>(statements.size());
  return Done(ShareOfContext(turn, "Faithfulness", share));
}

}  // namespace assay::promptfoo
