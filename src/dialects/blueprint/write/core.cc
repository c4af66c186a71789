// Writes the core file: the scores without texts, for tools that load many runs.
#include "dialects/blueprint/kept_prompts.h"
#include "dialects/blueprint/write/frame.h"
#include "spec/suite/suite.h"

namespace assay::blueprint {
namespace {

constexpr std::string_view kPromptMembersKept[] = {"id",          "weight",   "render_as",
                                                   "description", "citation", "system"};

// Cut to what identifies and describes it.
void WriteCorePrompt(const Value& kept, JsonStream& json) {
  WritePromptMembers(kept, kPromptMembersKept, json);
}

// Prompt id -> model id -> null: the shape of what was left out.
void WriteNullMatrix(const FileFrame& frame, std::string_view key, JsonStream& json) {
  json.Key(key);
  json.OpenMap();
  for (const CaseIndex index : frame.cases) {
    json.Key(frame.suite.cases[index].id);
    json.OpenMap();
    for (const std::string& model : frame.effective_models) json.Member(model, Null{});
    json.Close();
  }
  json.Close();
}

}  // namespace

Status WriteCore(const FileFrame& frame, const FileSections& sections, const RunPaths& paths, Sink& sink) {
  ASSAY_CHECK_OK(sink.Open(paths.folder + paths.stem + "/core.json"));
  JsonStream json(sink, JsonStyle::kJavaScript);
  json.OpenMap();
  WriteHead(frame, paths, WriteCorePrompt, json);
  WriteResults(frame, sections, json);
  WriteTail(frame, sections, json);
  WriteNullMatrix(frame, "allFinalAssistantResponses", json);
  WriteNullMatrix(frame, "fullConversationHistories", json);
  json.Close();
  ASSAY_CHECK_OK(json.Finish());
  return sink.Close();
}

}  // namespace assay::blueprint
