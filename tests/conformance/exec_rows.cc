// A recorded conversation of assay-exec/1: every line of the program is read as the protocol says, its
// results decode to what they record, and what we would send says everything that the recorded sender said.
#include <fmt/core.h>

#include "providers/codecs/exec.h"
#include "providers/provider.h"
#include "providers/shapes/reply/turn_reply.h"
#include "spec/turn/turn_details.h"
#include "tests/conformance/conformance.h"
#include "text/json/json.h"

namespace assay::conformance {
namespace {

LineKind KindOfType(const std::string& type) {
  if (type == "ready") return LineKind::kReady;
  if (type == "result") return LineKind::kResult;
  return type == "fatal" ? LineKind::kFatal : LineKind::kOther;
}

// Members that `want` has and `got` lacks, of maps inside too.
std::string Missing(const Value& want, const Value& got) {
  for (const Member& member : want.AsMap()) {
    const Value* found = got.Find(member.key);
    if (found == nullptr) return member.key;
    const bool is_open = member.key == "parameters";  // of whatever names the run has
    if (!member.value.is_map() || is_open) continue;
    if (std::string inner = Missing(member.value, *found); !inner.empty()) return inner;
  }
  return {};
}

class Player {
 public:
  void Sent(const Value& message, Outcome& outcome) {
    const std::string type = GetText(message, "type");
    if (type == "turn") {
      turn_ = GetText(message, "id");
      query_ = GetText(message, "query");
      lines_.clear();
    }
    if (type == "shutdown") outcome.Same("goodbye", message, *ParseJson(ExecProtocol().goodbye));
    if (type != "turn" && type != "init") return;
    ModelRequest request;
    request.provider = "exec";
    request.model = "program";
    request.messages = {{Role::kUser, query_}};
    const std::string body = FindProvider("exec")->Encode(request)->body;
    const std::size_t end = body.find('\n');
    const Value ours = *ParseJson(type == "init" ? body.substr(0, end) : body.substr(end + 1));
    const std::string missing = Missing(message, ours);
    if (missing.empty()) {
      outcome.Pass();
    } else {
      outcome.Fail(fmt::format("our {} has no member {}", type, missing));
    }
    if (type == "turn") outcome.Same("query", Get(message, "query"), Get(ours, "query"));
  }

  void Received(const Value& message, Outcome& outcome) {
    const std::string text = WriteJson(message, JsonStyle::kJavaScript);
    const std::string type = GetText(message, "type");
    const ProgramLine line = ExecProtocol().read(text);
    outcome.Same("kind of " + type, Value(static_cast<int>(KindOfType(type))),
                 Value(static_cast<int>(line.kind)));
    if (Get(message, "id").is_string()) outcome.Same("turn", Value(turn_), Value(line.turn));
    lines_ += text + "\n";
    if (type == "event" && GetText(message, "event") == "tool_start") ++tools_;
    if (type == "result") CheckResult(message, outcome);
  }

 private:
  void CheckResult(const Value& message, Outcome& outcome) {
    HttpReply said;
    said.status = 200;
    said.body = lines_;
    const auto told = FindProvider("exec")->decode(said);
    const auto reply = AsAsked(ModelRequest(), told);
    const Value& error = Get(message, "error");
    outcome.Same("answered", Value(!error.is_map()), Value(reply.has_value()));
    if (!reply) {
      const bool says_so = reply.error().message.find(GetText(error, "class")) != std::string::npos;
      outcome.Same("names the error's class", Value(true), Value(says_so));
      return;
    }
    outcome.Same("answer", Get(message, "answer"), Value(reply->text));
    double input = 0;
    double output = 0;
    for (const Member& role : Get(message, "token_usage").AsMap()) {
      input += Get(role.value, "input_tokens").AsNumber();
      output += Get(role.value, "output_tokens").AsNumber();
    }
    outcome.Same("input tokens", Value(input), Value(static_cast<double>(reply->usage.input_tokens)));
    outcome.Same("output tokens", Value(output), Value(static_cast<double>(reply->usage.output_tokens)));
    const std::size_t tools = ReadTurnEvents(DecodeTurnDetails(told->details).events).calls.size();
    outcome.Same("tool calls", Value(static_cast<double>(tools_)), Value(static_cast<double>(tools)));
    tools_ = 0;
  }

  std::string turn_;
  std::string query_;
  std::string lines_;
  std::size_t tools_ = 0;
};

Outcome RunTranscript(const std::string& folder) {
  Player player;
  return ForEachLine(folder + "/transcript.jsonl", [&](std::size_t, const Value& row, Outcome& outcome) {
    if (GetText(row, "dir") == ">") {
      player.Sent(Get(row, "msg"), outcome);
    } else {
      player.Received(Get(row, "msg"), outcome);
    }
  });
}

constexpr GoldenRow kExecRows[] = {{"exec_protocol", RunTranscript}};

}  // namespace

std::span<const GoldenRow> ExecRows() { return kExecRows; }

}  // namespace assay::conformance
