// Writes config, prompts, models, results and summary members of result files.
#include "dialects/blueprint/write/frame.h"

#include <algorithm>

#include "dialects/blueprint/kept_prompts.h"
#include "spec/exchange/keyed_headers.h"
#include "spec/suite/suite.h"

namespace assay::blueprint {
namespace {

// The system prompt of the variant, as the last case that it answers has it: the original keeps one per
// model.
Value LastSystemPrompt(const Suite& suite, CaseIndex last, VariantIndex variant) {
  const auto text = SystemPromptOf(suite.cases[last], suite.variants[variant]);
  return text ? Value(*text) : Value(Null{});
}

void WriteTexts(std::string_view key, const std::vector<std::string>& texts, JsonStream& json) {
  json.Key(key);
  json.OpenList();
  for (const std::string& text : texts) json.WriteText(text);
  json.Close();
}

void WritePromptContexts(const FileFrame& frame, JsonStream& json) {
  json.Key("promptContexts");
  json.OpenMap();
  for (const CaseIndex index : frame.cases) {
    const Case& the_case = frame.suite.cases[index];
    WritePromptMember(KeptPromptOf(frame.suite, the_case), "messages", the_case.id, json);
  }
  json.Close();
}

// Prompt by prompt, so that they are never all there as trees.
void WriteConfig(const Value& config, ShownPrompt shown, JsonStream& json) {
  if (!config.is_map()) return json.Member("config", config);
  const std::optional<Value> keyed = KeyedCopyOf(config);
  json.Key("config");
  json.OpenMap();
  for (const Member& member : (keyed ? *keyed : config).AsMap()) {
    if (member.key != "prompts" || !member.value.is_list()) {
      json.Member(member.key, member.value);
      continue;
    }
    json.Key(member.key);
    json.OpenList();
    for (const Value& kept : member.value.AsList()) shown(kept, json);
    json.Close();
  }
  json.Close();
}

}  // namespace

Value PromptIdInFile(const FileFrame& frame, CaseIndex index) {
  const Case& the_case = frame.suite.cases[index];
  const Value* written = KeptPromptOf(frame.suite, the_case).Find("id");
  return written != nullptr && written->is_number() ? *written : Value(the_case.id);
}

void WritePromptIds(const FileFrame& frame, JsonStream& json) {
  json.Key("promptIds");
  json.OpenList();
  for (const CaseIndex index : frame.cases_by_id) json.Write(PromptIdInFile(frame, index));
  json.Close();
}

Value ExtractedKeyPoints(const FileFrame& frame) {
  Map by_case;
  for (const auto& [index, points] : frame.report.key_points)
    by_case.Append(frame.suite.cases[index].id, List(points.begin(), points.end()));
  return by_case;
}

void WriteHead(const FileFrame& frame, const RunPaths& paths, ShownPrompt shown, JsonStream& json) {
  const Suite& suite = frame.suite;
  const Value& config = Detail(suite.details, "config");
  json.Member("configId", suite.id);
  json.Member("configTitle", suite.title);
  json.Member("runLabel", frame.report.run.run_label);
  json.Member("timestamp", paths.timestamp);
  if (!frame.report.stopped.empty()) json.Member("stopped", frame.report.stopped);
  json.Member("description", Detail(config, "description"));
  json.Member("sourceCommitSha", Detail(suite.details, "sourceCommitSha"));
  WriteConfig(config, shown, json);
  json.Member("evalMethodsUsed", Detail(suite.details, "evalMethodsUsed"));
  WriteTexts("effectiveModels", frame.effective_models, json);
  json.Key("modelSystemPrompts");
  json.OpenMap();
  for (VariantIndex i = 0; i < suite.variants.size(); ++i) {
    if (const auto last = LastCaseOf(frame, i))
      json.Member(suite.variants[i].id, LastSystemPrompt(suite, *last, i));
  }
  json.Close();
  WritePromptIds(frame, json);
  WritePromptContexts(frame, json);
  json.Member("extractedKeyPoints", ExtractedKeyPoints(frame));
}

Value ExecutiveSummary(const FileFrame& frame) {
  return frame.report.closing ? frame.report.closing->document : Value(Map());
}

void WriteResults(const FileFrame& frame, const FileSections& sections, JsonStream& json) {
  json.Key("evaluationResults");
  json.OpenMap();
  WriteMeanSimilarities(frame, json);
  if (sections.similarities) json.Splice(sections.similarities->text());
  if (sections.coverage) {
    json.Splice(sections.coverage->text());
  } else {
    json.Member("llmCoverageScores", Map());
  }
  json.Close();
}

void WriteTail(const FileFrame& frame, const FileSections& sections, JsonStream& json) {
  if (sections.errors) json.Splice(sections.errors->text());
  if (frame.report.closing) json.Member("executiveSummary", ExecutiveSummary(frame));
}

}  // namespace assay::blueprint
