// Tests of what engines are handed: each word of it, and what is refused.
#include "cluster/cluster.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace assay {
namespace {

ClusterJob Job() {
  return {.run = "20270203T101500-3fa9",
          .shards = 8,
          .program = "/opt/as say/assay",
          .shard = {"run", "my suite.yml", "--shards=8", "--join=20270203T101500-3fa9"},
          .fold = {"run", "my suite.yml", "--fold=20270203T101500-3fa9"},
          .folder = "/data/eve's",
          .scripts = "/data/eve's/.assay/100%",
          .environment = {{"PATH", "/usr/bin:/bin"}, {"HOME", "/data/eve's"}},
          .setup = {"module load gcc"},
          .arguments = {"--partition=long"},
          .version = "0.3.0"};
}

bool Has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool Holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

TEST_CASE("Slurm gets an array, and a report behind it") {
  const ClusterText text = SlurmText(Job());
  REQUIRE(text.commands.size() == 2);
  const std::vector<std::string>& shards = text.commands[0].words;
  CHECK(shards.front() == "sbatch");
  CHECK(shards[1] == "--partition=long");
  CHECK(shards.back() == "/data/eve's/.assay/100%/shard.sh");
  for (const std::string_view word :
       {"--parsable", "--chdir=/data/eve's", "--array=1-8", "--requeue", "--open-mode=append",
        "--signal=B:USR1@60", "--export=NIL", "--output=/data/eve's/.assay/100%%/shard-%a.log"})
    CHECK_MESSAGE(Has(shards, word), word);
  const std::vector<std::string> fold = WordsAfter(text.commands[1], IdOfPrinted("17;other\n"));
  CHECK(fold[fold.size() - 2] == "--dependency=afterany:17");
  CHECK(fold.back() == "/data/eve's/.assay/100%/fold.sh");
  CHECK_FALSE(Has(fold, "--array=1-8"));
  CHECK_FALSE(Has(fold, "--wait"));
  ClusterJob waiting = Job();
  waiting.waits = true;
  CHECK(Has(SlurmText(waiting).commands[1].words, "--wait"));
  CHECK_FALSE(Has(SlurmText(waiting).commands[0].words, "--wait"));
}

TEST_CASE("scripts of Slurm say all that a job does not have") {
  const ClusterText text = SlurmText(Job());
  REQUIRE(text.files.size() == 3);
  const std::string& shard = text.files[0].text;
  CHECK(shard.starts_with("#!/bin/bash\n"));
  for (const std::string_view part :
       {"export HOME='/data/eve'\\''s'\n", "export PATH=/usr/bin:/bin\n", "\nmodule load gcc\n",
        "'/opt/as say/assay' run 'my suite.yml' --shards=8 --join=20270203T101500-3fa9 --shard "
        "\"$SLURM_ARRAY_TASK_ID\" &\n",
        "-lt 5 ]; then\n  scontrol requeue \"$SLURM_JOB_ID\"\n"})
    CHECK_MESSAGE(Holds(shard, part), shard);
  CHECK_FALSE(Holds(shard, "srun"));
  // A shard that found no cells left lets the report begin; without one it never waits.
  CHECK(Holds(shard,
              "if [ \"$code\" = 0 ]; then\n  echo \"$SLURM_ARRAY_TASK_ID\" > "
              "'/data/eve'\\''s/.assay/100%/done'\n"));
  CHECK(Holds(shard,
              "scontrol update JobName=assay-20270203T101500-3fa9-fold UserId=\"$(id -u)\" Dependency= "));
  CHECK(Holds(text.files[1].text,
              "exec '/opt/as say/assay' run 'my suite.yml' "
              "--fold=20270203T101500-3fa9 $wait\n"));
  CHECK(text.files[2].name == "done");
  CHECK(text.files[2].text.empty());
}

TEST_CASE("options of sbatch that would undo others are refused") {
  struct Row {
    std::string argument;
    bool is_taken;
  };
  const Row rows[] = {{"--array=1-3", false}, {"--arr=1-3", false}, {"-a1-3", false}, {"-a", false},
                      {"debug", false},       {"--", false},        {"-", false},     {"--account=me", true},
                      {"-pdebug", true},      {"--time=1:00", true}};
  for (const Row& row : rows) {
    CAPTURE(row.argument);
    ClusterJob job = Job();
    job.arguments = {row.argument};
    CHECK(SlurmProblem(job).empty() == row.is_taken);
  }
  ClusterJob odd = Job();
  odd.folder = "/a\nb";
  CHECK_FALSE(SlurmProblem(odd).empty());
}

TEST_CASE("Kubernetes gets an Indexed Job, and one that waits for it") {
  ClusterJob job = Job();
  job.setup.clear();
  job.arguments = {"claim=suites", "secret=keys", "image=registry.example/assay:1", "namespace=eve"};
  job.environment = {{"PGSERVICEFILE", "/run/secrets/assay/pg_\"service"}};
  CHECK(KubernetesProblem(job).empty());
  const ClusterText text = KubernetesText(job);
  CHECK(text.commands.empty());
  REQUIRE(text.files.size() == 1);
  const std::string& yaml = text.files[0].text;
  for (const std::string_view part :
       {"  name: assay-20270203t101500-3fa9-shards\n", "  name: assay-20270203t101500-3fa9-fold\n",
        "  completions: 8\n", "  completionMode: Indexed\n", "  backoffLimitPerIndex: 5\n",
        "      restartPolicy: Never\n", "        image: \"registry.example/assay:1\"\n",
        "  namespace: \"eve\"\n", "        - \"my suite.yml\"\n", "        - \"--wait\"\n",
        "value: \"/run/secrets/assay/pg_\\\"service\"", "secretName: \"keys\", defaultMode: 0440",
        "claimName: \"suites\""})
    CHECK_MESSAGE(Holds(yaml, part), yaml);
  CHECK_FALSE(Holds(yaml.substr(0, yaml.find("---")), "--wait"));
  for (const std::string_view argument : {"claim=", "--partition=long", "image"}) {
    CAPTURE(argument);
    ClusterJob wrong = job;
    wrong.arguments.emplace_back(argument);
    CHECK_FALSE(KubernetesProblem(wrong).empty());
  }
  ClusterJob bare = job;
  bare.arguments.clear();
  CHECK(Holds(KubernetesProblem(bare), "claim="));
  // The image that came unasked could open no store on a server.
  bare.arguments = {"claim=suites"};
  CHECK(Holds(KubernetesProblem(bare), "image=NAME is missing"));
}

ClusterJob Pods(std::vector<ClusterPatch> patches) {
  ClusterJob job = Job();
  job.setup.clear();
  job.arguments = {"claim=suites", "image=registry.example/assay:1"};
  job.patches = std::move(patches);
  return job;
}

TEST_CASE("pods may do what Pod Security's restricted lets them, and what is wrong is not tried again") {
  const std::string yaml = KubernetesText(Pods({})).files[0].text;
  for (const std::string_view part :
       {"runAsNonRoot: true", "seccompProfile: {type: RuntimeDefault}", "allowPrivilegeEscalation: false",
        "capabilities: {drop: [ALL]}", "automountServiceAccountToken: false",
        "    - action: FailIndex\n      onExitCodes: {containerName: assay, operator: In, values: [1]}\n",
        "    - action: Count\n      onExitCodes: {containerName: assay, operator: In, values: [75]}\n"})
    CHECK_MESSAGE(Holds(yaml, part), yaml);
  CHECK(Holds(yaml.substr(yaml.find("---")), "seccompProfile: {type: RuntimeDefault}"));
  CHECK_FALSE(Holds(yaml.substr(yaml.find("---")), "FailIndex"));
}

TEST_CASE("patches are merged into both Jobs, or into the one that they name") {
  const ClusterJob job = Pods({{"patch.yml",
                                "metadata: {labels: {kueue.x-k8s.io/queue-name: night}}\n"
                                "spec:\n  template:\n    spec:\n"
                                "      tolerations: [{key: spot, operator: Exists}]\n"
                                "      containers:\n      - name: assay\n"
                                "        resources: {requests: {cpu: 500m}}\n"
                                "        env: [{name: TZ, value: UTC}]\n"
                                "---\n"
                                "metadata: {name: fold}\nspec: {backoffLimit: 2}\n"}});
  CHECK(KubernetesProblem(job).empty());
  const std::string yaml = KubernetesText(job).files[0].text;
  const std::string shards = yaml.substr(0, yaml.find("---\n"));
  const std::string fold = yaml.substr(yaml.find("---\n"));
  for (const std::string* each : {&shards, &fold}) {
    for (const std::string_view part : {"    \"kueue.x-k8s.io/queue-name\": \"night\"\n", "- key: \"spot\"\n",
                                        "            cpu: \"500m\"\n", "          - name: \"TZ\"\n",
                                        "- name: \"assay\"\n", "  - \"run\"\n"})
      CHECK_MESSAGE(Holds(*each, part), *each);
  }
  CHECK(Holds(fold, "  backoffLimit: 2\n"));
  CHECK_FALSE(Holds(shards, "backoffLimit: 2"));
  CHECK(Holds(shards, "  name: \"assay-20270203t101500-3fa9-shards\"\n"));
}

TEST_CASE("what is wrong with a patch is shown at its place") {
  struct Row {
    std::string text;
    std::string_view says;
  };
  const Row rows[] = {
      {"- a\n", "p.yml:1:1: error: expected a mapping, found a list [cluster.patch]"},
      {"metadata: {name: other}\n", "expected the name `shards` or `fold`"},
      {"kind: Pod\n", "expected Job"},
      {"spec: {completions: 3}\n", "the patch changes completions of the Job"},
      {"spec: {template: {spec: {containers: [{name: assay, args: [x]}]}}}\n", "the patch changes args"},
      {"spec: {template: {spec: {containers: [{name: assay, $patch: delete}]}}}\n", "the patch changes args"},
      {"spec: {template: {spec: {containers: [{image: x}]}}}\n", "expected a mapping with name"},
      {"spec: {template: {spec: {$retainKeys: [a]}}}\n", "found the directive \"$retainKeys\""},
      {"spec: {suspend: 2027-01-02}\n", "write it in quotes"},
      {"spec: [\n", "p.yml:"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::string problem = KubernetesProblem(Pods({{"p.yml", row.text}}));
    CHECK_MESSAGE(Holds(problem, row.says), problem);
  }
}

TEST_CASE("any other engine gets a script") {
  ClusterJob job = Job();
  job.arguments.clear();
  job.environment = {{"PGHOST", "db"}};
  CHECK(ScriptProblem(job).empty());
  const ClusterText text = ScriptText(job);
  CHECK(text.commands.empty());
  const std::string& script = text.files[0].text;
  for (const std::string_view part :
       {"cd '/data/eve'\\''s' || exit 1\n", "[ -n \"${PGHOST:-}\" ] || export PGHOST=db\n",
        "module load gcc\n", "elif [ -n \"${PBS_ARRAY_INDEX:-}\" ]; then what=$PBS_ARRAY_INDEX\n",
        "what=$((AWS_BATCH_JOB_ARRAY_INDEX + 1))\n",
        "exec \"$assay\" run 'my suite.yml' \"--shards=$shards\" --join=20270203T101500-3fa9 --shard "
        "\"$what\"\n",
        "fold) exec \"$assay\" run 'my suite.yml' --fold=20270203T101500-3fa9 --wait ;;\n"})
    CHECK_MESSAGE(Holds(script, part), script);
  job.arguments = {"--queue=x"};
  CHECK_FALSE(ScriptProblem(job).empty());
}

TEST_CASE("Kubernetes finds no variable in what pods are told") {
  // As kubelet reads words and variables: two dollars are one, and $(NAME) is a variable.
  const auto expanded = [](std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char next = text[i] == '$' && i + 1 < text.size() ? text[i + 1] : '\0';
      if (next == '(' && text.find(')', i) != std::string_view::npos) return std::string("a variable");
      out += text[i];
      if (next == '$') ++i;
    }
    return out;
  };
  for (const std::string name : {"s$(HOME).yml", "$$(HOME)", "$$$(HOME)", "a$b", "$", "$$", "$(", "$()",
                                 "cost $5 (or $$6)", "$(A)$(B)"}) {
    CAPTURE(name);
    ClusterJob job = Job();
    job.arguments = {"claim=c", "image=i"};
    job.shard = {"run", name};
    job.fold = {"run", name};
    job.environment = {{"PGUSER", name}};
    const std::string yaml = KubernetesText(job).files[0].text;
    for (std::size_t at = yaml.find('$'); at != std::string::npos;) {
      const std::size_t begin = yaml.rfind('"', at) + 1;
      const std::size_t end = yaml.find('"', at);
      CHECK(expanded(yaml.substr(begin, end - begin)) == name);
      at = yaml.find('$', end);
    }
  }
}

TEST_CASE("no engine takes the id of a run that is more than a word") {
  for (const char* run :
       {"x\ntouch PWNED\n", "../../../x", "", "-x", "$(touch PWNED)", "x y", "'x", "\x1b[2J"}) {
    CAPTURE(run);
    ClusterJob job = Job();
    job.run = run;
    CHECK_FALSE(SlurmProblem(job).empty());
    job.setup.clear();
    job.arguments = {"claim=suites", "image=registry.example/assay:1"};
    CHECK_FALSE(KubernetesProblem(job).empty());
  }
  ClusterJob other = Job();
  other.setup.clear();
  other.arguments = {"claim=suites", "image=registry.example/assay:1"};
  for (const char* run : {"under_score", "a.b", "a2345678901234567890123456789012345678901234567890123"}) {
    CAPTURE(run);
    other.run = run;
    CHECK(Holds(KubernetesProblem(other), "is no name of a Job"));
  }
}

TEST_CASE("engines are found by their names") {
  CHECK(FindCluster("slurm") == &ClusterTable().front());
  CHECK(FindCluster("pbs") == nullptr);
  CHECK(IdOfPrinted("123\n") == "123");
  CHECK(IdOfPrinted("123;here\n") == "123");
}

}  // namespace
}  // namespace assay
