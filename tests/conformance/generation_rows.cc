// Golden rows of generation: a blueprint, a fake model written in JavaScript, and what was asked and kept.
#include <fmt/core.h>

#include <algorithm>

#include "checks/judge/judge.h"
#include "dialects/blueprint/blueprint.h"
#include "dialects/blueprint/lower/lower.h"
#include "dialects/blueprint/read/parse.h"
#include "plan/plan.h"
#include "spec/run/worker_state.h"
#include "spec/suite/suite.h"
#include "tests/conformance/conformance.h"
#include "tests/support/drive.h"
#include "text/json/json.h"

namespace assay::conformance {
namespace {

Value MessagesValue(const std::vector<Message>& messages) {
  List list;
  for (const Message& message : messages) {
    Map map;
    map.Append("role", RoleName(message.role));
    map.Append("content", message.text);
    list.push_back(std::move(map));
  }
  return list;
}

// The fake model: its handler gets the call and answers with a text, or an Error.
class Handler {
 public:
  Handler(std::string source, WorkerState& worker) : source_(std::move(source)), worker_(worker) {}

  Result<ModelReply> operator()(const ModelRequest& request) {
    Map call;
    call.Append("modelId", request.provider + ":" + request.model);
    call.Append("messages", MessagesValue(request.messages));
    if (request.params.temperature) call.Append("temperature", *request.params.temperature);
    calls.push_back(call);
    const ScriptOutcome outcome =
        worker_.Script().Eval(fmt::format("const handler = {}; const said = handler(call); said instanceof "
                                          "Error ? {{thrown: said.message}} : "
                                          "{{said}}",
                                          source_),
                              {{"call", call}});
    const Value* said = outcome.value.Find("said");
    if (said == nullptr) return Error{ErrorCode::kNetwork, GetText(outcome.value, "thrown")};
    ModelReply reply;
    reply.text = said->AsString();
    return reply;
  }

  List calls;

 private:
  std::string source_;
  WorkerState& worker_;
};

struct GenerationReading {
  SourceFiles sources;
  Diagnostics diagnostics;
  DiskFileReader files;
  ReadOptions options;
  std::shared_ptr<const Plan> plan;
  std::optional<Recording> fixtures;

  explicit GenerationReading(const Value& row) {
    options.compat = Compat::kWeval;
    options.run_label = GetText(row, "runLabel");
    const std::string text = GetText(row, "blueprint");
    const ReadInput input{"t.yml", options, files, sources, diagnostics};
    const FileId file = sources.Add("t.yml", text);
    // Straight from the parsed file to the suite, as the original's own test does: some rows hold
    // conversations that loading a file would refuse.
    blueprint::ParseContext context{Compat::kWeval, diagnostics};
    std::optional<Value> parsed =
        blueprint::ParseBlueprint(file, text, blueprint::BlueprintFormat::kYaml, context);
    if (!parsed) return;
    std::optional<Suite> suite = blueprint::LowerBlueprint(*std::move(parsed), input);
    if (!suite) return;
    suite->run_label = options.run_label;
    plan = Plan::Build(*std::move(suite), {}, diagnostics);
    if (!Get(row, "fixtures").is_map()) return;
    const std::string book = WriteJson(Get(row, "fixtures"), JsonStyle::kJavaScript);
    const ReadInput fixtures_input{"f.json", options, files, sources, diagnostics};
    fixtures = ReadBlueprintFixtures(fixtures_input, sources.Add("f.json", book), book);
  }
};

// What the row says of a response, in the terms of a Transcript.
Value WantOf(const Value& response) {
  Map want;
  want.Append("error", Get(response, "hasError"));
  if (!Get(response, "hasError").Truthy()) {
    want.Append("answer", Get(response, "finalAssistantResponseText"));
    want.Append("history", Get(response, "fullConversationHistory"));
  }
  // A call that the original's circuit breaker cut has no such lists.
  const bool was_cut = Get(response, "generatedAssistantTexts").is_undefined();
  want.Append("indices", was_cut ? Value(List{}) : Get(response, "generatedAssistantIndices"));
  want.Append("texts", was_cut ? Value(List{}) : Get(response, "generatedAssistantTexts"));
  want.Append("system", Get(response, "systemPromptUsed"));
  return want;
}

Value GotOf(const Transcript& transcript) {
  Map got;
  got.Append("error", !transcript.error.empty());
  if (transcript.error.empty()) {
    got.Append("answer", transcript.answer);
    got.Append("history", MessagesValue(transcript.history));
  }
  List indices;
  for (const std::uint32_t index : transcript.generated_indices)
    indices.push_back(static_cast<double>(index));
  got.Append("indices", std::move(indices));
  got.Append("texts", List(transcript.generated_texts.begin(), transcript.generated_texts.end()));
  got.Append("system", transcript.system ? Value(*transcript.system) : Value(Null{}));
  return got;
}

// Calls as a multiset: the original makes them concurrently. Its record of a call's messages holds the answer
// too, which was appended later, so only what went before it is compared; a repeated model is asked once by
// us.
Value AskedOf(const Value& calls) {
  std::vector<std::string> all;
  for (const Value& call : calls.AsList()) {
    List messages = Get(call, "messages").AsList();
    if (!messages.empty() && GetText(messages.back(), "role") == "assistant") messages.pop_back();
    all.push_back(GetText(call, "modelId") + WriteJson(messages, JsonStyle::kCanonical) +
                  WriteJson(Get(call, "temperature"), JsonStyle::kCanonical));
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return List(all.begin(), all.end());
}

void CompareResponse(const Value& row, const Case& the_case, const Variant& variant,
                     const AttemptRecord& record, Outcome& outcome) {
  const Value& response = Get(Get(Get(row, "responses"), the_case.id), variant.id);
  const std::string what = fmt::format("{} of {}", the_case.id, variant.id);
  outcome.Same(what, WantOf(response), GotOf(record.transcript));
  const std::string transcript = GetText(Get(Get(row, "transcripts"), the_case.id), variant.id);
  if (!record.transcript.error.empty()) return;
  outcome.Same(what + ", as judges see it", transcript, JudgeTranscript(record.transcript, the_case));
}

void RunGenerationRow(const Value& row, Outcome& outcome) {
  GenerationReading reading(row);
  if (reading.plan == nullptr) {
    outcome.Fail("the blueprint could not be read");
    return;
  }
  WorkerState worker;
  Handler handler(GetText(row, "handler"), worker);
  const Suite& suite = reading.plan->suite();
  const AnswerFn answer = [&](const ModelRequest& request, const RequestTag& tag) -> Result<ModelReply> {
    if (reading.fixtures) {
      if (std::optional<ModelReply> recorded = reading.fixtures->find(suite, request, tag)) return *recorded;
    }
    return handler(request);
  };
  for (CellIndex i = 0; i < reading.plan->CellCount(); ++i) {
    const CellAddress address = reading.plan->CellAt(i);
    const AttemptRecord record = DriveCell(*reading.plan, address, answer, worker);
    CompareResponse(row, suite.cases[address.case_index], suite.variants[address.variant], record, outcome);
  }
  // Where the original's circuit breaker cut calls, how many it made is its own affair.
  if (GetText(row, "name") == "circuit-breaker") return;
  outcome.Same("calls", AskedOf(Get(row, "calls")), AskedOf(handler.calls));
}

Outcome RunGeneration(const std::string& path) {
  return ForEachLine(path, [](std::size_t, const Value& row, Outcome& outcome) {
    // One verdict a row, however many things it compares.
    Outcome parts;
    parts.place = outcome.place;
    RunGenerationRow(row, parts);
    if (parts.failed == 0) {
      outcome.Pass();
    } else {
      outcome.Fail(parts.differences.front());
    }
  });
}

constexpr GoldenRow kGenerationRows[] = {{"blueprint/generation.jsonl", RunGeneration}};

}  // namespace

std::span<const GoldenRow> GenerationRows() { return kGenerationRows; }

}  // namespace assay::conformance
