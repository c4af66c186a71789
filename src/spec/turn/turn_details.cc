// Reads and writes the details of a turn, and computes what its events come to.
#include "spec/turn/turn_details.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text/utf8.h"
#include "text/found.h"
#include "text/json/record.h"
#include "text/object.h"
#include "text/python/json.h"
#include "text/python/repr.h"

namespace assay {

namespace {

constexpr double kTokensMax = 1e12;                        // of one role
constexpr double kMsMost = 1e12;                           // thirty years
constexpr std::string_view kUnknownTool = "unknown_tool";  // of a call that names none; an empty name is one
constexpr std::string_view kInput = "input_tokens";
constexpr std::string_view kOutput = "output_tokens";

std::optional<double> NumberOfMember(const Value& owner, std::string_view name) {
  const std::optional<double> number = owner.NumberAt(name);
  return number && std::abs(*number) <= kMsMost ? number : std::nullopt;
}

std::int64_t Tokens(const Value& role, std::string_view name) {
  const double count = NumberOfMember(role, name).value_or(0);
  return count > 0 ? static_cast<std::int64_t>(std::min(count, kTokensMax)) : 0;
}

// What pairs a start with its end. A call of a model is told by its turn, a call of a tool by its place in
// the turn as well.
using PairKey = std::pair<double, double>;

// Starts that wait for their ends.
class OpenPairs {
 public:
  // `place`: where what began stands, for whoever wants to know what ended.
  void Start(const std::optional<PairKey>& key, double at, std::size_t place = 0) {
    if (key) open_[*key] = {at, place};
  }
  std::optional<std::size_t> End(const std::optional<PairKey>& key, double at, EventTimes& times,
                                 double* took = nullptr) {
    const auto begun = key ? open_.find(*key) : open_.end();
    if (begun == open_.end()) return std::nullopt;
    const double ms = std::max(0.0, at - begun->second.first);
    const std::size_t place = begun->second.second;
    times.total_ms += ms;
    ++times.pairs;
    if (took != nullptr) *took = ms;
    open_.erase(begun);
    return place;
  }

 private:
  std::map<PairKey, std::pair<double, std::size_t>> open_;
};

std::optional<PairKey> KeyOfModel(const Value& event) {
  const std::optional<double> turn = NumberOfMember(event, "turn");
  return turn ? std::optional(PairKey(*turn, 0)) : std::nullopt;
}

std::optional<PairKey> KeyOfTool(const Value& event) {
  const std::optional<double> turn = NumberOfMember(event, "turn");
  const std::optional<double> call = NumberOfMember(event, "call_index");
  return turn && call ? std::optional(PairKey(*turn, *call)) : std::nullopt;
}

ToolCall CallOf(const Value& event) {
  ToolCall call;
  const Value* name = event.Find("tool_name");
  call.name = name == nullptr ? std::string(kUnknownTool) : PythonStr(*name);
  const Value* arguments = event.Find("tool_arguments");
  if (arguments == nullptr || arguments->is_nullish()) return call;
  const std::string* text = FindText(event, "tool_arguments");
  call.arguments = text != nullptr ? *text : WritePythonJson(*arguments).value_or("");
  return call;
}

std::optional<std::int64_t> CountOf(const Value& event, std::string_view name) {
  const std::optional<double> number = NumberOfMember(event, name);
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

// Takes the events one after the other.
class EventReader {
 public:
  void Take(const Value& event) {
    const std::string_view name = event.TextAt("event");
    const double at = NumberOfMember(event, "t_ms").value_or(0);
    if (name == "llm_start") StartModel(event, at);
    if (name == "llm_end") EndModel(event, at);
    if (name == "tool_start") StartTool(event, at);
    if (name == "tool_end") EndTool(event, at);
    if (name == "evidence") AddEvidence(event, read_.gathered);
    const std::string_view stage = event.TextAt("stage");
    if (stage == "local_ingestion") TakeStage(name, at, ingestion_, read_.local_ingestion);
    if (stage == "shortlist") TakeStage(name, at, shortlist_, read_.shortlist);
  }
  TurnEvents Finish() { return std::move(read_); }

 private:
  void StartModel(const Value& event, double at) {
    models_.Start(KeyOfModel(event), at, read_.rounds.size());
    const std::optional<std::int64_t> turn = CountOf(event, "turn");
    if (!turn || read_.rounds.size() >= limits::kTracedRoundsMax) return;
    read_.rounds.push_back({.turn = *turn, .started_ms = NumberOfMember(event, "t_ms")});
  }

  void EndModel(const Value& event, double at) {
    double took = 0;
    const auto place = models_.End(KeyOfModel(event), at, read_.models, &took);
    if (!place || *place >= read_.rounds.size()) return;
    TimedRound& round = read_.rounds[*place];
    round.took_ms = took;
    round.input_tokens = CountOf(event, kInput);
    round.output_tokens = CountOf(event, kOutput);
  }

  void StartTool(const Value& event, double at) {
    tools_.Start(KeyOfTool(event), at, read_.calls.size());
    read_.calls.push_back({.call = CallOf(event),
                           .started_ms = NumberOfMember(event, "t_ms"),
                           .took_ms = {},
                           .turn = CountOf(event, "turn")});
  }

  void EndTool(const Value& event, double at) {
    double took = 0;
    const auto place = tools_.End(KeyOfTool(event), at, read_.tools, &took);
    if (!place) return;
    TimedCall& call = read_.calls[*place];
    call.took_ms = took;
    call.problem = TracedText(event, "problem");
    AddEvidence(event, call.evidence);
  }

  void AddEvidence(const Value& event, std::vector<TraceEvidence>& to) {
    for (TraceEvidence& each : ReadEvidence(event.Find("evidence"))) {
      if (evidence_++ < limits::kTracedTurnEvidenceMax) to.push_back(std::move(each));
    }
  }

  static void TakeStage(std::string_view name, double at, OpenPairs& open, EventTimes& times) {
    constexpr PairKey kOnly{0, 0};
    if (name == "stage_start") open.Start(kOnly, at);
    if (name == "stage_end") open.End(kOnly, at, times);
  }

  TurnEvents read_;
  OpenPairs models_, tools_, ingestion_, shortlist_;
  std::size_t evidence_ = 0;
};

// {role: {input_tokens, output_tokens}}
template <class T>
struct RoleUsages {
  T& value;
  bool IsUsual() const { return value.empty(); }
  Value Stored() const {
    Map map;
    for (const auto& [role, used] : value)
      map.Append(role, Object{{kInput, used.input_tokens}, {kOutput, used.output_tokens}});
    return map;
  }
  bool Read(const Value& read) const {
    value = ReadRoleUsage(&read);
    return true;
  }
};

// {role: alias}
template <class T>
struct Aliases {
  T& value;
  bool IsUsual() const { return value.empty(); }
  Value Stored() const {
    Map map;
    for (const auto& [role, alias] : value) map.Append(role, alias);
    return map;
  }
  bool Read(const Value& read) const {
    if (!read.is_map()) return false;
    for (const Member& role : read.AsMap()) {
      if (role.value.is_string()) value.emplace_back(role.key, role.value.AsString());
    }
    return true;
  }
};

template <class T>
struct ToolCounts {
  T& value;
  bool IsUsual() const { return value.is_undefined(); }
  Value Stored() const { return value; }
  bool Read(const Value& read) const {
    if (read.is_map()) value = read;
    return read.is_map();
  }
};

// {class, message}
template <class T>
struct Raised {
  T& value;
  bool IsUsual() const { return !value; }
  Value Stored() const { return Object{{"class", value->name}, {"message", value->message}}; }
  bool Read(const Value& read) const {
    if (read.is_map()) value = TurnError{.name = read.TextAt("class"), .message = read.TextAt("message")};
    return read.is_map();
  }
};

template <class Details, class Visitor>
void VisitDetails(Details& details, Visitor&& visit) {
  visit("events", record::Texts{details.events});
  visit("halted", record::Flag{details.halted});
  visit("halt_reason", record::OptionalText{details.halt_reason});
  visit("notices", record::Texts{details.notices});
  visit("tool_usage", ToolCounts{details.tool_usage});
  visit("token_usage", RoleUsages{details.usage_by_role});
  visit("role_aliases", Aliases{details.role_aliases});
  visit("client_init_ms",
        record::OptionalReal{details.client_init_ms, record::Range{.low = 0, .high = kMsMost}});
  visit("error", Raised{details.error});
}

}  // namespace

std::string TurnError::Text() const { return name.empty() ? message : fmt::format("{}: {}", name, message); }

Value EncodeTurnDetails(const TurnDetails& details) {
  record::MemberMap map;
  VisitDetails(details, map);
  return map.Take();
}

TurnDetails DecodeTurnDetails(const Value& value) {
  TurnDetails details;
  VisitDetails(details, record::MemberReader(value));
  return details;
}

bool TurnRaised(const Value& details) {
  const Value* error = details.Find("error");
  return error != nullptr && error->is_map();
}

std::vector<std::pair<std::string, Usage>> ReadRoleUsage(const Value* told) {
  std::vector<std::pair<std::string, Usage>> usage;
  if (told == nullptr || !told->is_map()) return usage;
  for (const Member& role : told->AsMap()) {
    if (!role.value.is_map()) continue;
    Usage& used = usage.emplace_back(role.key, Usage{}).second;
    used.known = true;
    used.input_tokens = Tokens(role.value, kInput);
    used.output_tokens = Tokens(role.value, kOutput);
  }
  return usage;
}

std::string TracedText(const Value& owner, std::string_view name) {
  return std::string(CutToBytes(owner.TextAt(name), limits::kTracedTextBytesMax));
}

std::vector<TraceEvidence> ReadEvidence(const Value* list) {
  std::vector<TraceEvidence> evidence;
  if (list == nullptr || !list->is_list()) return evidence;
  for (const Value& each : list->AsList()) {
    if (evidence.size() >= limits::kTracedEvidenceMax) break;
    TraceEvidence read{TracedText(each, "source"), TracedText(each, "relevance"), TracedText(each, "place")};
    if (!read.source.empty()) evidence.push_back(std::move(read));
  }
  return evidence;
}

TurnEvents ReadTurnEvents(const std::vector<std::string>& events) {
  EventReader reader;
  for (const std::string& line : events) {
    if (const Result<Value> event = ParsePythonJson(line); event && event->is_map()) reader.Take(*event);
  }
  return reader.Finish();
}

std::optional<std::string> HaltOf(const AttemptFacts& told) {
  const Value* turn = told.details.Find("turn");
  if (turn == nullptr || !turn->BoolAt("halted").value_or(false)) return std::nullopt;
  const std::string* reason = FindText(*turn, "halt_reason");
  return reason != nullptr ? *reason : "None";
}

}  // namespace assay
