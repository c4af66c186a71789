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
  REQUIRE(text.files.size() == 2);
  const std::string& shard = text.files[0].text;
  CHECK(shard.starts_with("#!/bin/bash\n"));
  for (const std::string_view part :
       {"export HOME='/data/eve'\\''s'\n", "export PATH=/usr/bin:/bin\n", "\nmodule load gcc\n",
        "'/opt/as say/assay' run 'my suite.yml' --shards=8 --join=20270203T101500-3fa9 --shard "
        "\"$SLURM_ARRAY_TASK_ID\" &\n",
        "-lt 5 ]; then\n  scontrol requeue \"$SLURM_JOB_ID\"\n"})
    CHECK_MESSAGE(Holds(shard, part), shard);
  CHECK_FALSE(Holds(shard, "srun"));
  CHECK(
      Holds(text.files[1].text, "exec '/opt/as say/assay' run 'my suite.yml' --fold=20270203T101500-3fa9\n"));
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
