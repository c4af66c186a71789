// The list of request members that say what is asked, and what passed parameters say about the size of a
// reply.
#include "spec/suite/asked_members.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "text/json/json.h"

namespace assay {

namespace {

// In small letters, without underscores. OpenAI's two protocols, then Anthropic, Google and brokers.
constexpr std::string_view kNames[] = {"model",         "messages",
                                       "input",         "n",
                                       "stream",        "tools",
                                       "toolchoice",    "store",
                                       "prompt",        "functions",
                                       "functioncall",  "instructions",
                                       "conversation",  "previousresponseid",
                                       "background",    "bestof",
                                       "models",        "system",
                                       "contents",      "systeminstruction",
                                       "toolconfig",    "candidatecount",
                                       "preset",        "plugins",
                                       "mcpservers",    "websearchoptions",
                                       "prediction",    "container",
                                       "cachedcontent", "searchparameters"};
// Google's group of parameters, which may stand among those of any service.
constexpr std::string_view kGroup = "generationconfig";

constexpr std::string_view kTierName = "servicetier";

constexpr double kTokensMost = 1e9;  // a greater number is no limit

std::string Spelt(std::string_view member) {
  std::string name = AsciiLower(member);
  std::erase(name, '_');
  return name;
}

const Value* LimitIn(const Value& extra, std::string_view key) {
  const double number = extra.NumberAt(key).value_or(0);
  return number >= 1 && number <= kTokensMost ? extra.Find(key) : nullptr;
}

}  // namespace

bool ReplacesQuestion(std::string_view member) {
  return std::find(std::begin(kNames), std::end(kNames), Spelt(member)) != std::end(kNames);
}

std::vector<const Member*> QuestionMembers(const Map& parameters) {
  std::vector<const Member*> found;
  for (const Member& member : parameters) {
    if (ReplacesQuestion(member.key)) found.push_back(&member);
    if (!member.value.is_map() || Spelt(member.key) != kGroup) continue;
    for (const Member& each : member.value.AsMap()) {
      if (ReplacesQuestion(each.key)) found.push_back(&each);
    }
  }
  return found;
}

bool OnlyChangesService(std::string_view member) {
  constexpr std::string_view kServiceNames[] = {kTierName, "promptcachekey", "promptcacheretention",
                                                "cachecontrol"};
  return std::find(std::begin(kServiceNames), std::end(kServiceNames), Spelt(member)) !=
         std::end(kServiceNames);
}

Value WithoutServiceMembers(const Value& parameters) {
  if (!parameters.is_map()) return parameters;
  const Map& all = parameters.AsMap();
  if (std::none_of(all.begin(), all.end(), [](const Member& each) { return OnlyChangesService(each.key); }))
    return parameters;
  Map kept;
  for (const Member& member : all) {
    if (!OnlyChangesService(member.key)) kept.Append(member.key, member.value);
  }
  return kept.empty() ? Value() : Value(std::move(kept));
}

std::string ReplacesQuestionText(std::string_view member) {
  return fmt::format("parameters: {} would replace what is asked", Quoted(member));
}

std::string_view ModelSent(const ModelRequest& request) {
  return request.params.extra.TextAt("model", request.model);
}

std::optional<std::int64_t> OutputTokensOfExtra(const Value& extra) {
  const Value* said = nullptr;
  for (const std::string_view key : {"max_tokens", "max_output_tokens", "max_completion_tokens"}) {
    const Value* value = LimitIn(extra, key);
    if (value != nullptr && (said == nullptr || value->AsNumber() > said->AsNumber())) said = value;
  }
  if (said == nullptr) return std::nullopt;
  return static_cast<std::int64_t>(said->AsNumber());
}

std::string_view TierOfExtra(const Value& extra) {
  if (!extra.is_map()) return {};
  for (const Member& member : extra.AsMap()) {
    if (member.value.is_string() && Spelt(member.key) == kTierName) return member.value.AsString();
  }
  return {};
}

std::size_t BytesOfExtra(const Value& extra) {
  std::size_t bytes = 0;
  for (const std::string_view key : {"messages", "input", "tools", "prompt", "system", "instructions"}) {
    if (const Value* value = extra.Find(key)) bytes += WriteJson(*value, JsonStyle::kJavaScript).size();
  }
  return bytes;
}

std::int64_t AnswersOfExtra(const Value& extra) {
  const Value* answers = LimitIn(extra, "n");
  return answers == nullptr ? 1 : static_cast<std::int64_t>(answers->AsNumber());
}

}  // namespace assay
