// The table of engines, one row each, and what is done with what they print.
#include <algorithm>

#include "base/text/names.h"
#include "cluster/cluster.h"

namespace assay {

namespace {

constexpr ClusterRow kClusters[] = {
    {"slurm", "sbatch", "", "", SlurmProblem, SlurmText},
    {"kubernetes", "", "patch=", "hand this to kubectl apply -f -", KubernetesProblem, KubernetesText},
    {"script", "", "",
     "save this as a script: an engine's task runs `sh SCRIPT`, and `sh SCRIPT fold` makes the report",
     ScriptProblem, ScriptText},
};

}  // namespace

std::span<const ClusterRow> ClusterTable() { return kClusters; }

const ClusterRow* FindCluster(std::string_view name) {
  const auto* found = std::find_if(std::begin(kClusters), std::end(kClusters),
                                   [&](const ClusterRow& row) { return row.name == name; });
  return found == std::end(kClusters) ? nullptr : found;
}

std::string RunProblem(const ClusterJob& job) { return NameProblem(NameKind::kRun, job.run); }

std::vector<std::string> WordsAfter(const ClusterCommand& command, std::string_view id) {
  std::vector<std::string> words = command.words;
  // Behind what the user says: of two the last counts.
  if (!command.after.empty()) words.insert(words.end() - 1, command.after + std::string(id));
  return words;
}

std::string IdOfPrinted(std::string_view printed) {
  return std::string(printed.substr(0, printed.find_first_of("; \r\n")));
}

}  // namespace assay
