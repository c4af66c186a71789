// Any other engine: one script of a shell, which reads from the environment of a task, or from its argument,
// which shard it is. It makes the report too.
#include <fmt/core.h>

#include "base/text/shell_words.h"
#include "cluster/cluster.h"

namespace assay {

namespace {

// What engines call the number of a task of an array, and what is to be added to count from 1. Where none of
// it is an array, some say 0 or "undefined".
struct IndexVariable {
  std::string_view name;
  std::string_view value;  // of a shell
};
constexpr IndexVariable kIndexes[] = {{"SLURM_ARRAY_TASK_ID", "$SLURM_ARRAY_TASK_ID"},
                                      {"PBS_ARRAY_INDEX", "$PBS_ARRAY_INDEX"},
                                      {"SGE_TASK_ID", "$SGE_TASK_ID"},
                                      {"AWS_BATCH_JOB_ARRAY_INDEX", "$((AWS_BATCH_JOB_ARRAY_INDEX + 1))"},
                                      {"LSB_JOBINDEX", "$LSB_JOBINDEX"}};

std::string ChoiceOfIndex() {
  std::string text = "if [ \"$#\" -gt 0 ]; then what=$1\n";
  for (const IndexVariable& index : kIndexes)
    text += fmt::format("elif [ -n \"${{{}:-}}\" ]; then what={}\n", index.name, index.value);
  return text + "else what=\nfi\n";
}

std::string ExecLine(const ClusterJob& job, const std::vector<std::string>& words) {
  std::string line = "exec \"$assay\"";
  for (const std::string& word : words) line += " " + QuoteWord(word);
  // How many there are is the script's to say: more may join.
  const std::string fixed = QuoteWord(fmt::format("--shards={}", job.shards));
  if (const std::size_t at = line.find(fixed); at != std::string::npos)
    line.replace(at, fixed.size(), "\"--shards=$shards\"");
  return line;
}

}  // namespace

std::string ScriptProblem(const ClusterJob& job) {
  if (std::string problem = RunProblem(job); !problem.empty()) return problem;
  if (!job.arguments.empty()) return "--cluster-arg: pass options to the engine when you submit the script";
  if (job.waits) return "--wait: this command cannot see the jobs; `sh SCRIPT fold` waits for the shards";
  return {};
}

ClusterText ScriptText(const ClusterJob& job) {
  std::string text = fmt::format(
      "#!/bin/sh\n"
      "# {0} shards of run {1}, and its report:\n"
      "#   sh SCRIPT       in a task of an array, of Slurm, PBS, SGE, LSF or AWS Batch: the shard of its "
      "number\n"
      "#   sh SCRIPT 3     shard 3, from 1; one beyond {0} may join\n"
      "#   sh SCRIPT fold  waits until no cells are left, and makes the report\n"
      "# A shard that ends with 75 has given up a service that was down, and goes on when it is started "
      "again.\n"
      "cd {2} || exit 1\n",
      job.shards, job.run, QuoteWord(job.folder));
  for (const auto& [name, value] : job.environment)
    text += fmt::format("[ -n \"${{{0}:-}}\" ] || export {0}={1}\n", name, QuoteWord(value));
  for (const std::string& line : job.setup) text += line + "\n";
  text += fmt::format("assay={}\n[ -x \"$assay\" ] || assay=assay\nshards={}\n{}", QuoteWord(job.program),
                      job.shards, ChoiceOfIndex());
  std::vector<std::string> fold = job.fold;
  fold.emplace_back("--wait");
  text += fmt::format(
      "case $what in\n"
      "fold) {} ;;\n"
      "'' | 0 | *[!0-9]*)\n"
      "  echo \"expected a task of an array, or the number of a shard, or fold; found '$what'\" >&2\n"
      "  exit 1 ;;\n"
      "esac\n"
      "[ \"$what\" -le \"$shards\" ] || shards=$what\n"
      "{} --shard \"$what\"\n",
      ExecLine(job, fold), ExecLine(job, job.shard));
  return {.files = {{.name = "shards.sh", .text = std::move(text)}}};
}

}  // namespace assay
