// What it costs to start a foreign program: bare, at each level of the sandbox, and warm Python. CPU time of
// other processes is not in google-benchmark's column; wall time is what a waiting run sees.
#include <benchmark/benchmark.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>

#include "base/completion_queue.h"
#include "io/launcher/launcher.h"

namespace {

void BareSpawn(benchmark::State& state) {
  char name[] = "true";
  char* argv[] = {name, nullptr};
  for (auto _ : state) {
    pid_t pid = 0;
    posix_spawn(&pid, "/usr/bin/true", nullptr, nullptr, argv, environ);
    waitpid(pid, nullptr, 0);
  }
}
BENCHMARK(BareSpawn)->Unit(benchmark::kMillisecond)->UseRealTime();

void RunEach(benchmark::State& state, std::string_view toolchain, assay::SandboxLevel level,
             const assay::ProcessRequest& request) {
  const char* path = std::getenv("PATH");
  const char* folder = std::getenv("ASSAY_TOOLCHAINS");
  assay::Result<assay::InstalledToolchain> found =
      assay::ProbeToolchain(toolchain, {.search_path = path == nullptr ? "" : path,
                                        .folder = folder == nullptr ? "" : folder});
  if (!found) return state.SkipWithError(found.error().message.c_str());
  assay::LauncherOptions options;
  options.level = level;
  options.toolchains = {*found};
  assay::CompletionQueue replies;
  assay::Result<std::unique_ptr<assay::ProcessLauncher>> launcher =
      assay::ProcessLauncher::Open(std::move(options));
  if (!launcher) return state.SkipWithError(launcher.error().message.c_str());
  const auto run = [&] {
    (*launcher)->Run(1, request, replies);
    return replies.TakeProgram();
  };
  if (const assay::ProcessReply first = run(); first.exit_code != 0)
    return state.SkipWithError(("the program fails: " + first.stderr_text).c_str());
  for (auto _ : state) benchmark::DoNotOptimize(run());
}

void Launch(benchmark::State& state, assay::SandboxLevel level) {
  assay::ProcessRequest request;
  request.toolchain = "bash";
  request.argv = {"true"};
  RunEach(state, "bash", level, request);
}
BENCHMARK_CAPTURE(Launch, ns, assay::SandboxLevel::kNamespaces)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(Launch, landlock, assay::SandboxLevel::kLandlock)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(Launch, none, assay::SandboxLevel::kNone)->Unit(benchmark::kMillisecond)->UseRealTime();

// A test with the imports of InfiBench's Python programs.
void Python(benchmark::State& state, bool is_warm) {
  const std::string imports = "import numpy as np\nimport pandas as pd\n";
  assay::ProcessRequest request;
  request.toolchain = "python";
  request.argv = {"python3", "main.py"};
  request.files = {{"main.py", imports + "assert pd.DataFrame({'a': [1, 2, 3]}).a.sum() == 6\n"}};
  if (is_warm) request.prelude = imports;
  RunEach(state, "python", assay::SandboxLevel::kNamespaces, request);
}
BENCHMARK_CAPTURE(Python, warm, true)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(Python, cold, false)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
