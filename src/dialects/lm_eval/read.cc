// Recognises a task of lm-eval, and reads it with its rows into a Suite.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dialects/blueprint/foreign.h"
#include "dialects/foreign/said_data.h"
#include "dialects/foreign/texts.h"
#include "dialects/lm_eval/lm_eval.h"
#include "dialects/lm_eval/prompts.h"
#include "dialects/lm_eval/tasks.h"
#include "spec/suite/suite.h"
#include "text/template/engine.h"
#include "text/yaml/keys.h"

namespace assay {
namespace lm_eval {
namespace {

constexpr int kSure = 95;

// "did you mean X?", else all of them.
std::string HintOfNames(std::string_view word, const std::vector<std::string>& names, std::string_view of) {
  if (names.empty()) return fmt::format("the task names no {}", of);
  if (const std::string_view near = NearName(word, names); !near.empty())
    return fmt::format("did you mean {}?", Quoted(near));
  return fmt::format("its {}: {}", of, fmt::join(names, ", "));
}

// Each `--data` has to name a task of the file, and a split of it.
void CheckSaid(const std::vector<foreign::RowsFile>& said, const std::vector<Task>& tasks,
               dataset::Problems& problems) {
  const auto complain = [&](std::string message, std::string hint) {
    problems.Add(
        {.code = "lm-eval.data", .message = "--data: " + std::move(message), .hint = std::move(hint)});
  };
  for (const foreign::RowsFile& data : said) {
    const auto task =
        std::find_if(tasks.begin(), tasks.end(), [&](const Task& each) { return each.name == data.task; });
    if (task == tasks.end()) {
      std::vector<std::string> names;
      for (const Task& each : tasks) names.push_back(each.name);
      complain(fmt::format("the file has no task {}", Quoted(data.task)),
               HintOfNames(data.task, names, "tasks"));
      continue;
    }
    const std::vector<std::string> splits = SplitsOf(*task);
    if (data.split.empty() || std::find(splits.begin(), splits.end(), data.split) != splits.end()) continue;
    complain(fmt::format("the task {} has no split {}", Quoted(data.task), Quoted(data.split)),
             HintOfNames(data.split, splits, "splits"));
  }
}

}  // namespace
}  // namespace lm_eval

int SniffLmEval(std::string_view path, std::string_view text) {
  if (!path.ends_with(".yaml") && !path.ends_with(".yml")) return 0;
  const std::vector<std::string> keys = TopLevelKeys(text.substr(0, kSniffedBytesMax));
  const auto has = [&keys](std::string_view key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  if (has("prompts") || has("prompt") || has("should") || has("cases") || has("models")) return 0;
  const bool has_templates = has("doc_to_text") || has("doc_to_target") || has("doc_to_choice");
  const bool is_task =
      has("task") && (has("dataset_path") || has("output_type") || has("group") || has("include"));
  return has_templates || is_task ? lm_eval::kSure : 0;
}

std::optional<Suite> ReadLmEval(const ReadInput& input, FileId file, std::string_view text) {
  const std::vector<lm_eval::Task> tasks = lm_eval::ReadTasks(input, file, text);
  if (tasks.empty()) return std::nullopt;
  blueprint::DatasetReading reading = blueprint::DatasetsOf(input);
  const std::vector<foreign::RowsFile> said = foreign::RowsFilesOf(input);
  for (const foreign::RowsFile& data : said) reading.said_paths.push_back(data.path);
  lm_eval::CheckSaid(said, tasks, reading.problems);
  lm_eval::TaskNeeds most;
  List prompts;
  for (const lm_eval::Task& task : tasks) {
    lm_eval::TaskNeeds needs;
    if (std::optional<Value> prompt =
            lm_eval::PromptOf(task, said, tasks.size() > 1, needs, reading.problems))
      prompts.push_back(*std::move(prompt));
    most.repeats = std::max(most.repeats, needs.repeats);
    if (needs.max_tokens) most.max_tokens = std::max(*needs.max_tokens, most.max_tokens.value_or(0));
  }
  Map header;
  if (tasks.size() == 1) header.Append("id", Value(tasks.front().name));
  if (most.max_tokens) header.Append("max_tokens", Value(*most.max_tokens));
  std::vector<blueprint::PromptEntry> entries;
  if (!reading.problems.HasErrors()) entries = blueprint::ExpandDatasets(header, std::move(prompts), reading);
  reading.problems.TellTo(input.diagnostics);
  if (reading.problems.HasErrors()) return std::nullopt;
  foreign::WriteOutNumbers(entries, {"target", "choices", "listed"}, input.sources);
  std::optional<Suite> suite = blueprint::ReadForeign({.dialect = "lm-eval",
                                                       .checks = kLmEvalChecks,
                                                       .header = std::move(header),
                                                       .entries = std::move(entries),
                                                       .whole = tasks.front().whole},
                                                      reading, input, file, text);
  if (suite && !input.options.attempts) suite->attempts = static_cast<AttemptIndex>(most.repeats);
  return suite;
}

}  // namespace assay
