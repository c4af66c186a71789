// The generator `conversation`: asks for the generated turns of a case in order, each with all that was said
// before it.
// Source of the rules: weval 51dc4d3 response generation (spec blueprint 10.2).
#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/limits.h"
#include "plan/answers/briefing.h"
#include "plan/answers/generator.h"
#include "plan/steps.h"
#include "providers/provider.h"
#include "spec/exchange/tool_calls.h"
#include "spec/suite/suite.h"
#include "text/javascript/text.h"

namespace assay {

namespace {

// What the variant is asked: the case's turns, or those of the asking that it names.
class QuestionTurns {
 public:
  QuestionTurns(const Case& the_case, const Variant& variant) {
    if (variant.asking.empty()) {
      turns_ = the_case.turns;
      return;
    }
    const CaseAsking* asking = AskingOf(the_case, variant);
    problem_ = asking == nullptr ? fmt::format("the case has no asking named {}", Quoted(variant.asking))
                                 : asking->problem;
    if (!problem_.empty()) return;
    if (asking->turns.empty()) {
      message_ = {{.role = Role::kUser, .text = asking->text, .span = the_case.span},
                  {.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = the_case.span}};
    }
    turns_ = asking->turns.empty() ? message_ : asking->turns;
  }
  QuestionTurns(const QuestionTurns&) = delete;
  QuestionTurns& operator=(const QuestionTurns&) = delete;

  std::span<const Turn> turns() const { return turns_; }
  const std::string& problem() const { return problem_; }  // why it cannot be asked; "" if it can
  std::uint32_t Answers() const {
    return static_cast<std::uint32_t>(std::count_if(
        turns_.begin(), turns_.end(), [](const Turn& turn) { return turn.kind == TurnKind::kGenerate; }));
  }

 private:
  std::vector<Turn> message_;  // of an asking of one message
  std::span<const Turn> turns_;
  std::string problem_;
};

std::optional<std::string> SystemPrompt(const Case& the_case, const Variant& variant) {
  switch (the_case.system->kind) {
    case SystemOverride::Kind::kNone:
      return std::nullopt;
    case SystemOverride::Kind::kText:
      return the_case.system->text;
    case SystemOverride::Kind::kInherit:
      break;
  }
  return variant.system;
}

std::string LastQuestion(const std::vector<Message>& history) {
  const auto last = std::find_if(history.rbegin(), history.rend(),
                                 [](const Message& message) { return message.role == Role::kUser; });
  return last == history.rend() ? std::string() : last->text;
}

PlannedRequest Ask(const StepContext& context, const ModelRef& model, const std::vector<Message>& history,
                   std::uint32_t turn, bool is_final_turn) {
  ModelRequest request{model};
  request.params = context.TheVariant().params;
  request.messages = history;
  request.attempt = context.attempt;
  const ProviderRow* provider = FindProvider(model.provider);
  if (provider != nullptr && provider->route == Route::kProgram)
    request.briefing = BriefingOf(context.TheCase(), LastQuestion(history));
  if (!context.TheVariant().answers_freely) request.answer_schema = context.TheCase().answer_schema;
  if (!request.params.temperature) request.params.temperature = context.TheCase().temperature;
  RequestTag tag = TagOf(context, RowOf(context.part).answers_as);
  tag.turn = turn;
  tag.is_final_turn = is_final_turn;
  return {.request = std::move(request), .tag = std::move(tag), .takes_silence = context.suite.takes_silence};
}

// What only the model that said it reads.
void DropParts(std::vector<Message>& history) {
  for (Message& message : history) message.parts.clear();
}

void AddAssistant(Transcript& transcript, std::string text, std::uint32_t ordinal, TurnKind kind) {
  if (kind == TurnKind::kGenerate) {
    transcript.generated_indices.push_back(ordinal);
    transcript.generated_texts.push_back(text);
  }
  // Words that the suite put into the assistant's mouth are an answer only where nothing was generated.
  if (kind == TurnKind::kGenerate || transcript.generated_texts.empty()) transcript.answer = text;
  transcript.history.push_back({Role::kAssistant, std::move(text)});
}

// The message of an answer that marks itself as an error; "" if it does not.
std::string MarkedError(const std::optional<ErrorMarker>& marker, std::string_view answer) {
  if (!marker) return {};
  const std::size_t open = answer.find(marker->open);
  if (open == std::string_view::npos) return {};
  const std::size_t start = open + marker->open.size();
  const std::size_t close = answer.rfind(marker->close);
  if (close == std::string_view::npos || close < start) return marker->fallback;
  const std::string_view message = JsTrim(answer.substr(start, close - start));
  return message.empty() ? marker->fallback : std::string(message);
}

// Why there is no answer in a reply; nothing if there is one.
std::optional<Error> ReplyError(const Suite& suite, const Exchange& exchange) {
  if (exchange.error) return exchange.error;
  const auto* reply = std::get_if<ModelReply>(&exchange.reply);
  const bool is_empty = reply == nullptr || (!suite.grades_empty_answers && reply->tool_calls.empty() &&
                                             JsTrim(reply->text).empty());
  if (!is_empty) return std::nullopt;
  return Error{ErrorCode::kNoAnswer, "the model's answer is empty"};
}

// Of no use to ask it again now; what a service says of one question is no such sign.
bool IsDown(const Exchange& exchange) {
  if (!exchange.error) return false;
  switch (exchange.error->code) {
    case ErrorCode::kNetwork:
    case ErrorCode::kService:
    case ErrorCode::kTimeout:
    case ErrorCode::kRateLimited:
    case ErrorCode::kCancelled:  // its breaker is open
      return true;
    default:
      return false;
  }
}

// The replies of the variant's model, and where it is down of those that stand in: whoever answered a turn is
// asked for the next one too.
class ReplyQueue {
 public:
  ReplyQueue(const Variant& variant, std::span<const Exchange> so_far) : variant_(variant), left_(so_far) {}

  // The last word on the next turn; null: Model() has to be asked for it.
  const Exchange* NextAnswer() {
    while (!left_.empty()) {
      const Exchange& exchange = left_.front();
      left_ = left_.subspan(1);
      if (!IsDown(exchange) || stand_in_ == variant_.fallbacks.size()) return &exchange;
      ++stand_in_;
    }
    return nullptr;
  }
  const ModelRef& Model() const { return stand_in_ == 0 ? variant_ : variant_.fallbacks[stand_in_ - 1]; }
  std::string StandIn() const {
    return stand_in_ == 0 ? std::string() : fmt::format("{}:{}", Model().provider, Model().model);
  }

 private:
  const Variant& variant_;
  std::span<const Exchange> left_;
  std::size_t stand_in_ = 0;  // 0: the variant's own model
};

}  // namespace

std::uint32_t ConversationRequestsMax(const Case& the_case, const Variant& variant) {
  return QuestionTurns(the_case, variant).Answers();
}

std::string ConversationLacks(const Case& the_case, const Variant& variant) {
  const QuestionTurns asked(the_case, variant);
  if (!asked.problem().empty()) return asked.problem();
  const std::uint32_t answers = asked.Answers();
  if (answers <= limits::kStepRoundsMax) return {};
  return fmt::format("it is asked for {} answers, one after the other, and {} are the most of one attempt",
                     answers, limits::kStepRoundsMax);
}

Action NextConversation(const StepContext& context, std::span<const Exchange> so_far) {
  const Case& the_case = context.TheCase();
  Transcript transcript;
  transcript.system = SystemPrompt(the_case, context.TheVariant());
  if (transcript.system && !transcript.system->empty()) {
    transcript.history.push_back({Role::kSystem, *transcript.system});
  }
  const QuestionTurns asked_turns(the_case, context.TheVariant());
  const std::span<const Turn> turns = asked_turns.turns();
  ReplyQueue asked(context.TheVariant(), so_far);
  std::uint32_t assistants = 0;
  std::uint32_t generated = 0;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Turn& turn = turns[i];
    if (turn.role != Role::kAssistant) {
      transcript.history.push_back({.role = turn.role, .text = turn.text, .media = turn.media});
      continue;
    }
    if (turn.kind == TurnKind::kText) {
      AddAssistant(transcript, turn.text, assistants++, TurnKind::kText);
      continue;
    }
    const std::string asked_before = asked.StandIn();
    const Exchange* exchange = asked.NextAnswer();
    if (asked.StandIn() != asked_before) DropParts(transcript.history);
    if (exchange == nullptr) {
      const bool is_final_turn = i + 1 == turns.size();
      return Need{{Ask(context, asked.Model(), transcript.history, generated, is_final_turn)}};
    }
    ++generated;
    if (const std::optional<Error> error = ReplyError(context.suite, *exchange)) {
      transcript.error = error->message;
      transcript.error_class = ErrorCodeName(error->code);
      return Done{std::move(transcript)};
    }
    transcript.answered_by = asked.StandIn();
    const auto& reply = std::get<ModelReply>(exchange->reply);
    transcript.is_cut = transcript.is_cut || reply.finish_reason == kCutAtLimit;
    AddAssistant(transcript, TextWithCalls(reply), assistants++, TurnKind::kGenerate);
    // Nobody answers calls here: they go on as words.
    if (reply.tool_calls.empty()) transcript.history.back().parts = reply.parts;
    transcript.generated_reasoning.push_back(reply.reasoning);
    if (reply.citations.is_list()) {
      const List& found = reply.citations.AsList();
      transcript.citations.insert(transcript.citations.end(), found.begin(), found.end());
    }
  }
  transcript.error = MarkedError(context.suite.error_marker, transcript.answer);
  return Done{std::move(transcript)};
}

}  // namespace assay
