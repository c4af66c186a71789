// Kubernetes: an Indexed Job, a pod for each shard, and a Job that waits for them and makes the report. The
// image has no shell: assay is its entry point, and reads JOB_COMPLETION_INDEX itself.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text/shell_words.h"
#include "cluster/cluster.h"
#include "cluster/strategic_merge.h"
#include "text/yaml/yaml.h"

namespace assay {

namespace {

constexpr std::string_view kSecretFolder = "/run/secrets/assay";
constexpr int kUser = 65'532;  // of the image: docs/cluster.md
constexpr int kRepeatsMax = 5;
constexpr std::string_view kContainer = "assay";
// Exit codes of a shard: docs/cli.md.
constexpr int kWrongCommand = 1;
constexpr int kServiceDown = 75;

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
  for (const std::string& word : words) list += fmt::format("        - {}\n", QuotedYaml(Unexpanded(word)));
  return list;
}

std::string Environment(const ClusterJob& job) {
  if (job.environment.empty()) return {};
  std::string list = "        env:\n";
  for (const auto& [name, value] : job.environment)
    list += fmt::format("        - {{name: {}, value: {}}}\n", name, QuotedYaml(Unexpanded(value)));
  return list;
}

// Suite and results lie in a volume, keys in a secret whose group may read it.
std::string Volumes(const ClusterJob& job) {
  const std::string_view claim = Said(job, "claim");
  const std::string_view secret = Said(job, "secret");
  std::string mounts = fmt::format("        - {{name: work, mountPath: {}}}\n", QuotedYaml(job.folder));
  std::string volumes = fmt::format("      - name: work\n        persistentVolumeClaim: {{claimName: {}}}\n",
                                    QuotedYaml(claim));
  if (!secret.empty()) {
    mounts += fmt::format("        - {{name: secret, mountPath: {}, readOnly: true}}\n", kSecretFolder);
    volumes += fmt::format("      - name: secret\n        secret: {{secretName: {}, defaultMode: 0440}}\n",
                           QuotedYaml(secret));
  }
  return fmt::format("        volumeMounts:\n{}      volumes:\n{}", mounts, volumes);
}

std::string JobBeginning(const ClusterJob& job, std::string_view what) {
  const std::string_view space = Said(job, "namespace");
  return fmt::format("apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {}\n{}spec:\n",
                     ObjectName(job, what),
                     space.empty() ? "" : fmt::format("  namespace: {}\n", QuotedYaml(space)));
}

// A pod that its node had to give up is no failure of the run; of those that fail `ends` is said. What pods
// may do is what Pod Security's level "restricted" lets them.
std::string Pod(const ClusterJob& job, const std::vector<std::string>& words, std::string_view ends) {
  return fmt::format(
      "  podFailurePolicy:\n"
      "    rules:\n"
      "    - action: Ignore\n"
      "      onPodConditions: [{{type: DisruptionTarget, status: \"True\"}}]\n"
      "{6}"
      "  template:\n"
      "    spec:\n"
      "      restartPolicy: Never\n"
      "      automountServiceAccountToken: false\n"
      "      securityContext: {{runAsNonRoot: true, runAsUser: {0}, runAsGroup: {0}, fsGroup: {0}, "
      "seccompProfile: {{type: RuntimeDefault}}}}\n"
      "      containers:\n"
      "      - name: {7}\n"
      "        image: {1}\n"
      "        workingDir: {2}\n"
      "        securityContext: {{allowPrivilegeEscalation: false, capabilities: {{drop: [ALL]}}}}\n"
      "        args:\n"
      "{3}{4}{5}",
      kUser, QuotedYaml(Said(job, "image")), QuotedYaml(job.folder), Arguments(words), Environment(job),
      Volumes(job), ends, kContainer);
}

// What is wrong with the command is so the next time too; a service that was down, or a store, may be back.
std::string EndsOfShards() {
  return fmt::format(
      "    - action: FailIndex\n"
      "      onExitCodes: {{containerName: {0}, operator: In, values: [{1}]}}\n"
      "    - action: Count\n"
      "      onExitCodes: {{containerName: {0}, operator: In, values: [{2}]}}\n",
      kContainer, kWrongCommand, kServiceDown);
}

// --- what patches make of it ---

constexpr std::string_view kParts[] = {"shards", "fold"};

struct Patches {
  SourceFiles sources;
  Diagnostics problems;
  std::vector<Value> documents;
};

// A document may name the Job that it is for.
std::string PartOf(const Value& document) { return document.MapAt("metadata").TextAt("name"); }

void CheckPatch(const Value& document, Diagnostics& problems) {
  if (!document.is_map()) {
    problems.Error("cluster.patch", fmt::format("expected a mapping, found {}", KindName(document)),
                   document.span);
    return;
  }
  const Value* name = document.MapAt("metadata").Find("name");
  const std::string part = PartOf(document);
  if (name != nullptr && std::find(std::begin(kParts), std::end(kParts), part) == std::end(kParts)) {
    problems.Error("cluster.patch",
                   "expected the name `shards` or `fold` for one of the two Jobs, or no name for both",
                   name->span);
  }
  constexpr std::pair<std::string_view, std::string_view> kFixed[] = {{"apiVersion", "batch/v1"},
                                                                      {"kind", "Job"}};
  for (const auto& [key, value] : kFixed) {
    const Value* said = document.Find(key);
    if (said != nullptr && !SameValue(*said, Value(value)))
      problems.Error("cluster.patch", fmt::format("expected {}, or nothing", value), said->span);
  }
}

Patches ReadPatches(const ClusterJob& job) {
  Patches patches;
  for (const ClusterPatch& patch : job.patches) {
    const FileId file = patches.sources.Add(patch.file, patch.text);
    // As Kubernetes reads it: `on` is true, and 0440 is octal.
    for (Value& document : ReadYaml(file, patch.text, YamlRules::kPyYaml, patches.problems)) {
      if (document.is_nullish()) continue;
      CheckPatch(document, patches.problems);
      patches.documents.push_back(std::move(document));
    }
  }
  return patches;
}

const Value* At(const Value& value, std::initializer_list<std::string_view> path) {
  const Value* found = &value;
  for (const std::string_view key : path) {
    if (found != nullptr) found = found->Find(key);
  }
  return found;
}

const Value* Container(const Value& whole) {
  const Value* containers = At(whole, {"spec", "template", "spec", "containers"});
  if (containers == nullptr || !containers->is_list()) return nullptr;
  for (const Value& each : containers->AsList()) {
    if (each.TextAt("name") == kContainer) return &each;
  }
  return nullptr;
}

bool IsSame(const Value* a, const Value* b) {
  return a == nullptr || b == nullptr ? a == b : SameValue(*a, *b);
}

// By these each pod knows what it is to do.
void CheckPatched(const Value& before, const Value& after, Span where, Diagnostics& problems) {
  std::vector<std::string_view> changed;
  for (const std::string_view key : {"completions", "completionMode", "podFailurePolicy"}) {
    if (!IsSame(At(before, {"spec", key}), At(after, {"spec", key}))) changed.push_back(key);
  }
  const Value* container = Container(after);
  for (const std::string_view key : {"args", "command", "workingDir"}) {
    if (container == nullptr || !IsSame(Container(before)->Find(key), container->Find(key)))
      changed.push_back(key);
  }
  if (!changed.empty()) {
    problems.Error("cluster.patch",
                   fmt::format("the patch changes {} of the Job, by which pods work on the run; leave it out",
                               fmt::join(changed, ", ")),
                   where);
  }
}

std::string Patched(const std::string& text, std::string_view part, Patches& patches) {
  if (patches.documents.empty()) return text;
  Diagnostics none;
  Value whole = ReadYaml(FileId::kNone, text, YamlRules::kPyYaml, none).front();
  for (const Value& document : patches.documents) {
    const std::string for_part = PartOf(document);
    if (!document.is_map() || (!for_part.empty() && for_part != part)) continue;
    const Value before = whole;
    MergeStrategically(whole, document, patches.problems);
    if (Value* metadata = whole.AsMap().Find("metadata"); metadata != nullptr && metadata->is_map())
      metadata->AsMap().Set("name", *At(before, {"metadata", "name"}));
    CheckPatched(before, whole, document.span, patches.problems);
  }
  return WriteYaml(whole);
}

std::string Jobs(const ClusterJob& job, Patches& patches) {
  const std::string shards = fmt::format(
      "  completions: {0}\n  parallelism: {0}\n  completionMode: Indexed\n"
      "  backoffLimitPerIndex: {1}\n",
      job.shards, kRepeatsMax);
  std::vector<std::string> fold = job.fold;
  fold.emplace_back("--wait");
  const std::string first = JobBeginning(job, kParts[0]) + shards + Pod(job, job.shard, EndsOfShards());
  const std::string second = JobBeginning(job, kParts[1]) + "  backoffLimit: 0\n" + Pod(job, fold, "");
  return Patched(first, kParts[0], patches) + "---\n" + Patched(second, kParts[1], patches);
}

// What is wrong with the files, place by place; "": nothing.
std::string PatchProblem(const ClusterJob& job) {
  if (job.patches.empty()) return {};
  Patches patches = ReadPatches(job);
  if (!patches.problems.HasErrors()) static_cast<void>(Jobs(job, patches));
  if (!patches.problems.HasErrors()) return {};
  return "--cluster-arg=patch:\n" + FormatDiagnostics(patches.problems, patches.sources);
}

}  // namespace

std::string KubernetesProblem(const ClusterJob& job) {
  if (std::string problem = RunProblem(job); !problem.empty()) return problem;
  if (!IsObjectName(ObjectName(job, "shards")))
    return fmt::format("{} is no name of a Job: run {} was begun for another engine",
                       ObjectName(job, "shards"), job.run);
  constexpr std::string_view kKnown[] = {"claim", "image", "namespace", "patch", "secret"};
  for (const std::string& argument : job.arguments) {
    const Argument said = ArgumentOf(argument);
    const bool is_known = std::find(std::begin(kKnown), std::end(kKnown), said.name) != std::end(kKnown);
    if (!is_known || said.value.empty())
      return fmt::format(
          "--cluster-arg: expected claim=, image=, namespace= or secret=NAME, or patch=FILE, found {}",
          QuoteWord(argument));
  }
  if (!job.setup.empty()) return "--cluster-setup: pods have no shell; put what is needed into the image";
  if (job.waits) return "--wait: this command cannot see the Jobs; use `kubectl wait`";
  if (Said(job, "claim").empty())
    return "--cluster-arg=claim=NAME is missing: the volume that holds this folder, for suite and results";
  // That of ./dev package has no libpq: docs/decisions/0087.
  if (Said(job, "image").empty())
    return fmt::format(
        "--cluster-arg=image=NAME is missing: an image with assay {} and libpq5; `assay help cluster` shows "
        "how one is made",
        job.version);
  return PatchProblem(job);
}

ClusterText KubernetesText(const ClusterJob& job) {
  Patches patches = ReadPatches(job);
  return {.files = {{.name = "jobs.yaml", .text = Jobs(job, patches)}}};
}

}  // namespace assay
