// Carries talks with graders on, move by move, with the replies that have come.
#include "checks/promptfoo/row/talk.h"

#include <fmt/core.h>

#include <algorithm>

#include "checks/judge/judge.h"
#include "checks/promptfoo/graders/prompts.h"
#include "checks/promptfoo/table.h"
#include "spec/suite/variant.h"
#include "text/found.h"
#include "text/javascript/values.h"
#include "text/json/json.h"

namespace assay::promptfoo {
namespace {

bool AsksSomebody(const LeafTalk& talk) { return talk.grader != nullptr || talk.embedder != nullptr; }

Role RoleOfMessage(std::string_view role) {
  if (role == "system" || role == "developer") return Role::kSystem;
  return role == "assistant" ? Role::kAssistant : Role::kUser;
}

// A text, or a list of parts of which the texts are joined; else its JSON.
std::string ContentOf(const Value& message) {
  if (const std::string* text = FindText(message, "content")) return *text;
  const Value* content = message.Find("content");
  if (content == nullptr) return "";
  std::string text;
  for (const Value& part : message.ListAt("content")) {
    const std::string* own = FindOwnText(part, "text");
    if (own == nullptr) return JsJson(*content);
    text += (text.empty() ? "" : "\n") + *own;
  }
  return text.empty() ? JsJson(*content) : text;
}

// The prompt of the assertion's author, else of the test's; undefined: ours.
Value OwnPrompt(const Assertion& assertion, const AssertionInput& input) {
  const Value* own = assertion.written.Find("rubricPrompt");
  if (own == nullptr) own = input.options.Find("rubricPrompt");
  return own == nullptr ? Value() : *own;
}

void AskGrader(const AskInput& ask, const GraderRequest& wanted, const AssertionInput& input,
               LeafTalk& talk) {
  if (talk.grader == nullptr) {
    talk.unreachable = "no model is named that grades";
    return;
  }
  const Result<List> messages = GraderMessages(wanted, OwnPrompt(talk.assertion, input), input);
  if (!messages) {
    talk.error = messages.error();
    return;
  }
  ModelRequest request{*talk.grader};
  request.params = talk.grader->params;
  for (const Value& message : *messages)
    request.messages.push_back({RoleOfMessage(message.TextAt("role")), ContentOf(message)});
  // Where the same is asked again, another reply is wanted.
  const std::string words = JsJson(Value(*messages));
  request.vote = static_cast<std::uint32_t>(std::count(talk.asked.begin(), talk.asked.end(), words));
  talk.asked.push_back(words);
  request.attempt = ask.tag.attempt;
  RequestTag tag = ask.tag;
  tag.role = RequestRole::kJudge;
  tag.judge_model = talk.grader->model_id;
  tag.criterion = talk.assertion.type;
  talk.open_requests.push_back({.request = std::move(request), .tag = std::move(tag)});
}

// A request for each text that has no vector yet: equal texts are embedded once in a run.
void AskForVectors(const AskInput& ask, const std::vector<std::string>& texts, LeafTalk& talk) {
  if (talk.embedder == nullptr) {
    talk.unreachable = "no model is named that turns texts into vectors";
    return;
  }
  std::vector<std::string>& open = talk.open_texts;
  for (const std::string& text : texts) {
    if (talk.embeddings.contains(text) || std::find(open.begin(), open.end(), text) != open.end()) continue;
    open.push_back(text);
    EmbedRequest request{*talk.embedder, {text}, ""};
    RequestTag tag = ask.tag;
    tag.role = RequestRole::kEmbedding;
    talk.open_requests.push_back({.request = std::move(request), .tag = std::move(tag)});
  }
}

// `similar` and its like: all vectors, then the result.
void NextOfVectors(const AskInput& ask, const AssertionInput& input, LeafTalk& talk) {
  const Result<std::vector<std::string>> texts = TextsToEmbed(talk.assertion, input);
  if (!texts) {
    talk.error = texts.error();
    return;
  }
  AskForVectors(ask, *texts, talk);
  if (!talk.open_requests.empty() || talk.HasEnded()) return;
  Result<AssertionResult> result = RunAssertion(talk.assertion, input);
  if (result) {
    talk.result = *std::move(result);
  } else {
    talk.error = result.error();
  }
}

void NextOfTalk(const AskInput& ask, const AssertionInput& around, LeafTalk& talk) {
  AssertionInput input = around;
  input.embeddings = &talk.embeddings;
  if (talk.grader != nullptr) input.grader_id = talk.grader->model_id;
  if (!talk.assertion.row->asks) return NextOfVectors(ask, input, talk);
  Result<GraderMove> move = NextGraderMove(talk.assertion, input, talk.replies);
  if (!move) {
    talk.error = move.error();
  } else if (move->result) {
    talk.result = *std::move(move->result);
    talk.grader_failed = move->grader_failed;
  } else if (move->request) {
    AskGrader(ask, *move->request, input, talk);
  } else {
    AskForVectors(ask, move->embeds, talk);
    if (talk.open_requests.empty() && !talk.HasEnded())
      talk.error = Error{ErrorCode::kInvalidInput, "the grader asks for vectors that are there already"};
  }
}

// promptfoo reads every reply as text. We pass a JSON object on as one, since it may span several lines.
Value ReplyOf(const std::string& text, const AssertionPolicy& policy) {
  if (!policy.reads_whole_objects) return Value(text);
  Result<Value> parsed = ParseJson(text);
  return parsed && parsed->is_map() ? *std::move(parsed) : Value(text);
}

void TakeReply(const Exchange& exchange, const AssertionPolicy& policy, LeafTalk& talk) {
  if (exchange.error) {
    talk.unreachable = fmt::format("{}: {}", talk.grader->model_id, exchange.error->message);
    return;
  }
  const auto* reply = std::get_if<ModelReply>(&exchange.reply);
  talk.replies.push_back(ReplyOf(reply == nullptr ? std::string() : reply->text, policy));
}

void TakeVector(const Exchange& exchange, const std::string& text, LeafTalk& talk) {
  const auto* reply = std::get_if<EmbedReply>(&exchange.reply);
  if (exchange.error) {
    talk.unreachable = fmt::format("{}: {}", talk.embedder->model_id, exchange.error->message);
  } else if (reply == nullptr || reply->vectors.size() != 1) {
    talk.unreachable = fmt::format("{}: expected one vector for one text", talk.embedder->model_id);
  } else {
    talk.embeddings[text] = reply->vectors.front();
  }
}

void TakeReplies(std::span<const Exchange> replies, const AssertionPolicy& policy, LeafTalk& talk) {
  for (std::size_t i = 0; i < replies.size(); ++i) {
    if (talk.open_texts.empty()) {
      TakeReply(replies[i], policy, talk);
    } else {
      TakeVector(replies[i], talk.open_texts[i], talk);
    }
  }
  talk.open_texts.clear();
  talk.open_requests.clear();
}

}  // namespace

bool CarryOnTalks(const AskInput& ask, const AssertionInput& input, std::vector<LeafTalk>& talks) {
  std::span<const Exchange> left = ask.so_far;
  while (true) {
    std::vector<LeafTalk*> open;
    std::size_t requests = 0;
    for (LeafTalk& talk : talks) {
      if (!AsksSomebody(talk) || talk.HasEnded()) continue;
      NextOfTalk(ask, input, talk);
      if (talk.HasEnded()) continue;
      open.push_back(&talk);
      requests += talk.open_requests.size();
    }
    if (open.empty()) return false;
    if (left.size() < requests) return true;
    for (LeafTalk* talk : open) {
      const std::size_t own = talk->open_requests.size();
      TakeReplies(left.first(own), input.policy, *talk);
      left = left.subspan(own);
    }
  }
}

}  // namespace assay::promptfoo
