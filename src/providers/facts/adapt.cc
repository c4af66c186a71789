// Reads services' complaints about parameters and adapts the request: leaves out, renames or replaces what
// was refused.
#include "providers/facts/adapt.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "base/wire/sse.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/request/thinking.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr int kOk = 200;
constexpr int kBadRequest = 400;
constexpr int kUnprocessable = 422;
constexpr std::size_t kComplaintBytesMax = 16'384;
constexpr std::string_view kTemperature = "temperature";
constexpr std::string_view kMaxTokens = "max_tokens";
constexpr std::string_view kCompletionTokens = "max_completion_tokens";
constexpr std::string_view kStream = "stream";
constexpr std::string_view kStreamOptions = "stream_options";
// Where the protocols of Google and of Bedrock have what others have in the body itself.
constexpr std::string_view kConfigs[] = {"generationConfig", "inferenceConfig"};

constexpr std::string_view kTemperatureNames[] = {kTemperature};
constexpr std::string_view kTopPNames[] = {"top_p", "topP"};
constexpr std::string_view kTopKNames[] = {"top_k", "topK"};
constexpr std::string_view kSeedNames[] = {"seed", "random_seed"};
constexpr std::string_view kMaxTokensNames[] = {kMaxTokens};
constexpr std::string_view kIncludeNames[] = {"include"};
constexpr std::string_view kLimitNames[] = {kMaxTokens, kCompletionTokens, "max_output_tokens",
                                            "maxoutputtokens"};

// `names`: how services call the parameter. Those that are left out are erased under all of them.
struct AdaptationRow {
  bool Adaptation::*is_needed;
  std::string_view text;
  std::span<const std::string_view> names = {};
  bool is_left_out = false;
};
constexpr AdaptationRow kRows[] = {
    {&Adaptation::without_temperature, "without temperature", kTemperatureNames, true},
    {&Adaptation::without_top_p, "without top_p", kTopPNames, true},
    {&Adaptation::without_top_k, "without top_k", kTopKNames, true},
    {&Adaptation::without_seed, "without seed", kSeedNames, true},
    {&Adaptation::one_of_two, "without top_p beside a temperature"},
    {&Adaptation::completion_tokens, "with max_completion_tokens", kMaxTokensNames},
    {&Adaptation::without_stream_options, "without stream_options"},
    {&Adaptation::without_stream, "without stream"},
    {&Adaptation::without_include, "without include", kIncludeNames, true},
};

// Parameters that a user sends, under the other names by which services take them.
struct OtherName {
  std::string_view sent, theirs;  // "a.b": member b of a
};
constexpr OtherName kOtherNames[] = {
    {"stop", "stop_sequences"},
    {"stop", "stopSequences"},
    {"reasoning_effort", "reasoningEffort"},
    {"reasoning_effort", "reasoning.effort"},
    {"reasoning_effort", "output_config.effort"},
    {"verbosity", "text.verbosity"},
};
// What the reply has to be like: never asked for without it.
constexpr std::string_view kResponseFormat = "response_format";

// What services write who do not take a parameter at all, in small letters.
constexpr std::string_view kNotTaken[] = {
    "unsupported",
    "not support",
    "n't support",
    "deprecated",
    "not permitted",
    "not allowed",
    "cannot be specified",
    "cannot be set",
    "unknown name",
    "unknown parameter",
    "unknown field",
    "unrecognized",
    "extra_forbidden",
    "may only be set to",
    "must be unset",
    "or unset",
    "is allowed for",
    "only 1 is allowed",
    "incompatible request argument",
};
// What follows is no parameter, but a value that would be taken.
constexpr std::string_view kOnlyValue[] = {"unsupported_value", "unsupported value", "supported values"};
constexpr std::string_view kNotBoth = "cannot both be specified";

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string InSmallLetters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return small;
}

// Whether `word` stands in the text by itself, not as a part of a longer name. Both in small letters.
bool ContainsWord(std::string_view text, std::string_view word) {
  const auto is_name_char = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_name_char(text[at - 1])) && (end == text.size() || !is_name_char(text[end])))
      return true;
  }
  return false;
}

// What a service says, in small letters: all texts of the complaint, and the name that it gives by itself.
struct Complaint {
  std::string words;
  std::string param;  // "": it gives none
};

void TakeTexts(const Value& value, std::string_view key, int depth, Complaint& complaint) {
  constexpr int kDepthMax = 8;
  if (depth > kDepthMax) return;
  if (value.is_string()) {
    std::string text = InSmallLetters(value.AsString());
    if (key != "param") {
      complaint.words += text + "\n";
    } else if (text != "none") {  // a proxy's word for no name
      complaint.param = std::move(text);
    }
  } else if (value.is_list()) {
    for (const Value& item : value.AsList()) TakeTexts(item, key, depth + 1, complaint);
  } else if (value.is_map()) {
    // What validators repeat of the request says nothing of what is wrong with it.
    for (const Member& member : value.AsMap()) {
      if (member.key != "input") TakeTexts(member.value, member.key, depth + 1, complaint);
    }
  }
}

// The error in place of a stream: that of the first event that has one.
Result<Value> ErrorEvent(const HttpReply& reply) {
  for (const SseEvent& event : ReadSse(reply.body)) {
    Result<Value> data = ParseJson(event.data);
    if (data && data->is_map() && data->Find("error") != nullptr) return data;
  }
  return Error{ErrorCode::kNotFound, "no complaint"};
}

std::optional<Complaint> ComplaintOf(const HttpReply& reply) {
  const bool is_stream = IsEventStream(reply);
  const bool may_complain =
      reply.status == kBadRequest || reply.status == kUnprocessable || (reply.status == kOk && is_stream);
  if (reply.error || !may_complain || reply.body.size() > kComplaintBytesMax) return std::nullopt;
  Result<Value> body = ParseJson(reply.body);
  if (!body || !body->is_map()) body = ErrorEvent(reply);
  if (!body) return std::nullopt;
  Complaint complaint;
  TakeTexts(*body, {}, 0, complaint);
  return complaint;
}

// The names of a parameter, and those that a suite gave it for its own model.
std::vector<std::string> NamesOf(std::span<const std::string_view> names, const Value& custom) {
  std::vector<std::string> all(names.begin(), names.end());
  for (const std::string_view name : names) {
    const std::string& mapped = custom.MapAt("parameterMapping").TextAt(name);
    if (!mapped.empty()) all.push_back(mapped);
  }
  return all;
}

bool Blames(const Complaint& complaint, const std::vector<std::string>& names) {
  const std::string& text = complaint.param.empty() ? complaint.words : complaint.param;
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return ContainsWord(text, InSmallLetters(name)); });
}

// The names of what a user sends, and those that its service has for it.
std::vector<std::string> SentNames(std::string_view sent, const Value& custom) {
  std::vector<std::string> names = NamesOf(std::span(&sent, 1), custom);
  for (const OtherName& other : kOtherNames) {
    if (other.sent == sent) names.emplace_back(other.theirs);
  }
  return names;
}

// Whether a name stands where services put that of a parameter: quoted, at the start of a line, behind a
// colon or behind the word. Users' parameters may be called like any word.
bool NamesParameter(const Complaint& complaint, const std::string& name) {
  if (!complaint.param.empty()) return ContainsWord(complaint.param, name);
  constexpr std::string_view kBefore[] = {"`",  "'",          "\"",          "\n",
                                          ": ", "parameter ", "parameters ", "argument "};
  const std::string text = "\n" + complaint.words;
  for (std::size_t at = text.find(name, 1); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::string_view before = std::string_view(text).substr(0, at);
    const bool is_named = std::any_of(std::begin(kBefore), std::end(kBefore),
                                      [before](std::string_view mark) { return before.ends_with(mark); });
    if (is_named && ContainsWord(std::string_view(text).substr(at, name.size() + 1), name)) return true;
  }
  return false;
}

bool HasRow(std::string_view name) {
  return name == kStreamOptions || std::any_of(std::begin(kRows), std::end(kRows), [name](const auto& row) {
           return std::find(row.names.begin(), row.names.end(), name) != row.names.end();
         });
}

// Which of a user's parameters a complaint refuses altogether.
std::vector<std::string> RefusedOf(const Complaint& complaint, const SamplingParams& params,
                                   const Value& custom) {
  std::vector<std::string> refused;
  const bool is_of_value =
      std::any_of(std::begin(kOnlyValue), std::end(kOnlyValue),
                  [&](std::string_view phrase) { return Contains(complaint.words, phrase); });
  if (is_of_value) return refused;
  const auto take = [&](std::string_view sent) {
    const std::vector<std::string> names = SentNames(sent, custom);
    const bool is_refused = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return NamesParameter(complaint, InSmallLetters(name));
    });
    if (is_refused) refused.emplace_back(sent);
  };
  if (!params.stop.empty()) take("stop");
  if (!params.effort.empty()) take("reasoning_effort");
  if (!params.extra.is_map()) return refused;
  for (const Member& member : params.extra.AsMap()) {
    if (member.key != kResponseFormat && !HasRow(member.key)) take(member.key);
  }
  return refused;
}

// The most tokens of a reply that a complaint about the limit states, which is less than what was sent; 0:
// none.
// "max_tokens is too large: 50000. This model supports at most 16384", "max_tokens: 9 > 8", "[1, 8192]".
std::int64_t StatedMost(const Complaint& complaint) {
  constexpr std::int64_t kLeast = 256;  // below that stands no model's most
  const bool is_of_limit = std::any_of(
      std::begin(kLimitNames), std::end(kLimitNames),
      [&](std::string_view name) { return ContainsWord(complaint.words, name) || complaint.param == name; });
  constexpr std::string_view kMost[] = {"at most", "maximum", "too large", "less than or equal",
                                        "range",   "exceed"};
  const bool states = std::any_of(std::begin(kMost), std::end(kMost),
                                  [&](std::string_view word) { return Contains(complaint.words, word); });
  // Of question and answer together: no limit of the answer. One that is "less than the context_window" is.
  constexpr std::string_view kTogether[] = {"context length", "context_length", "context limit",
                                            "context window"};
  const bool is_together =
      std::any_of(std::begin(kTogether), std::end(kTogether),
                  [&](std::string_view words) { return Contains(complaint.words, words); });
  if (!is_of_limit || !states || is_together) return 0;
  const std::string& text = complaint.words;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_name = [&](std::size_t at) {
    const char c = at < text.size() ? text[at] : ' ';
    return (c >= 'a' && c <= 'z') || c == '-' || c == '_';
  };
  std::int64_t least = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at])) continue;
    std::size_t end = at;
    std::int64_t number = 0;
    while (end < text.size() && is_digit(text[end]) && number < 1'000'000'000)
      number = 10 * number + (text[end++] - '0');
    const bool is_of_name = (at > 0 && is_name(at - 1)) || is_name(end);
    const bool is_beyond = text.compare(end, 12, " (exclusive)") == 0;
    if (!is_of_name && number >= kLeast && (least == 0 || number < least))
      least = number - (is_beyond ? 1 : 0);
    at = end;
  }
  return least;
}

// Lowers what a body says of the length of its reply.
bool LowerLimit(std::int64_t most, Map& map) {
  bool lowered = false;
  for (const std::string_view name : {kMaxTokens, kCompletionTokens, std::string_view("max_output_tokens"),
                                      std::string_view("maxOutputTokens"), std::string_view("maxTokens")}) {
    if (map.NumberAt(name).value_or(0) <= static_cast<double>(most)) continue;
    map.Set(std::string(name), Value(static_cast<double>(most)));
    lowered = true;
  }
  return lowered;
}

bool EraseAll(const std::vector<std::string>& names, Map& map) {
  bool erased = false;
  for (const std::string& name : names) {
    if (map.Find(name) == nullptr) continue;
    map.Erase(name);
    erased = true;
  }
  return erased;
}

// "a.b": member b of a, which goes too once nothing else is in it.
bool EraseNested(const std::string& name, Map& map) {
  const std::size_t dot = name.find('.');
  Value* outer = dot == std::string::npos ? nullptr : map.Find(name.substr(0, dot));
  if (outer == nullptr || !outer->is_map() || outer->AsMap().Find(name.substr(dot + 1)) == nullptr)
    return false;
  outer->AsMap().Erase(name.substr(dot + 1));
  if (outer->AsMap().empty()) map.Erase(name.substr(0, dot));
  return true;
}

bool HasAny(const std::vector<std::string>& names, const Map& map) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return map.Find(name) != nullptr; });
}

// The parameters in a body, or in a config of it.
bool AdaptSampling(const Adaptation& adaptation, const Value& custom, Map& map) {
  bool changed = false;
  for (const AdaptationRow& row : kRows) {
    if (row.is_left_out && adaptation.*row.is_needed)
      changed = EraseAll(NamesOf(row.names, custom), map) || changed;
  }
  for (const std::string& sent : adaptation.without) {
    const std::vector<std::string> names = SentNames(sent, custom);
    changed = EraseAll(names, map) || changed;
    for (const std::string& name : names) changed = EraseNested(name, map) || changed;
  }
  if (adaptation.one_of_two && HasAny(NamesOf(kTemperatureNames, custom), map))
    changed = EraseAll(NamesOf(kTopPNames, custom), map) || changed;
  return changed;
}

}  // namespace

bool Adaptation::Lacks(const Adaptation& other) const {
  const bool is_lower = other.output_most > 0 && (output_most == 0 || other.output_most < output_most);
  const bool has_more = std::any_of(other.without.begin(), other.without.end(), [this](const auto& name) {
    return std::find(without.begin(), without.end(), name) == without.end();
  });
  return is_lower || has_more ||
         std::any_of(std::begin(kRows), std::end(kRows), [&](const AdaptationRow& row) {
           return other.*row.is_needed && !(this->*row.is_needed);
         });
}

void Adaptation::Add(const Adaptation& other) {
  for (const AdaptationRow& row : kRows) this->*row.is_needed = this->*row.is_needed || other.*row.is_needed;
  for (const std::string& name : other.without) {
    if (std::find(without.begin(), without.end(), name) == without.end()) without.push_back(name);
  }
  if (output_most == 0 || (other.output_most > 0 && other.output_most < output_most))
    output_most = other.output_most;
}

Adaptation AdaptationOf(const ModelFacts& facts, const SamplingParams& params) {
  const Sampling takes = SamplingBeside(params, facts);
  return {.without_temperature = !takes.temperature,
          .without_top_p = !takes.top_p,
          .without_top_k = !takes.top_k,
          .one_of_two = takes.not_both};
}

std::string LeftOutParameters(const ModelFacts& facts, const SamplingParams& params) {
  std::string left_out;
  const Sampling takes = SamplingBeside(params, facts);
  if (params.temperature && !takes.temperature) left_out = kTemperature;
  const bool keeps_top_p = takes.top_p && !(takes.not_both && takes.temperature && params.temperature);
  if (params.top_p && !keeps_top_p) left_out += left_out.empty() ? "top_p" : ", top_p";
  return left_out;
}

Adaptation LearnFrom(const HttpReply& reply, const Value& custom, const SamplingParams& params) {
  const std::optional<Complaint> complaint = ComplaintOf(reply);
  if (!complaint) return {};
  // Only this program asks for it, and never with a value of the user's: every complaint means the whole.
  if (reply.status != kOk && Contains(complaint->words + complaint->param, kStreamOptions))
    return {.without_stream_options = true};
  if (Contains(complaint->words, kNotBoth)) return {.one_of_two = true};
  if (const std::int64_t most = StatedMost(*complaint); most > 0) return {.output_most = most};
  const bool is_refusal =
      std::any_of(std::begin(kNotTaken), std::end(kNotTaken),
                  [&](std::string_view phrase) { return Contains(complaint->words, phrase); });
  if (!is_refusal) return {};
  Adaptation learned;
  for (const AdaptationRow& row : kRows) {
    if (!row.names.empty()) learned.*row.is_needed = Blames(*complaint, NamesOf(row.names, custom));
  }
  learned.without_stream = complaint->param == kStream;
  learned.without = RefusedOf(*complaint, params, custom);
  return learned;
}

void Adapt(const Adaptation& adaptation, HttpRequest& request, const Value& custom) {
  if (!adaptation.IsAny()) return;
  Result<Value> body = ParseJson(request.body);
  if (!body || !body->is_map()) return;
  Map& map = body->AsMap();
  std::vector<Map*> places;
  for (const std::string_view name : kConfigs) {
    Value* config = map.Find(name);
    if (config != nullptr && config->is_map()) places.push_back(&config->AsMap());
  }
  places.push_back(&map);  // last: what is erased of it moves the others
  bool changed = false;
  for (Map* place : places) {
    changed = AdaptSampling(adaptation, custom, *place) || changed;
    if (adaptation.output_most > 0) changed = LowerLimit(adaptation.output_most, *place) || changed;
  }
  const Value* limit = map.Find(kMaxTokens);
  if (adaptation.completion_tokens && limit != nullptr) {
    Value moved = *limit;
    map.Erase(kMaxTokens);
    map.Set(std::string(kCompletionTokens), std::move(moved));
    changed = true;
  }
  if (adaptation.without_stream_options || adaptation.without_stream) {
    changed = map.Find(kStreamOptions) != nullptr || changed;
    map.Erase(kStreamOptions);
  }
  if (adaptation.without_stream && map.Find(kStream) != nullptr) {
    map.Set(std::string(kStream), Value(false));
    changed = true;
  }
  if (changed) request.body = WriteJson(*body, JsonStyle::kJavaScript);
}

std::string AdaptationText(const Adaptation& adaptation) {
  std::string text;
  for (const AdaptationRow& row : kRows) {
    if (!(adaptation.*row.is_needed)) continue;
    text += text.empty() ? "" : ", ";
    text += row.text;
  }
  for (const std::string& name : adaptation.without) {
    text += text.empty() ? "" : ", ";
    text += "without " + name;
  }
  if (adaptation.output_most > 0)
    text += fmt::format("{}for at most {} tokens", text.empty() ? "" : ", ", adaptation.output_most);
  return text;
}

}  // namespace assay
