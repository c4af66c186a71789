// Slurm: an array of tasks, one for each shard, and behind it a job that makes the report. The scripts stay,
// since a task that is requeued reads its script again.
#include <fmt/core.h>

#include <algorithm>

#include "base/text/shell_words.h"
#include "cluster/cluster.h"

namespace assay {

namespace {

// A task that was stopped before its time ended, or given up a service that was down, goes on later, so often
// at most.
constexpr int kRequeuesMax = 5;
// Before its time ends a shard has this long to commit what it has.
constexpr int kWarningSeconds = 60;
constexpr std::string_view kDoneFile = "done";  // below ClusterJob::scripts

std::string Line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += fmt::format("{}{}", line.empty() ? "" : " ", QuoteWord(word));
  return line;
}

std::string CommandLine(const ClusterJob& job, const std::vector<std::string>& words) {
  return fmt::format("{} {}", QuoteWord(job.program), Line(words));
}

// Jobs begin with Slurm's own variables and nothing else.
std::string ScriptBeginning(const ClusterJob& job, std::string_view what) {
  std::string text =
      fmt::format("#!/bin/bash\n# {} of run {}. A task that is requeued reads this again.\n", what, job.run);
  for (const auto& [name, value] : job.environment)
    text += fmt::format("export {}={}\n", name, QuoteWord(value));
  for (const std::string& line : job.setup) text += line + "\n";
  return text;
}

std::string JobName(const ClusterJob& job, std::string_view what) {
  return fmt::format("assay-{}-{}", job.run, what);
}

// What a shard writes that has found no cells left: the report need not wait for tasks that are queued again
// and would find none either.
std::string DoneFile(const ClusterJob& job) { return fmt::format("{}/{}", job.scripts, kDoneFile); }

// Slurm tells the shell alone that its time ends, and a shell hears that only while it waits.
std::string ShardScript(const ClusterJob& job) {
  return fmt::format(
      "{}trap 'kill -TERM \"$assay\"' USR1\n"
      "{} --shard \"$SLURM_ARRAY_TASK_ID\" &\n"
      "assay=$!\n"
      "wait \"$assay\"\n"
      "code=$?\n"
      "if [ \"$code\" = $((128 + $(kill -l USR1))) ]; then\n"
      "  wait \"$assay\"\n"
      "  code=$?\n"
      "fi\n"
      "if {{ [ \"$code\" = 130 ] || [ \"$code\" = 75 ]; }} && [ \"${{SLURM_RESTART_COUNT:-0}}\" -lt {} ]; "
      "then\n"
      "  scontrol requeue \"$SLURM_JOB_ID\"\n"
      "fi\n"
      "if [ \"$code\" = 0 ]; then\n"
      "  echo \"$SLURM_ARRAY_TASK_ID\" > {}\n"
      "  scontrol update JobName={} UserId=\"$(id -u)\" Dependency= > /dev/null 2>&1\n"
      "fi\n"
      "exit \"$code\"\n",
      ScriptBeginning(job, "A shard"), CommandLine(job, job.shard), kRequeuesMax, QuoteWord(DoneFile(job)),
      QuoteWord(JobName(job, "fold")));
}

// One that begins before all tasks have ended waits for those that still work.
std::string FoldScript(const ClusterJob& job) {
  return fmt::format(
      "{}wait=\n"
      "[ -s {} ] && wait=--wait\n"
      "exec {} $wait\n",
      ScriptBeginning(job, "The report"), QuoteWord(DoneFile(job)), CommandLine(job, job.fold));
}

// As the name of a log, in which % and backslashes mean something.
std::string LogName(const ClusterJob& job, std::string_view name) {
  std::string path;
  for (const char c : job.scripts) {
    if (c == '%' || c == '\\') path += c;
    path += c;
  }
  return fmt::format("{}/{}", path, name);
}

// What the user says comes first: of two the last counts.
std::vector<std::string> Submission(const ClusterJob& job, std::string_view what, std::string_view log,
                                    std::string_view name) {
  std::vector<std::string> words = {"sbatch"};
  words.insert(words.end(), job.arguments.begin(), job.arguments.end());
  for (std::string word :
       {std::string("--parsable"), fmt::format("--chdir={}", job.folder),
        fmt::format("--job-name={}", JobName(job, what)), fmt::format("--output={}", LogName(job, log)),
        std::string("--open-mode=append"), std::string("--requeue"), std::string("--export=NIL")})
    words.push_back(std::move(word));
  words.push_back(fmt::format("{}/{}", job.scripts, name));
  return words;
}

// "--arr", "-a1-3" and "--array=1-3" are one option.
bool IsArray(std::string_view argument) {
  constexpr std::string_view kName = "--array";
  constexpr std::size_t kAloneFrom = 4;  // "--ar": nothing else of sbatch begins so
  const std::string_view name = argument.substr(0, argument.find('='));
  return argument.starts_with("-a") || (name.size() >= kAloneFrom && kName.starts_with(name));
}

}  // namespace

std::string SlurmProblem(const ClusterJob& job) {
  for (const std::string& argument : job.arguments) {
    if (IsArray(argument)) return "--cluster-arg: the array is --shards: leave --array out";
    if (!argument.starts_with('-') || argument == "-" || argument == "--")
      return fmt::format("--cluster-arg: expected an option of sbatch such as --partition=NAME, found {}",
                         QuoteWord(argument));
  }
  for (const std::string* path : {&job.folder, &job.scripts, &job.program}) {
    if (path->find('\n') != std::string::npos) return "Slurm takes no paths with line ends";
  }
  return RunProblem(job);
}

ClusterText SlurmText(const ClusterJob& job) {
  std::vector<std::string> shards = Submission(job, "shards", "shard-%a.log", "shard.sh");
  const auto script = shards.end() - 1;
  shards.insert(
      script, {fmt::format("--array=1-{}", job.shards), fmt::format("--signal=B:USR1@{}", kWarningSeconds)});
  std::vector<std::string> fold = Submission(job, "fold", "fold.log", "fold.sh");
  if (job.waits) fold.insert(fold.end() - 1, "--wait");
  return {
      .files = {{"shard.sh", ShardScript(job)}, {"fold.sh", FoldScript(job)}, {std::string(kDoneFile), ""}},
      .commands = {{.what = "shards", .words = std::move(shards)},
                   {.what = "fold", .words = std::move(fold), .after = "--dependency=afterany:"}}};
}

}  // namespace assay
