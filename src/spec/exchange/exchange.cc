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

#include <algorithm>

#include "base/text/utf8.h"
#include "spec/exchange/tool_calls.h"
#include "spec/turn/turn_details.h"
#include "text/found.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/json/stored.h"
#include "text/object.h"
#include "text/packed/base64.h"

namespace assay {

namespace {

Value UsageValue(const Usage& usage) {
  const auto number = [](std::int64_t tokens) { return Value(static_cast<double>(tokens)); };
  List numbers{number(usage.input_tokens), number(usage.output_tokens), number(usage.reasoning_tokens)};
  // The bytes of a recorded reply are part of its key: without a cache they stay as they always were.
  if (usage.cached_read_tokens > 0 || usage.cached_write_tokens > 0) {
    numbers.push_back(number(usage.cached_read_tokens));
    numbers.push_back(number(usage.cached_write_tokens));
  }
  return numbers;
}

constexpr int kWithLines = 1;  // of calls in the text
constexpr int kWithCalls = 2;

Value CallsValue(const std::vector<ToolCall>& calls) {
  List list;
  for (const ToolCall& call : calls) {
    List parts{Value(call.id), Value(call.name), Value(call.arguments)};
    if (!call.seal.empty()) parts.emplace_back(call.seal);
    list.emplace_back(std::move(parts));
  }
  return Value(std::move(list));
}

struct ReplyWriter {
  Map map;

  void operator()(const ModelReply& reply) {
    Extend(map, {{"text", reply.text},
                 {"reasoning", UnlessEmpty(reply.reasoning)},
                 {"finish", reply.finish_reason},
                 {"calls", !reply.tool_calls.empty() ? CallsValue(reply.tool_calls) : Value()},
                 {"parts", UnlessEmpty(reply.parts)},
                 {"usage", reply.usage.known ? UsageValue(reply.usage) : Value()}});
    if (reply.lacks_input || reply.uncounted_characters > 0) {
      map.Append("uncounted", List{Value(reply.lacks_input ? 1.0 : 0.0),
                                   Value(static_cast<double>(reply.uncounted_characters))});
    }
    Extend(map, {{"citations", reply.citations},
                 {"details", reply.details},
                 {"served", !reply.served->empty() ? Value(EncodeServed(*reply.served)) : Value()}});
  }
  void operator()(const EmbedReply& reply) {
    Extend(map, {{"vectors", ArrayOf(reply.vectors, [&](const auto& vector) { return ArrayOf(vector); })},
                 {"usage", reply.usage.known ? UsageValue(reply.usage) : Value()}});
  }
  void operator()(const HttpReply& reply) {
    map.Append("status", reply.status);
    // What is no text would not come back byte for byte.
    if (FindInvalidUtf8(reply.body) == std::string_view::npos) {
      map.Append("body", reply.body);
    } else {
      map.Append("bytes", EncodeBase64(reply.body));
    }
    Extend(map, {{"url", UnlessEmpty(reply.final_url)}, {"type", UnlessEmpty(reply.content_type)}});
  }
  void operator()(const ProcessReply& reply) {
    Extend(map, {{"exit", reply.exit_code},
                 {"signal", reply.signal},
                 {"timeout", reply.timed_out},
                 {"held_up", When(reply.held_up, true)},
                 {"out", reply.stdout_text},
                 {"err", reply.stderr_text},
                 {"reached_end", reply.reached_end},
                 {"after_exit", reply.after_exit_code},
                 {"limit", UnlessEmpty(reply.limit)},
                 {"sandbox", UnlessEmpty(reply.sandbox)}});
  }
  void operator()(const CorpusReply& reply) { map.Append("answer", reply.answer); }
};

Usage UsageOf(const Value& map) {
  const List& numbers = map.ListAt("usage");
  if (numbers.size() < 3) return {};
  constexpr double kTokensMost = 1e9;  // a recording that says more says nothing
  const auto is_count = [](const Value& count) {
    return !count.is_number() || (count.AsNumber() >= 0 && count.AsNumber() <= kTokensMost);
  };
  if (!std::all_of(numbers.begin(), numbers.end(), is_count)) return {};
  const auto number = [&numbers](std::size_t i) {
    const bool is_there = i < numbers.size() && numbers[i].is_number();
    return is_there ? static_cast<std::int64_t>(numbers[i].AsNumber()) : std::int64_t{0};
  };
  return {.input_tokens = number(0),
          .output_tokens = number(1),
          .reasoning_tokens = number(2),
          .known = true,
          .cached_read_tokens = number(3),
          .cached_write_tokens = number(4)};
}

Result<Reply> DecodeEmbed(const Value& map) {
  EmbedReply reply{.vectors = {}, .usage = UsageOf(map)};
  const List* vectors = FindList(map, "vectors");
  if (vectors == nullptr) return Error{ErrorCode::kCorrupt, "stored embedding without vectors"};
  for (const Value& row : *vectors) {
    if (!row.is_list()) return Error{ErrorCode::kCorrupt, "stored embedding with a vector that is no list"};
    std::vector<double>& vector = reply.vectors.emplace_back();
    for (const Value& number : row.AsList()) {
      if (!number.is_number())
        return Error{ErrorCode::kCorrupt, "stored embedding with an entry that is no number"};
      vector.push_back(number.AsNumber());
    }
  }
  return Reply(std::move(reply));
}

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

Status TakeCalls(const Value& calls, ModelReply& reply) {
  const Error no_call{ErrorCode::kCorrupt, "stored reply with a call that is none"};
  if (!calls.is_list()) return no_call;
  for (const Value& call : calls.AsList()) {
    if (!call.is_list() || call.AsList().size() < 3) return no_call;
    std::vector<std::string> parts;
    for (const Value& part : call.AsList()) {
      if (!part.is_string()) return no_call;
      parts.push_back(part.AsString());
    }
    parts.resize(4);
    reply.tool_calls.push_back({.id = std::move(parts[0]),
                                .name = std::move(parts[1]),
                                .arguments = std::move(parts[2]),
                                .seal = std::move(parts[3])});
  }
  return Ok();
}

Result<Reply> DecodeModel(const Value& map) {
  ModelReply reply{.text = map.TextAt("text"),
                   .reasoning = map.TextAt("reasoning"),
                   .tool_calls = {},
                   .finish_reason = map.TextAt("finish"),
                   .usage = UsageOf(map),
                   .parts = map.TextAt("parts")};
  if (const Value* tools = map.Find("tools")) TakeCallsOfLines(*tools, reply);
  if (const Value* calls = map.Find("calls")) ASSAY_CHECK_OK(TakeCalls(*calls, reply));
  if (const List* uncounted = FindList(map, "uncounted")) {
    const List& parts = *uncounted;
    const bool are_numbers = parts.size() == 2 && parts[0].is_number() && parts[1].is_number();
    if (!are_numbers) return Error{ErrorCode::kCorrupt, "stored reply whose uncounted parts are no numbers"};
    reply.lacks_input = parts[0].AsNumber() > 0;
    reply.uncounted_characters = static_cast<std::int64_t>(parts[1].AsNumber());
  }
  if (const Value* citations = map.Find("citations")) reply.citations = *citations;
  if (const Value* details = map.Find("details")) reply.details = *details;
  if (const Value* served = map.Find("served")) reply.served = DecodeServed(*served);
  return Reply(std::move(reply));
}

Result<Reply> DecodeHttpReply(const Value& map) {
  HttpReply reply;
  reply.status = static_cast<int>(map.NumberAt("status").value_or(0));
  reply.body = map.TextAt("body");
  reply.final_url = map.TextAt("url");
  reply.content_type = map.TextAt("type");
  if (map.Find("bytes") != nullptr) {
    std::optional<std::string> bytes = DecodeBase64(map.TextAt("bytes"));
    if (!bytes) return Error{ErrorCode::kCorrupt, "stored page whose bytes are no base64"};
    reply.body = *std::move(bytes);
  }
  return Reply(std::move(reply));
}

}  // namespace

Value EncodeServed(const ServedBy& served) {
  return List{Value(served.asked), Value(served.model), Value(served.is_other), Value(served.fingerprint),
              Value(served.via)};
}

ServedBy DecodeServed(const Value& stored) {
  if (!stored.is_list() || stored.AsList().size() < 5) return {};
  const List& parts = stored.AsList();
  const auto text = [&parts](std::size_t at) {
    return parts[at].is_string() ? parts[at].AsString() : std::string();
  };
  return {.asked = text(0),
          .model = text(1),
          .fingerprint = text(3),
          .via = text(4),
          .is_other = parts[2].is_bool() && parts[2].AsBool()};
}

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
  // That a page is not there, leads in circles or is too large will be so the next time.
  if (error) return is_page && (error->code == ErrorCode::kLimit || error->code == ErrorCode::kInvalidInput);
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
  ReplyWriter writer;
  const auto* model = std::get_if<ModelReply>(&reply);
  writer.map.Append("v", model != nullptr && !model->tool_calls.empty() ? kWithCalls : kWithLines);
  std::visit(writer, reply);
  return WriteJson(Value(std::move(writer.map)), JsonStyle::kJavaScript);
}

Result<Reply> DecodeReply(RequestKind kind, std::string_view text) {
  ASSAY_TRY(const Value map, ParseStoredIn(text.size(), text));
  const double version = map.NumberAt("v").value_or(0);
  if (version != kWithLines && !(version == kWithCalls && kind == RequestKind::kModel))
    return Error{ErrorCode::kCorrupt, "stored reply of an unknown version"};
  switch (kind) {
    case RequestKind::kModel:
      return DecodeModel(map);
    case RequestKind::kEmbed:
      return DecodeEmbed(map);
    case RequestKind::kHttp:
      return DecodeHttpReply(map);
    case RequestKind::kProcess: {
      ProcessReply reply;
      reply.exit_code = static_cast<int>(map.NumberAt("exit").value_or(0));
      reply.signal = static_cast<int>(map.NumberAt("signal").value_or(0));
      reply.timed_out = map.BoolAt("timeout").value_or(false);
      reply.held_up = map.BoolAt("held_up").value_or(false);
      reply.stdout_text = map.TextAt("out");
      reply.stderr_text = map.TextAt("err");
      reply.limit = map.TextAt("limit");
      reply.sandbox = map.TextAt("sandbox");
      if (const auto end = map.BoolAt("reached_end")) reply.reached_end = *end;
      if (map.Find("after_exit") != nullptr)
        reply.after_exit_code = static_cast<int>(map.NumberAt("after_exit").value_or(0));
      return Reply(std::move(reply));
    }
    case RequestKind::kCorpus: {
      const Value* answer = map.Find("answer");
      if (answer == nullptr) return Error{ErrorCode::kCorrupt, "stored documents without an answer"};
      return Reply(CorpusReply{*answer});
    }
  }
  return Error{ErrorCode::kCorrupt, "stored reply of an unknown kind"};
}

}  // namespace assay
