// Checks paths and words of a request, and adds the nonce and the epilogue.
#include "io/launcher/request.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/errors/diagnostics.h"
#include "base/limits.h"
#include "io/limits.h"

namespace assay {

namespace {

constexpr std::string_view kNonceName = "@NONCE@";

// Relative, with no part that is empty, "." or "..".
bool StaysInside(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return false;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return false;
    begin = end + 1;
  }
  return true;
}

std::string WithNonce(std::string text, const std::string& nonce) {
  for (std::size_t at = text.find(kNonceName); at != std::string::npos; at = text.find(kNonceName, at))
    text.replace(at, kNonceName.size(), nonce);
  return text;
}

// Strings of the kernel end at a NUL.
bool HasNul(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word.find('\0') != std::string::npos; });
}

Error Bad(std::string message) { return Error{ErrorCode::kInvalidInput, std::move(message)}; }

std::uint64_t Microseconds(std::chrono::milliseconds time) {
  const auto most = std::min(std::max(time, std::chrono::milliseconds(1)), limits::kProgramWallMax);
  return static_cast<std::uint64_t>(most.count()) * 1'000;
}

}  // namespace

Result<SandboxRun> MakeSandboxRun(ProcessRequest request, const std::string& nonce) {
  if (request.argv.empty() || request.argv[0].empty()) return Bad("a program to run needs a name");
  SandboxRun run;
  std::set<std::string> paths;
  for (FileSpec& file : request.files) {
    if (!StaysInside(file.path))
      return Bad(fmt::format("{} is no path inside a work folder", Quoted(file.path)));
    if (!paths.insert(file.path).second)
      return Bad(fmt::format("the file {} is there twice", Quoted(file.path)));
    std::string bytes = file.blob == nullptr ? std::move(file.bytes) : file.blob->bytes;
    run.files.push_back({std::move(file.path), std::move(bytes)});
  }
  if (request.epilogue) {
    const auto file = std::find_if(run.files.begin(), run.files.end(), [&](const SandboxFile& each) {
      return each.path == request.epilogue->path;
    });
    if (file == run.files.end())
      return Bad(
          fmt::format("an epilogue for {}, which is no file of the program", Quoted(request.epilogue->path)));
    file->bytes += WithNonce(request.epilogue->text, nonce);
  }
  run.argv = std::move(request.argv);
  run.after_argv = std::move(request.after_argv);
  for (const auto& [name, value] : request.env) run.environment.push_back(name + "=" + value);
  if (HasNul(run.argv) || HasNul(run.after_argv) || HasNul(run.environment))
    return Bad("arguments and environment of a program hold no NUL");
  return run;
}

SandboxLimits MakeSandboxLimits(const ProcessLimits& limits, bool counts_processes) {
  return {.wall_us = Microseconds(limits.wall),
          .cpu_us = Microseconds(limits.cpu),
          .memory_bytes = std::min(limits.memory_bytes, limits::kProgramMemoryBytesMax),
          .processes = counts_processes ? 0 : std::min(limits.processes, limits::kProgramProcessesMax),
          .file_bytes = limits::kProgramFileBytesMax,
          .folder_bytes = limits::kProgramFolderBytesMax};
}

std::string MakeNonce() {
  std::array<unsigned char, 16> bytes{};
  ssize_t count = 0;
  while (count != static_cast<ssize_t>(bytes.size())) count = getrandom(bytes.data(), bytes.size(), 0);
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace assay
