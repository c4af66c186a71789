// Looks through the store's runs for those of the same suite.
#include "engine/plan/earlier_runs.h"

#include <fmt/core.h>

#include <algorithm>

#include "dialects/unlisted_cases.h"
#include "plan/answers/generator.h"
#include "plan/models_of.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

std::string MakerVersion(const RunRecord& run) {
  return run.context.assay_version.empty() ? "before 0.4.0" : run.context.assay_version;
}

// Whether assay 0.3 made the run, or the run names no version.
bool IsBefore04(const RunRecord& run) {
  const std::string& version = run.context.assay_version;
  return version.empty() || version.starts_with("0.3.");
}

// Whether the run before asked an agent of the suite in the words of another version of it.
bool AskedAgentOtherwise(const Suite& suite, const RunRecord& before) {
  const Result<GeneratorVersions> versions = DecodeGeneratorVersions(before.generators);
  const bool reads_documents = std::any_of(suite.cases.begin(), suite.cases.end(),
                                           [](const Case& one) { return !one.documents->empty(); });
  const bool has_other =
      std::any_of(suite.variants.begin(), suite.variants.end(), [&](const Variant& variant) {
        const GeneratorRow* row =
            suite.cases.empty() ? nullptr : GeneratorOf(suite.cases.front(), variant, {});
        return row != nullptr && row->has_agent_settings && versions && !IsMadeWith(*row, *versions);
      });
  return reads_documents && has_other;
}

// Whether the command is about some of the suite's cases alone.
bool IsPart(const RunSpec& spec, const DialectRow* dialect) {
  const auto options = dialect != nullptr ? dialect->options : DialectRow().options;
  const bool is_narrowed = std::any_of(options.begin(), options.end(), [&spec](const DialectOption& option) {
    return option.narrows && spec.own.Has(option.name);
  });
  return is_narrowed || TakesPart(spec);
}

}  // namespace

std::string ChangedPrompts(const Planned& planned, const std::vector<RunRecord>& runs) {
  const Plan& plan = *planned.plan;
  const Suite& suite = plan.suite();
  const auto before = std::find_if(runs.rbegin(), runs.rend(),
                                   [&suite](const RunRecord& run) { return run.title == suite.title; });
  if (before == runs.rend()) return {};
  std::string note;
  if (IsBefore04(*before) && AskedAgentOtherwise(suite, *before)) {
    note = fmt::format(
        "assay {} numbered documents over the whole run, and this version numbers them within their "
        "case: answers of the research agent in run {} are requested again",
        MakerVersion(*before), before->context.run_id);
  }
  // As weval does, or somebody recorded what they say.
  const bool asks_as_before =
      suite.judge_reading == JudgeReading::kFirstTags || !planned.recorded.recordings.empty();
  if (IsBefore04(*before) && !asks_as_before && AsksAs(plan, RequestRole::kJudge)) {
    note += fmt::format(
        "{}assay {} asked judges in other words: the verdicts of run {} are requested again, its answers "
        "are not",
        note.empty() ? "" : "; ", MakerVersion(*before), before->context.run_id);
  }
  return note;
}

PromptClock EarlierPrompts(const RunSpec& spec, bool fresh, const Planned& planned,
                           const std::vector<RunRecord>& runs) {
  const Suite& suite = planned.plan->suite();
  if (!planned.plan->HasAnswerer(&GeneratorRow::tells_time)) return {};
  for (const Recording& recording : planned.recorded.recordings) {
    if (recording.prompts.ms != 0) return recording.prompts;
  }
  // A part that is asked afresh leaves the rest as it is.
  if (fresh && !IsPart(spec, planned.dialect)) return {};
  const auto earlier = std::find_if(runs.rbegin(), runs.rend(), [&suite](const RunRecord& run) {
    return run.title == suite.title && run.context.prompts.ms != 0;
  });
  return earlier == runs.rend() ? PromptClock{} : earlier->context.prompts;
}

bool IsOutdated(const RunRecord& run, const std::vector<RunRecord>& runs) {
  return std::any_of(runs.begin(), runs.end(), [&run](const RunRecord& other) {
    return other.title == run.title && other.epoch > run.epoch;
  });
}

Status MakeLatest(Store& store, RunRecord& run, std::int64_t now_ms) {
  ASSAY_TRY(run, store.ChangeRun(run.context.run_id, [now_ms](RunRecord& now) {
    now.finished_ms = now_ms;
    return Ok();
  }));
  return Ok();
}

}  // namespace assay
