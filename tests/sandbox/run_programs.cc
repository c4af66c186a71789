// assay_run_programs LEVEL: runs programs through the launcher, for tests that are scripts. One JSON object a
// line comes in: {toolchain, argv, files: {path: text}, wall_ms, cpu_ms, memory_bytes, processes, epilogue:
// {path, text}, after_argv, prelude}; one goes out for each, in the same order: {exit, signal, limit,
// timed_out, held_up, sandbox, out, err, reached_end, after, error}. Toolchains are looked for in $PATH and
// in $ASSAY_TOOLCHAINS; work folders are made in $ASSAY_PROGRAM_FOLDER. LEVEL "landlock:N" is version N of
// Landlock and no later one. Exit 77 where the level does not work.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "base/completion_queue.h"
#include "io/launcher/launcher.h"
#include "text/json/json.h"

namespace assay {
namespace {

std::string Text(const Value& value, std::string_view name) {
  const Value* found = value.Find(name);
  return found == nullptr ? std::string() : found->AsString();
}

std::vector<std::string> Words(const Value& value, std::string_view name) {
  std::vector<std::string> words;
  if (const Value* found = value.Find(name)) {
    for (const Value& each : found->AsList()) words.push_back(each.AsString());
  }
  return words;
}

std::uint64_t Count(const Value& value, std::string_view name, std::uint64_t otherwise) {
  const Value* found = value.Find(name);
  return found == nullptr ? otherwise : static_cast<std::uint64_t>(found->AsNumber());
}

ProcessRequest RequestOf(const Value& value) {
  ProcessRequest request;
  request.toolchain = Text(value, "toolchain");
  request.argv = Words(value, "argv");
  request.after_argv = Words(value, "after_argv");
  request.prelude = Text(value, "prelude");
  if (const Value* files = value.Find("files")) {
    for (const Member& file : files->AsMap()) request.files.push_back({file.key, file.value.AsString()});
  }
  if (const Value* epilogue = value.Find("epilogue"))
    request.epilogue = Epilogue{Text(*epilogue, "path"), Text(*epilogue, "text")};
  request.limits.wall = std::chrono::milliseconds(Count(value, "wall_ms", 10'000));
  request.limits.cpu = std::chrono::milliseconds(Count(value, "cpu_ms", 10'000));
  request.limits.memory_bytes = Count(value, "memory_bytes", 1u << 30);
  request.limits.processes = static_cast<std::uint32_t>(Count(value, "processes", 64));
  return request;
}

Value ReplyValue(const ProcessReply& reply) {
  Map map;
  map.Set("exit", Value(static_cast<double>(reply.exit_code)));
  map.Set("signal", Value(static_cast<double>(reply.signal)));
  map.Set("limit", Value(reply.limit));
  map.Set("timed_out", Value(reply.timed_out));
  map.Set("held_up", Value(reply.held_up));
  map.Set("sandbox", Value(reply.sandbox));
  map.Set("out", Value(reply.stdout_text));
  map.Set("err", Value(reply.stderr_text));
  map.Set("us", Value(static_cast<double>(reply.duration.count())));
  if (reply.reached_end) map.Set("reached_end", Value(*reply.reached_end));
  if (reply.after_exit_code) map.Set("after", Value(static_cast<double>(*reply.after_exit_code)));
  if (reply.error) map.Set("error", Value(reply.error->message));
  return Value(std::move(map));
}

int Main(const char* level_name) {
  const std::string_view words(level_name);
  const std::size_t colon = std::min(words.find(':'), words.size());
  const std::optional<SandboxLevel> level = FindSandboxLevel(words.substr(0, colon));
  if (!level) return 2;
  const char* path = std::getenv("PATH");
  const char* folder = std::getenv("ASSAY_TOOLCHAINS");
  const ToolchainPlaces places{.search_path = path == nullptr ? "" : path,
                               .folder = folder == nullptr ? "" : folder,
                               .level = level};
  LauncherOptions options;
  options.level = level;
  if (colon < words.size()) options.landlock_most = std::atoi(level_name + colon + 1);
  if (const char* work = std::getenv("ASSAY_PROGRAM_FOLDER")) options.folder = work;
  std::vector<ToolchainWanted> wanted;
  for (const std::string_view name : ToolchainNames()) wanted.push_back({.name = name});
  for (Result<InstalledToolchain>& found : ProbeToolchains(wanted, places)) {
    if (found) options.toolchains.push_back(*std::move(found));
  }
  CompletionQueue replies;
  Result<std::unique_ptr<ProcessLauncher>> launcher = ProcessLauncher::Open(std::move(options));
  if (!launcher) {
    std::cout << "skipped: " << launcher.error().message << "\n";
    return 77;
  }
  for (std::string line; std::getline(std::cin, line);) {
    Result<Value> value = ParseJson(line);
    if (!value) return 2;
    (*launcher)->Run(1, RequestOf(*value), replies);
    std::cout << WriteJson(ReplyValue(replies.TakeProgram()), JsonStyle::kJavaScript) << std::endl;
  }
  (*launcher)->CancelAll();
  return 0;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return argc == 2 ? assay::Main(argv[1]) : 2; }
