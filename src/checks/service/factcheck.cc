// Grades `$factcheck` or `$factcheck: instruction`: the score that a fact-checking service gives the answer.
//   args    a text that narrows what is checked, or nothing
//   asks    one request to kFactcheckUrl: where that service is, and the token that it wants, is the user's
//   to
//           say and is put in where requests leave; it is not tried again
//   score   the service's own (call.h)
//   source  weval 51dc4d3 (spec: blueprint 11.7)
#include <fmt/core.h>

#include <algorithm>

#include "checks/graders.h"
#include "checks/limits.h"
#include "checks/service/call.h"
#include "spec/suite/check.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {
namespace {

constexpr std::chrono::milliseconds kTimeout{65'000};
// Part of the result files' format: what stands there where the service explains nothing.
constexpr std::string_view kNoExplanation = "No explanation provided";

Value FactMessages(const Transcript& transcript) {
  const std::vector<std::uint32_t>& generated = transcript.generated_indices;
  List messages;
  std::uint32_t assistants = 0;
  for (const Message& message : transcript.history) {
    const bool is_generated = message.role == Role::kAssistant &&
                              std::find(generated.begin(), generated.end(), assistants) != generated.end();
    if (message.role == Role::kAssistant) ++assistants;
    messages.push_back(
        Object{{"role", RoleName(message.role)}, {"content", message.text}, {"generated", is_generated}});
  }
  return messages;
}

std::string BodyOf(const GradeInput& input, const std::string& instruction) {
  return WriteJson(
      Object{
          {"claim", input.answer.text()},
          {"instruction", instruction},
          {"includeRaw", false},
          {"messages", !input.transcript.history.empty() ? Value(FactMessages(input.transcript)) : Value()}},
      JsonStyle::kJavaScript);
}

}  // namespace

CheckArgs ParseFactcheck(const ParseInput& input, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  if (args.is_nullish()) return MakeArgs(std::string());
  if (args.is_string()) return MakeArgs(args.AsString());
  return UnusableArgs<std::string>(TellUnexpected(input, "an instruction as text, or nothing", diagnostics));
}

Score GradeFactcheck(const GradeInput&, const CheckArgs& args, WorkerState&) {
  return ProblemScore<std::string>(args);
}

std::uint32_t RequestsOfFactcheck(const CheckArgs& args) { return OneRequestIfUsable<std::string>(args); }

Action NextFactcheck(const AskInput& input, const CheckArgs& args) {
  const std::string& instruction = static_cast<const ParsedArgs<std::string>*>(args.get())->value;
  if (!input.so_far.empty()) {
    Score score = ScoreOfService("factcheck", input.so_far.front());
    if (score.state == ScoreState::kScored && score.explanation.empty()) score.explanation = kNoExplanation;
    return Done{std::move(score)};
  }
  HttpRequest request{.method = "POST",
                      .url = std::string(kFactcheckUrl),
                      .headers = {{"content-type", "application/json"}},
                      .body = BodyOf(input.grade, instruction),
                      .timeout = kTimeout};
  if (request.body.size() > limits::kServiceBodyBytesMax) {
    return Done{Score::Failure(
        fmt::format("$factcheck: what would be sent is longer than {} bytes", limits::kServiceBodyBytesMax))};
  }
  return Need{{{.request = std::move(request), .tag = input.tag, .retry = RetryRule{}}}};
}

}  // namespace assay
