// Makes the requests of a turn (model, embedding, operations on documents), looks up their replies, and adds
// up tokens; where a service reports no token counts they are estimated.
#include "agent/turn/turn_state.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "agent/limits.h"
#include "agent/words/reply_text.h"
#include "base/text/utf8.h"
#include "corpus/index/words.h"
#include "spec/suite/case.h"
#include "spec/suite/embedder.h"
#include "spec/suite/model_ref.h"
#include "spec/suite/suite.h"
#include "text/found.h"
#include "text/object.h"
#include "text/python/json.h"

namespace assay {

namespace {

// The messages as the chat format has them, calls left out: so the original estimates what was sent.
std::int64_t EstimatedInput(const ModelRequest& request) {
  return EstimateTokens(ArrayOf(request.messages, [&](const Message& message) {
    return Object{{"content", message.text}};
  }));
}

// The message as the service may have written it, as JSON, a token every four characters.
std::int64_t EstimatedOutput(const ModelReply& reply) {
  constexpr auto kPerToken = static_cast<std::int64_t>(kCharactersOfToken);
  if (reply.uncounted_characters > 0) return reply.uncounted_characters / kPerToken;
  const bool calls_alone = reply.text.empty() && !reply.tool_calls.empty();
  Map message = Object{{"role", "assistant"}, {"content", calls_alone ? Value(Null{}) : Value(reply.text)}};
  List calls = ArrayOf(reply.tool_calls, [&](const ToolCall& call) {
    return Object{{"id", call.id},
                  {"type", "function"},
                  {"function", Object{{"name", call.name}, {"arguments", call.arguments}}}};
  });
  if (!calls.empty()) message.Append("tool_calls", Value(std::move(calls)));
  const std::string json = WritePythonJson(Value(std::move(message))).value_or("");
  return static_cast<std::int64_t>(json.size() / kCharactersOfToken);
}

// What no service can mean is as good as nothing.
bool IsPlausible(const Usage& usage) {
  constexpr std::int64_t kTokensMost = 1'000'000'000;
  const auto is_count = [](std::int64_t tokens) { return tokens >= 0 && tokens <= kTokensMost; };
  return usage.known && is_count(usage.input_tokens) && is_count(usage.output_tokens);
}

}  // namespace

std::size_t CharactersOf(const Message& message) {
  std::size_t characters = CountCodePoints(message.text);
  for (const ToolCall& call : message.calls) characters += call.name.size() + call.arguments.size();
  return std::max(characters, message.parts.size());
}

std::size_t CharactersOfContext(std::int64_t context_tokens) {
  return static_cast<std::size_t>(kContextShare * static_cast<double>(context_tokens) *
                                  static_cast<double>(kCharactersOfToken));
}

std::optional<std::string> LimitReached(const TurnState& turn) {
  const TurnLimits& limits = turn.context.TheVariant().agent.limits;
  const std::int64_t tokens = turn.used_by_model.input_tokens + turn.used_by_model.output_tokens +
                              turn.used_by_summarizer.input_tokens + turn.used_by_summarizer.output_tokens;
  constexpr double kMsOfSecond = 1000;
  constexpr double kTurnSecondsUsual = 1'800;  // of a turn for which nobody says a time
  const double seconds = limits.seconds.value_or(kTurnSecondsUsual);
  if (turn.walk.asked_ms() / kMsOfSecond >= seconds)
    return fmt::format("its time of {:g} s was over", seconds);
  if (limits.tokens && tokens >= *limits.tokens)
    return fmt::format("its {} tokens were used up", *limits.tokens);
  if (limits.usd && turn.usd >= *limits.usd) return fmt::format("its ${:g} were used up", *limits.usd);
  return std::nullopt;
}

RequestTag TagOf(const TurnState& turn, RequestRole role) {
  RequestTag tag;
  tag.role = role;
  tag.case_index = turn.context.case_index;
  tag.variant = turn.context.variant_index;
  tag.attempt = turn.context.attempt;
  return tag;
}

std::string QuestionOf(const TurnState& turn) {
  const Case& the_case = turn.context.TheCase();
  return the_case.turns.empty() || the_case.turns.front().text.empty() ? turn.query
                                                                       : the_case.turns.front().text;
}

// Where an endpoint embeds, a search goes with the vector of its query. Without one words alone are searched.
std::optional<Waited> AddQueryVector(TurnState& turn, Map& arguments) {
  const std::optional<Embedder>& endpoint = turn.suite().corpus.endpoint;
  const std::string* query = FindText(arguments, "query");
  if (!endpoint || query == nullptr) return Waited{};
  ASSAY_AWAIT(const Exchange* exchange, turn.walk.Ask([&] {
    EmbedRequest request{*endpoint, {*query}, {}};
    return PlannedRequest{.request = std::move(request), .tag = TagOf(turn, RequestRole::kEmbedding)};
  }));
  const auto* reply = exchange->error ? nullptr : std::get_if<EmbedReply>(&exchange->reply);
  if (reply == nullptr || reply->vectors.empty()) return Waited{};
  arguments.Set("query_vector", Value(List(reply->vectors[0].begin(), reply->vectors[0].end())));
  return Waited{};
}

std::optional<Value> AskDocuments(TurnState& turn, std::string_view operation, Map arguments) {
  ASSAY_AWAIT(const Waited embedded, AddQueryVector(turn, arguments));
  static_cast<void>(embedded);
  ASSAY_AWAIT(const Exchange* exchange, turn.walk.Ask([&] {
    CorpusRequest request{
        .operation = std::string(operation), .arguments = Value(std::move(arguments)), .documents = {}};
    for (const CaseDocument& document : *turn.context.TheCase().documents)
      request.documents.push_back(document.id);
    return PlannedRequest{.request = std::move(request), .tag = TagOf(turn, RequestRole::kTool)};
  }));
  if (exchange->error) return ToolError(exchange->error->message);
  const auto* reply = std::get_if<CorpusReply>(&exchange->reply);
  return reply == nullptr ? ToolError("the documents gave no answer") : reply->answer;
}

std::optional<Result<ModelReply>> AskModel(TurnState& turn, const ModelRef& model, RequestRole role,
                                           const MakeModelRequest& make, Usage& used) {
  ASSAY_AWAIT(const Exchange* exchange, turn.walk.Ask([&] {
    ModelRequest request = make();
    static_cast<ModelRef&>(request) = model;
    request.attempt = turn.context.attempt;
    return PlannedRequest{.request = std::move(request),
                          .tag = TagOf(turn, role),
                          .takes_silence = true,
                          .takes_any_end = turn.suite().agent.original_calls};
  }));
  if (exchange->error) return Result<ModelReply>(*exchange->error);
  const auto* reply = std::get_if<ModelReply>(&exchange->reply);
  if (reply == nullptr) return Result<ModelReply>(Error{ErrorCode::kNoAnswer, "the model gave no answer"});
  // What the reply does not count is estimated, each count by itself.
  const bool is_told = IsPlausible(reply->usage);
  Usage usage = is_told ? reply->usage : Usage{.known = true};
  if (!is_told || reply->lacks_input) usage.input_tokens = EstimatedInput(make());
  if (!is_told || reply->uncounted_characters > 0) usage.output_tokens = EstimatedOutput(*reply);
  used += usage;
  const AgentModel& prices = turn.context.TheVariant().agent;
  turn.usd += prices.usd_per_input_token * static_cast<double>(usage.input_tokens) +
              prices.usd_per_output_token * static_cast<double>(usage.output_tokens);
  return Result<ModelReply>(*reply);
}

Value ToolError(std::string message) { return Object{{"error", std::move(message)}}; }

std::string TextArgument(const Value& arguments, std::string_view name) {
  return std::string(TrimBlanks(arguments.TextAt(name)));
}

std::vector<std::string> TextsArgument(const Value& arguments, std::string_view name, std::size_t most) {
  std::vector<std::string> texts;
  const auto add = [&](const Value& item) {
    if (!item.is_string() || texts.size() >= most) return;
    const std::string_view text = TrimBlanks(item.AsString());
    if (text.empty() || std::find(texts.begin(), texts.end(), text) != texts.end()) return;
    texts.emplace_back(text);
  };
  if (const List* list = FindList(arguments, name)) {
    for (const Value& item : *list) add(item);
  } else if (const Value* value = arguments.Find(name)) {
    add(*value);
  }
  return texts;
}

std::int64_t CountArgument(const Value& arguments, std::string_view name, std::int64_t usual,
                           std::int64_t least, std::int64_t most) {
  double number = arguments.NumberAt(name).value_or(static_cast<double>(usual));
  if (const std::string* written = FindText(arguments, name)) {
    const std::string_view text = TrimBlanks(*written);
    double parsed = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (problem == std::errc() && end == text.data() + text.size()) number = parsed;
  }
  if (!std::isfinite(number)) number = static_cast<double>(usual);
  return static_cast<std::int64_t>(
      std::clamp(std::trunc(number), static_cast<double>(least), static_cast<double>(most)));
}

}  // namespace assay
