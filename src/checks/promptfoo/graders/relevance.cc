// answer-relevance and conversation-relevance: whether answers are about what was asked.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "checks/promptfoo/graders/moves.h"
#include "checks/promptfoo/models/vectors.h"
#include "text/found.h"
#include "text/javascript/number.h"
#include "text/javascript/values.h"
#include "text/object.h"

namespace assay::promptfoo {
namespace {

constexpr std::size_t kQuestions = 3;

std::string AskedText(const GraderTurn& turn) {
  const std::string* query = FindText(turn.input().vars, "query");
  return query != nullptr ? *query : turn.input().prompt.value_or("");
}

// The messages of a conversation, two for each of its turns.
List MessagesOf(const GraderTurn& turn) {
  List turns = turn.input().vars.ListAt("_conversation");
  if (turns.empty()) {
    turns.emplace_back(Object{{"input", turn.input().prompt.value_or("")}, {"output", turn.call.text}});
  }
  return turns;
}

// The turn at `last` and those before it, as many as fit into a window.
Value Window(const GraderTurn& turn, const List& turns, std::size_t last) {
  constexpr double kWindow = 5;
  const double size = std::max(1.0, turn.assertion().config.NumberAt("windowSize").value_or(kWindow));
  const auto kept = static_cast<std::size_t>(std::min(size, static_cast<double>(last + 1)));
  List messages;
  for (std::size_t i = last + 1 - kept; i <= last; ++i) {
    for (const auto& [role, key] : {std::pair("user", "input"), std::pair("assistant", "output")}) {
      const Value* text = turns[i].Find(key);
      messages.emplace_back(Object{{"role", role}, {"content", text == nullptr ? "" : JsString(*text)}});
    }
  }
  return Value(std::move(messages));
}

}  // namespace

Result<GraderMove> NextAnswerRelevance(const GraderTurn& turn) {
  for (const Value& reply : turn.replies) {
    if (IsEmptyReply(reply)) return Failed(std::string(kNoOutput));
  }
  if (turn.replies.size() < kQuestions) {
    Map names = Object{{"answer", turn.call.text}};
    return Ask("answer-relevance", std::move(names));
  }
  std::vector<std::string> texts = {AskedText(turn)};
  for (std::size_t i = 0; i < kQuestions; ++i) texts.push_back(ReplyText(turn.replies[i]));
  if (!turn.input().embedding_error.empty()) return Failed(turn.input().embedding_error);
  std::vector<const std::vector<double>*> vectors;
  for (const std::string& text : texts) {
    const std::vector<double>* vector = FindEmbedding(turn.input(), text);
    if (vector == nullptr) {
      GraderMove move;
      move.embeds = texts;
      return move;
    }
    vectors.push_back(vector);
  }
  double sum = 0;
  for (std::size_t i = 1; i < vectors.size(); ++i) {
    if (vectors[i]->size() != vectors.front()->size())
      return Error{ErrorCode::kInvalidInput,
                   "the embeddings differ in length: take one model for all of them"};
    sum += Cosine(*vectors.front(), *vectors[i]);
  }
  const double share = sum / static_cast<double>(kQuestions);
  const Threshold least = ThresholdOr(turn.assertion(), 0);
  const bool pass = share >= least.number;
  return Done(Turned({pass, share,
                      fmt::format("Relevance {} is {} than threshold {}", JsToFixed(share, 2),
                                  pass ? "greater" : "less", least.text)},
                     turn.Turns(false)));
}

Result<GraderMove> NextConversationRelevance(const GraderTurn& turn) {
  const List turns = MessagesOf(turn);
  std::size_t relevant = 0;
  std::vector<std::string> irrelevant;  // why
  const std::size_t judged = std::min(turn.replies.size(), turns.size());
  for (std::size_t i = 0; i < judged; ++i) {
    if (IsEmptyReply(turn.replies[i])) return GraderFailed(std::string(kNoOutput));
    const Value said = ReplyObject(turn.replies[i]);
    if (!said.is_map()) return GraderFailed("Error parsing output: No JSON object found in response");
    const std::string& verdict = said.TextAt("verdict");
    if (verdict != "yes" && verdict != "no")
      return GraderFailed("Error parsing output: Conversation relevance grader returned an invalid verdict");
    if (verdict == "yes") {
      ++relevant;
    } else if (!said.TextAt("reason").empty()) {
      irrelevant.push_back(said.TextAt("reason"));
    }
  }
  if (judged < turns.size()) {
    Map names = Object{{"messages", Window(turn, turns, judged)}};
    return Ask("conversation-relevance", std::move(names));
  }
  const double share = static_cast<double>(relevant) / static_cast<double>(turns.size());
  std::string reason = fmt::format("{} out of {} conversation windows were relevant", relevant, turns.size());
  if (!irrelevant.empty()) {
    if (turn.replies.size() == turns.size()) {
      Map names = Object{{"score", share}, {"irrelevancies", ArrayOf(irrelevant)}};
      return Ask("conversation-relevance-reason", std::move(names));
    }
    const Value said = ReplyObject(turn.replies.back());
    if (!said.TextAt("reason").empty()) reason = said.TextAt("reason");
  }
  constexpr double kThreshold = 0.5;
  const Threshold least = ThresholdOr(turn.assertion(), kThreshold);
  return Done(Turned({share >= least.number, share, std::move(reason)}, turn.Turns(true)));
}

}  // namespace assay::promptfoo
