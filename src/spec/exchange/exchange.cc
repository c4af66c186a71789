// The stored form of replies.
//
// Version 1, JSON: model {"v":1,"text","reasoning"?,"finish","tools"?,"parts"? (a text of JSON),
// "usage"?:[input,output,reasoning] and, where a cache was used, [...,cached read,cached write],
// "uncounted"?:[whether the input is not counted, characters of the message whose output is not],
// "details"? of a system under test, "served"?:[asked,model,whether they are two,fingerprint,via] of who
// answered}; embed {"v":1,"vectors":[[...]],"usage"?}; http {"v":1,"status","body"} and of a page, where it
// is known, "url","type", and "bytes" in base64 instead of a body that is no UTF-8; program
// {"v":1,"exit","signal","timeout", "out","err"}. Bytes on disk never change meaning: a new layout gets a
// new "v".
// Version 2 is of models that call tools: "calls":[[id,name,arguments,seal?]...] in the place of "tools",
// whose lines (spec/exchange/tool_calls.h) stood in the text already.
#include "spec/exchange/exchange.h"

#include <fmt/core.h>

#include <algorithm>
#include <type_traits>

#include "base/text/utf8.h"
#include "spec/exchange/reply_places.h"
#include "spec/exchange/tool_calls.h"
#include "spec/exchange/unread_reply.h"
#include "spec/turn/turn_details.h"
#include "text/javascript/text.h"
#include "text/json/record.h"
#include "text/json/stored.h"
#include "text/packed/base64.h"

namespace assay {

namespace {

constexpr int kWithLines = 1;  // of calls in the text
constexpr int kWithCalls = 2;

using record::Loose;
using record::Text;

// A recording that says more than a service can says nothing.
template <class T>
struct UsageField {
  static constexpr double kMost = 1e9;
  T& usage;
  bool IsUsual() const { return !usage.known; }
  void Append(std::string& out) const { record::AppendPlaces(usage, out); }
  bool Read(const Value& read) const {
    if (!read.is_list()) return true;
    Usage stated{.known = true};
    record::PlaceReader reader(read.AsList());
    VisitTokens(stated, reader, kMost);
    if (reader.good()) usage = std::move(stated);
    return true;
  }
};

// [whether the input is not counted, characters of the message whose output is not]
template <class Reply>
struct Uncounted {
  Reply& reply;
  bool IsUsual() const { return !reply.lacks_input && reply.uncounted_characters <= 0; }
  void Append(std::string& out) const {
    out += reply.lacks_input ? "[1," : "[0,";
    record::AppendReal(static_cast<double>(reply.uncounted_characters), out);
    out += ']';
  }
  bool Read(const Value& read) const {
    if (!read.is_list() || read.AsList().size() != 2) return false;
    const List& parts = read.AsList();
    if (!parts[0].is_number() || !parts[1].is_number()) return false;
    reply.lacks_input = parts[0].AsNumber() > 0;
    reply.uncounted_characters = static_cast<std::int64_t>(parts[1].AsNumber());
    return true;
  }
};

template <class T>
struct Served {
  T& served;
  bool IsUsual() const { return served->empty(); }
  void Append(std::string& out) const { record::AppendPlaces(*served, out); }
  bool Read(const Value& read) const {
    ServedBy by;
    if (record::ReadPlaces(read, by)) served = std::move(by);
    return true;
  }
};

// [[number...]...]
template <class T>
struct Vectors {
  T& value;
  bool IsUsual() const { return false; }
  void Append(std::string& out) const {
    out += '[';
    for (const auto& vector : value) {
      if (&vector != value.data()) out += ',';
      record::Reals{vector}.Append(out);
    }
    out += ']';
  }
  bool Read(const Value& read) const {
    if (!read.is_list()) return false;
    for (const Value& row : read.AsList()) {
      if (!row.is_list()) return false;
      std::vector<double>& vector = value.emplace_back();
      for (const Value& number : row.AsList()) {
        if (!number.is_number()) return false;
        vector.push_back(number.AsNumber());
      }
    }
    return true;
  }
};

// A status, an exit code, a signal; of another kind it is 0.
template <class T>
struct Code {
  T& value;
  bool IsUsual() const { return false; }
  void Append(std::string& out) const { record::AppendReal(value, out); }
  bool Read(const Value& read) const {
    value = read.is_number() ? static_cast<int>(read.AsNumber()) : 0;
    return true;
  }
};
template <class T>
struct OptionalCode {
  T& value;
  bool IsUsual() const { return !value; }
  void Append(std::string& out) const { Code{*value}.Append(out); }
  bool Read(const Value& read) const { return Code{value.emplace()}.Read(read); }
};
template <class T>
struct OptionalFlag {
  T& value;
  bool IsUsual() const { return !value; }
  void Append(std::string& out) const { out += *value ? "true" : "false"; }
  bool Read(const Value& read) const {
    if (read.is_bool()) value = read.AsBool();
    return true;
  }
};

// A body that is no UTF-8 would not come back byte for byte: it is written in base64 instead.
bool IsText(const std::string& body) { return FindInvalidUtf8(body) == std::string_view::npos; }

template <class T>
struct TextBody {
  T& body;
  bool IsUsual() const { return !IsText(body); }
  void Append(std::string& out) const { Text{body}.Append(out); }
  bool Read(const Value& read) const { return Loose{Text{body}}.Read(read); }
};
template <class T>
struct BytesBody {
  T& body;
  bool IsUsual() const { return IsText(body); }
  void Append(std::string& out) const { AppendJsonString(EncodeBase64(body), out); }
  bool Read(const Value& read) const {
    std::optional<std::string> bytes = DecodeBase64(read.is_string() ? read.AsString() : std::string());
    if (bytes) body = *std::move(bytes);
    return bytes.has_value();
  }
};

// The members of replies, by kind. What a program or a recording may have written otherwise is loose.
template <class Reply, class Visitor>
void VisitModelReply(Reply& reply, Visitor&& visit) {
  visit.Always("text", Loose{Text{reply.text}});
  visit("reasoning", Loose{Text{reply.reasoning}});
  visit.Always("finish", Loose{Text{reply.finish_reason}});
  visit("calls", record::Records{reply.tool_calls});
  visit("parts", Loose{Text{reply.parts}});
  visit("usage", UsageField{reply.usage});
  visit("uncounted", Uncounted<Reply>{reply});
  visit("citations", record::Any{reply.citations});
  visit("details", record::Any{reply.details});
  visit("served", Served{reply.served});
}
template <class Reply, class Visitor>
void VisitEmbedReply(Reply& reply, Visitor&& visit) {
  visit.Needed("vectors", Vectors{reply.vectors});
  visit("usage", UsageField{reply.usage});
}
template <class Reply, class Visitor>
void VisitHttpReply(Reply& reply, Visitor&& visit) {
  visit.Always("status", Code{reply.status});
  visit("body", TextBody{reply.body});
  visit("bytes", BytesBody{reply.body});
  visit("url", Loose{Text{reply.final_url}});
  visit("type", Loose{Text{reply.content_type}});
}
template <class Reply, class Visitor>
void VisitProcessReply(Reply& reply, Visitor&& visit) {
  visit.Always("exit", Code{reply.exit_code});
  visit.Always("signal", Code{reply.signal});
  visit.Always("timeout", Loose{record::Flag{reply.timed_out}});
  visit("held_up", Loose{record::Flag{reply.held_up}});
  visit.Always("out", Loose{Text{reply.stdout_text}});
  visit.Always("err", Loose{Text{reply.stderr_text}});
  visit("reached_end", OptionalFlag{reply.reached_end});
  visit("after_exit", OptionalCode{reply.after_exit_code});
  visit("limit", Loose{Text{reply.limit}});
  visit("sandbox", Loose{Text{reply.sandbox}});
}

struct ReplyMembers {
  template <class Visitor>
  static void Visit(auto& reply, Visitor&& visit) {
    using Kind = std::remove_cvref_t<decltype(reply)>;
    if constexpr (std::is_same_v<Kind, ModelReply>) VisitModelReply(reply, visit);
    if constexpr (std::is_same_v<Kind, EmbedReply>) VisitEmbedReply(reply, visit);
    if constexpr (std::is_same_v<Kind, HttpReply>) VisitHttpReply(reply, visit);
    if constexpr (std::is_same_v<Kind, ProcessReply>) VisitProcessReply(reply, visit);
    if constexpr (std::is_same_v<Kind, CorpusReply>) visit.Needed("answer", record::Any{reply.answer});
  }
};

// Calls of version 1: their lines stand in the text. Text that was written otherwise (by a program under
// test) stays as it is, and its calls were never asked for.
void TakeCallsOfLines(const Value& tools, ModelReply& reply) {
  if (!tools.is_list()) return;
  ModelReply bare = reply;
  for (const Value& tool : tools.AsList()) {
    const Value* arguments = tool.Find("arguments");
    bare.tool_calls.push_back(
        {.id = "call_" + std::to_string(bare.tool_calls.size()),
         .name = tool.TextAt("name"),
         .arguments = arguments == nullptr ? std::string() : WriteJson(*arguments, JsonStyle::kJavaScript)});
  }
  bare.text.clear();
  const std::string lines = TextWithCalls(bare);
  if (!reply.text.starts_with(lines)) return;
  std::string_view rest = std::string_view(reply.text).substr(lines.size());
  if (!rest.empty()) rest.remove_prefix(1);
  bare.text = rest;
  if (TextWithCalls(bare) == reply.text) reply = std::move(bare);
}

template <class Kind>
Result<Reply> ReadReply(const Value& map) {
  Kind reply;
  record::MemberReader reader(map);
  ReplyMembers::Visit(reply, reader);
  if (!reader.good()) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("stored reply whose `{}` no assay writes", reader.problem())};
  }
  if constexpr (std::is_same_v<Kind, ModelReply>) {
    if (const Value* tools = map.Find("tools")) TakeCallsOfLines(*tools, reply);
  }
  return Reply(std::move(reply));
}

}  // namespace

bool SaysNothing(const ModelReply& reply) {
  return reply.tool_calls.empty() && reply.details.is_undefined() && JsTrim(reply.text).empty();
}

namespace {
constexpr int kRedirect = 300;
constexpr int kServerTrouble = 500;
}  // namespace

bool Exchange::Reusable() const {
  if (is_set_aside) return false;
  const bool is_page = role == RequestRole::kTool && kind == RequestKind::kHttp;
  if (error) {
    // That a page is not there, leads in circles or is too large will be so the next time. An unread reply of
    // a judge may quote, and the judge is asked on after it.
    if (is_page) return error->code == ErrorCode::kLimit || error->code == ErrorCode::kInvalidInput;
    return IsJudge(role) && MayQuoteUnread(error->code);
  }
  if (const auto* model = std::get_if<ModelReply>(&reply)) {
    if (!model->details.is_undefined()) return !TurnRaised(model->details);
    return takes_silence || !model->text.empty() || !model->tool_calls.empty();
  }
  if (const auto* embed = std::get_if<EmbedReply>(&reply)) return !embed->vectors.empty();
  if (const auto* http = std::get_if<HttpReply>(&reply))
    return http->status >= 200 && http->status < (is_page ? kServerTrouble : kRedirect);
  // What others held up runs again alone. That second try counts; that it was late again, perhaps because of
  // them, is no word on its program for later runs.
  if (const auto* process = std::get_if<ProcessReply>(&reply))
    return !process->held_up || (tries > 1 && !process->timed_out);
  return true;
}

bool Exchange::IsCutBelow(std::int64_t room_now) const {
  const auto* model = std::get_if<ModelReply>(&reply);
  return !error && model != nullptr && model->finish_reason == kCutAtLimit && room < room_now;
}

bool Exchange::CountsBefore(const Exchange& later) const {
  const auto* model = error ? nullptr : std::get_if<ModelReply>(&reply);
  const bool is_silence = model != nullptr && SaysNothing(*model);
  return Reusable() && !IsCutBelow(later.room) && (later.takes_silence || !is_silence);
}

std::string EncodeReply(const Reply& reply) {
  const auto* model = std::get_if<ModelReply>(&reply);
  const int version = model != nullptr && !model->tool_calls.empty() ? kWithCalls : kWithLines;
  std::string text = fmt::format("{{\"v\":{}", version);
  std::visit([&text](const auto& kind) { ReplyMembers::Visit(kind, record::MemberWriter(text)); }, reply);
  return text + '}';
}

Result<Reply> DecodeReply(RequestKind kind, std::string_view text) {
  ASSAY_TRY(const Value map, ParseStoredIn(text.size(), text));
  const double version = map.NumberAt("v").value_or(0);
  if (version != kWithLines && !(version == kWithCalls && kind == RequestKind::kModel))
    return Error{ErrorCode::kCorrupt, "stored reply of an unknown version"};
  switch (kind) {
    case RequestKind::kModel:
      return ReadReply<ModelReply>(map);
    case RequestKind::kEmbed:
      return ReadReply<EmbedReply>(map);
    case RequestKind::kHttp:
      return ReadReply<HttpReply>(map);
    case RequestKind::kProcess:
      return ReadReply<ProcessReply>(map);
    case RequestKind::kCorpus:
      return ReadReply<CorpusReply>(map);
  }
  return Error{ErrorCode::kCorrupt, "stored reply of an unknown kind"};
}

}  // namespace assay
