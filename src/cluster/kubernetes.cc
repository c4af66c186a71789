// Kubernetes: an Indexed Job, a pod for each shard, and a Job that waits for them and makes the report. The
// image has no shell: assay is its entry point, and reads JOB_COMPLETION_INDEX itself.
#include <fmt/core.h>

#include <algorithm>

#include "base/text/shell_words.h"
#include "cluster/cluster.h"

namespace assay {

namespace {

constexpr std::string_view kSecretFolder = "/run/secrets/assay";
constexpr int kUser = 65'532;  // of the image: docs/cluster.md
constexpr int kRepeatsMax = 5;

struct Argument {
  std::string_view name;
  std::string_view value;
};

Argument ArgumentOf(std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  return {text.substr(0, equals), text.substr(std::min(equals + 1, text.size()))};
}

// The last one of that name; "" if there is none.
std::string_view Said(const ClusterJob& job, std::string_view name) {
  std::string_view said;
  for (const std::string& argument : job.arguments) {
    if (ArgumentOf(argument).name == name) said = ArgumentOf(argument).value;
  }
  return said;
}

// In double quotes, as YAML and JSON read it alike.
std::string QuotedText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

// As a pod is told it: Kubernetes replaces $(NAME) by a variable, and two dollars by one.
std::string Unexpanded(std::string_view text) {
  std::string plain;
  for (const char c : text) plain.append(c == '$' ? 2 : 1, c);
  return plain;
}

// Names of objects are small letters, digits and dashes.
std::string ObjectName(const ClusterJob& job, std::string_view what) {
  std::string name = fmt::format("assay-{}-{}", job.run, what);
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

bool IsObjectName(std::string_view name) {
  constexpr std::size_t kBytesMax = 63;
  constexpr std::string_view kTaken = "abcdefghijklmnopqrstuvwxyz0123456789-";
  return name.size() <= kBytesMax && name.find_first_not_of(kTaken) == std::string_view::npos;
}

std::string Arguments(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += fmt::format("        - {}\n", QuotedText(Unexpanded(word)));
  return list;
}

std::string Environment(const ClusterJob& job) {
  if (job.environment.empty()) return {};
  std::string list = "        env:\n";
  for (const auto& [name, value] : job.environment)
    list += fmt::format("        - {{name: {}, value: {}}}\n", name, QuotedText(Unexpanded(value)));
  return list;
}

// Suite and results lie in a volume, keys in a secret whose group may read it.
std::string Volumes(const ClusterJob& job) {
  const std::string_view claim = Said(job, "claim");
  const std::string_view secret = Said(job, "secret");
  std::string mounts = fmt::format("        - {{name: work, mountPath: {}}}\n", QuotedText(job.folder));
  std::string volumes = fmt::format("      - name: work\n        persistentVolumeClaim: {{claimName: {}}}\n",
                                    QuotedText(claim));
  if (!secret.empty()) {
    mounts += fmt::format("        - {{name: secret, mountPath: {}, readOnly: true}}\n", kSecretFolder);
    volumes += fmt::format("      - name: secret\n        secret: {{secretName: {}, defaultMode: 0440}}\n",
                           QuotedText(secret));
  }
  return fmt::format("        volumeMounts:\n{}      volumes:\n{}", mounts, volumes);
}

std::string JobBeginning(const ClusterJob& job, std::string_view what) {
  const std::string_view space = Said(job, "namespace");
  return fmt::format("apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {}\n{}spec:\n",
                     ObjectName(job, what),
                     space.empty() ? "" : fmt::format("  namespace: {}\n", QuotedText(space)));
}

// A pod that its node had to give up is no failure of the run.
std::string Pod(const ClusterJob& job, const std::vector<std::string>& words) {
  return fmt::format(
      "  podFailurePolicy:\n"
      "    rules:\n"
      "    - action: Ignore\n"
      "      onPodConditions: [{{type: DisruptionTarget}}]\n"
      "  template:\n"
      "    spec:\n"
      "      restartPolicy: Never\n"
      "      securityContext: {{runAsNonRoot: true, runAsUser: {0}, fsGroup: {0}}}\n"
      "      containers:\n"
      "      - name: assay\n"
      "        image: {1}\n"
      "        workingDir: {2}\n"
      "        args:\n"
      "{3}{4}{5}",
      kUser, QuotedText(Said(job, "image")), QuotedText(job.folder), Arguments(words), Environment(job),
      Volumes(job));
}

}  // namespace

std::string KubernetesProblem(const ClusterJob& job) {
  if (std::string problem = RunProblem(job); !problem.empty()) return problem;
  if (!IsObjectName(ObjectName(job, "shards")))
    return fmt::format("{} is no name of a Job: run {} was begun for another engine",
                       ObjectName(job, "shards"), job.run);
  constexpr std::string_view kKnown[] = {"claim", "image", "namespace", "secret"};
  for (const std::string& argument : job.arguments) {
    const Argument said = ArgumentOf(argument);
    const bool is_known = std::find(std::begin(kKnown), std::end(kKnown), said.name) != std::end(kKnown);
    if (!is_known || said.value.empty())
      return fmt::format("--cluster-arg: expected claim=, image=, namespace= or secret=NAME, found {}",
                         QuoteWord(argument));
  }
  if (!job.setup.empty()) return "--cluster-setup: pods have no shell; put what is needed into the image";
  if (job.waits) return "--wait: nobody here sees the Jobs; `kubectl wait` does";
  if (Said(job, "claim").empty())
    return "--cluster-arg=claim=NAME is missing: the volume that holds this folder, for suite and results";
  // That of ./dev package has no libpq: docs/decisions/0087.
  if (Said(job, "image").empty())
    return fmt::format(
        "--cluster-arg=image=NAME is missing: an image with assay {} and libpq5; `assay help cluster` shows "
        "how one is made",
        job.version);
  return {};
}

ClusterText KubernetesText(const ClusterJob& job) {
  const std::string shards = fmt::format(
      "  completions: {0}\n  parallelism: {0}\n  completionMode: Indexed\n"
      "  backoffLimitPerIndex: {1}\n",
      job.shards, kRepeatsMax);
  std::vector<std::string> fold = job.fold;
  fold.emplace_back("--wait");
  return {.files = {
              {.name = "jobs.yaml",
               .text = fmt::format("{}{}{}---\n{}  backoffLimit: 0\n{}", JobBeginning(job, "shards"), shards,
                                   Pod(job, job.shard), JobBeginning(job, "fold"), Pod(job, fold))}}};
}

}  // namespace assay
