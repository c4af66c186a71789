// Computes what summary.json, the list of a blueprint's runs, records of a run.
#include "dialects/blueprint/kept_prompts.h"
#include "dialects/blueprint/write/frame.h"
#include "dialects/blueprint/write/similarities.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay::blueprint {
namespace {

// {avgCoverageExtent?, error?}: what statistics read of a coverage entry.
Value AverageOf(const Suite& suite, const Pair& pair) {
  Map kept;
  if (!HasCoverage(suite, pair)) return kept;
  const std::string error = CoverageErrorOf(suite, pair);
  const std::optional<double> score = CoverageScoreOf(pair);
  if (!error.empty()) {
    kept.Append("error", error);
  } else if (score) {
    kept.Append("avgCoverageExtent", *score);
  }
  return kept;
}

Result<Value> Coverage(const FileFrame& frame) {
  Map by_prompt;
  if (!frame.judges_coverage) return Value(std::move(by_prompt));
  for (const CaseIndex index : frame.cases) {
    const Case& the_case = frame.suite.cases[index];
    Map by_model;
    ASSAY_CHECK_OK(ForEachPairOf(frame.report, index, CellParts::kScores, [&](const Pair& pair) -> Status {
      by_model.Append(frame.suite.variants[pair.variant].id, AverageOf(frame.suite, pair));
      return Ok();
    }));
    by_prompt.Append(the_case.id, std::move(by_model));
  }
  return Value(std::move(by_prompt));
}

// Of its prompts no more than statistics read: those that have a weight, by id.
Value ConfigOf(const FileFrame& frame) {
  const Value& config = Detail(frame.suite.details, "config");
  if (!config.is_map()) return config;
  Map read;
  for (const Member& member : config.AsMap()) {
    if (member.key != "prompts" || !member.value.is_list()) {
      read.Append(member.key, member.value);
      continue;
    }
    List prompts;
    for (const Value& kept : member.value.AsList()) {
      if (kept.is_string() && kept.AsString().find("\"weight\"") == std::string::npos) continue;
      const Value prompt = PromptOf(kept);
      Map weighted;
      for (const char* key : {"id", "weight"}) {
        if (const Value* value = prompt.Find(key)) weighted.Append(key, *value);
      }
      prompts.push_back(Value(std::move(weighted)));
    }
    read.Append(member.key, std::move(prompts));
  }
  return Value(std::move(read));
}

}  // namespace

Result<Value> ScoresDocument(const FileFrame& frame, const RunPaths& paths) {
  Map results;
  ASSAY_TRY(Value similarities, SimilaritiesToIdeal(frame));
  results.Append("perPromptSimilarities", std::move(similarities));
  ASSAY_TRY(Value coverage, Coverage(frame));
  results.Append("llmCoverageScores", std::move(coverage));
  return Value(
      Object{{"configId", frame.suite.id},
             {"configTitle", frame.suite.title},
             {"runLabel", frame.report.run.run_label},
             {"timestamp", paths.timestamp},
             {"config", ConfigOf(frame)},
             {"effectiveModels", ArrayOf(frame.effective_models)},
             {"promptIds",
              ArrayOf(frame.cases_by_id, [&](const CaseIndex each) { return PromptIdInFile(frame, each); })},
             {"evaluationResults", std::move(results)},
             {"executiveSummary", ExecutiveSummary(frame)}});
}

}  // namespace assay::blueprint
