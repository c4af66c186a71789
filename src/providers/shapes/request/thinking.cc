// The table of efforts and their tokens, and the choice of a model's nearest effort.
#include "providers/shapes/request/thinking.h"
#include "text/object.h"

#include <algorithm>
#include <iterator>

namespace assay {

namespace {

struct Effort {
  std::string_view word;
  std::int64_t tokens;
};
// In the order of kEfforts. The numbers are our choice, between the least and the largest budget that models
// of Anthropic and Google take.
constexpr Effort kTable[] = {{"none", 0},      {"minimal", 1'024}, {"low", 4'096}, {"medium", 8'192},
                             {"high", 16'384}, {"xhigh", 24'576},  {"max", 32'768}};
static_assert(std::size(kTable) == kEfforts.size());

std::ptrdiff_t PlaceOf(std::string_view word) {
  return std::find(kEfforts.begin(), kEfforts.end(), word) - kEfforts.begin();
}

std::string_view WordOfTokens(std::int64_t tokens) {
  const auto* enough = std::find_if(std::begin(kTable), std::end(kTable),
                                    [tokens](const Effort& effort) { return effort.tokens >= tokens; });
  return enough == std::end(kTable) ? kTable[std::size(kTable) - 1].word : enough->word;
}

// The nearest of a model's words, the lesser of two that are as near. `words`: blanks between, least first.
std::string_view Nearest(std::string_view wanted, std::string_view words) {
  if (words.empty()) return wanted;
  std::string_view best;
  const auto distance = [wanted](std::string_view word) { return std::abs(PlaceOf(word) - PlaceOf(wanted)); };
  while (!words.empty()) {
    const std::size_t blank = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, blank);
    if (best.empty() || distance(word) < distance(best)) best = word;
    words.remove_prefix(std::min(blank + 1, words.size()));
  }
  return best;
}

// Whether "none" is said in another way than by a word.
bool CanBeSwitchedOff(EffortForm form) {
  return form == EffortForm::kOutputConfig || form == EffortForm::kBudgetTokens ||
         form == EffortForm::kThinkingBudget;
}

Map One(std::string_view name, Value value) { return Object{{name, std::move(value)}}; }

}  // namespace

std::int64_t TokensOfEffort(std::string_view effort) {
  const std::ptrdiff_t place = PlaceOf(effort);
  return place < std::ssize(kTable) ? kTable[place].tokens : 0;
}

bool AsksToThink(const SamplingParams& params) {
  return params.thinking_tokens ? *params.thinking_tokens > 0
                                : !params.effort.empty() && params.effort != "none";
}

Sampling SamplingBeside(const SamplingParams& params, const ModelFacts& facts) {
  Sampling takes = facts.sampling;
  if (!AsksToThink(params) || facts.effort == EffortForm::kNone) return takes;
  const bool is_claude =
      facts.effort == EffortForm::kOutputConfig || facts.effort == EffortForm::kBudgetTokens;
  // Claude keeps a narrow top_p beside its thoughts.
  if (is_claude || takes.only_still) takes.temperature = takes.top_k = false;
  if (takes.only_still) takes.top_p = false;
  return takes;
}

std::optional<ThinkingOrder> ThinkingOrderOf(const SamplingParams& params, const ModelFacts* facts,
                                             EffortForm otherwise) {
  if (params.effort.empty() && !params.thinking_tokens) return std::nullopt;
  if (facts && facts->effort == EffortForm::kNone) return std::nullopt;
  const std::string_view wanted =
      params.thinking_tokens ? WordOfTokens(*params.thinking_tokens) : std::string_view(params.effort);
  ThinkingOrder order{.form = facts ? facts->effort : otherwise,
                      .effort = wanted,
                      .tokens = params.thinking_tokens.value_or(TokensOfEffort(params.effort))};
  const bool is_always = facts && facts->thinking == Thinking::kAlways;
  // Where thoughts are counted, none of them is the least that can be asked for: the model keeps its own way.
  if (wanted == "none" && is_always && order.form == EffortForm::kThinkingBudget) return std::nullopt;
  if (facts && (wanted != "none" || is_always || !CanBeSwitchedOff(order.form)))
    order.effort = Nearest(wanted, facts->efforts);
  const bool has_most = facts && facts->thinking_room > 0 && !params.thinking_tokens;
  if (has_most) order.tokens = std::min(order.tokens, facts->thinking_room);
  return order;
}

bool ShowsThoughts(const SamplingParams& params, const ModelFacts* facts) {
  if (!params.shows_thoughts) return false;
  if (facts == nullptr || AsksToThink(params)) return facts == nullptr || facts->thinking != Thinking::kNo;
  const bool is_told_not_to = params.effort == "none" || params.thinking_tokens == 0;
  return facts->thinking == Thinking::kAlways || (facts->thinking == Thinking::kByDefault && !is_told_not_to);
}

Map AnthropicThinking(const std::optional<ThinkingOrder>& order, const SamplingParams& params,
                      const ModelFacts* facts) {
  constexpr std::int64_t kBudgetMin = 1024;
  if (order && order->effort == "none") return One("thinking", One("type", "disabled"));
  const bool shows = ShowsThoughts(params, facts) && (order || facts != nullptr);
  if (!order && !shows) return {};
  Map thinking;
  if (order && order->form == EffortForm::kBudgetTokens) {
    Extend(thinking, {{"type", "enabled"}, {"budget_tokens", Number(std::max(order->tokens, kBudgetMin))}});
  } else {
    thinking.Append("type", "adaptive");
  }
  if (shows) thinking.Append("display", "summarized");
  Map members = One("thinking", std::move(thinking));
  if (order && order->form != EffortForm::kBudgetTokens)
    members.Append("output_config", One("effort", order->effort));
  return members;
}

Map GoogleThinking(const std::optional<ThinkingOrder>& order, const SamplingParams& params,
                   const ModelFacts* facts) {
  Map config;
  if (order && order->form == EffortForm::kThinkingLevel) {
    config.Append("thinkingLevel", order->effort);
  } else if (order) {
    config.Append("thinkingBudget", static_cast<double>(order->tokens));
  }
  if (ShowsThoughts(params, facts)) config.Append("includeThoughts", true);
  return config.empty() ? Map() : One("thinkingConfig", std::move(config));
}

}  // namespace assay
