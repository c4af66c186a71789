// Compares digests of toolchains, and levels of the sandbox, with those that a run's record has.
#include "engine/choose/toolchain_changes.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/shards/shared_run.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

// The sandbox stands among the toolchains of a run of several processes: by this name, with its level.
constexpr std::string_view kSandbox = "sandbox";

const Toolchain* FindByLanguage(const std::vector<Toolchain>& toolchains, std::string_view language) {
  const auto found = std::find_if(toolchains.begin(), toolchains.end(),
                                  [language](const Toolchain& each) { return each.language == language; });
  return found == toolchains.end() ? nullptr : &*found;
}

// A toolchain of this machine that is another one than where the run began.
struct ToolchainChange {
  std::string language;
  std::string there;  // the beginnings of their digests
  std::string here;
};

std::vector<ToolchainChange> ToolchainChanges(const RunRecord& run, const std::vector<Toolchain>& here) {
  constexpr std::size_t kDigestShown = 12;
  std::vector<ToolchainChange> changes;
  const Result<std::vector<Toolchain>> there = DecodeToolchains(run.toolchains);
  if (run.toolchains.empty() || !there) return changes;  // an older assay's run, or a damaged one
  const auto shown = [](const Toolchain* toolchain) {
    const bool is_there = toolchain != nullptr && !toolchain->digest.empty();
    return is_there ? toolchain->digest.substr(0, kDigestShown) : std::string("missing");
  };
  for (const Toolchain& now : here) {
    const Toolchain* then = FindByLanguage(*there, now.language);
    if (then != nullptr && then->digest == now.digest) continue;
    changes.push_back({.language = now.language, .there = shown(then), .here = shown(&now)});
  }
  return changes;
}

}  // namespace

std::vector<Toolchain> ToolchainsOfRun(const Suite& suite, std::optional<SandboxLevel> sandbox) {
  std::vector<Toolchain> toolchains = suite.toolchains;
  if (sandbox) {
    toolchains.push_back({.language = std::string(kSandbox),
                          .digest = std::string(SandboxLevelName(*sandbox)),
                          .missing = {}});
  }
  return toolchains;
}

std::string ChangedToolchains(const RunRecord& run, const std::vector<Toolchain>& here) {
  std::string changed;
  for (const ToolchainChange& change : ToolchainChanges(run, here))
    changed += fmt::format("{}{}", changed.empty() ? "" : ", ", change.language);
  if (changed.empty()) return {};
  return fmt::format(
      "what runs programs has changed since the run began: {}; those that are left use what is "
      "here now",
      changed);
}

Error CannotJoin(const RunRecord& run, std::string_view what) {
  return {ErrorCode::kRefused, fmt::format("run {} cannot be joined: {}", run.context.run_id, what)};
}

Status RunsProgramsAlike(const RunRecord& run, std::optional<SandboxLevel> sandbox,
                         const std::vector<Toolchain>& here) {
  const std::vector<ToolchainChange> changes = ToolchainChanges(run, here);
  if (!changes.empty()) {
    std::string text;
    for (const ToolchainChange& each : changes) {
      text += fmt::format("{}{}, which is {} where it began and {} on {}", text.empty() ? "" : "; ",
                          each.language, each.there, each.here, HostName());
    }
    return CannotJoin(run, "programs would be run by another toolchain: " + text);
  }
  const Result<std::vector<Toolchain>> toolchains = DecodeToolchains(run.toolchains);
  const Toolchain* began = toolchains ? FindByLanguage(*toolchains, kSandbox) : nullptr;
  const std::optional<SandboxLevel> there = began == nullptr ? std::nullopt : FindSandboxLevel(began->digest);
  if (!there || !sandbox || *sandbox <= *there) return Ok();  // the weaker stand behind
  return CannotJoin(
      run, fmt::format("programs run in the sandbox at level {} where it began, and at {} on {}; begin a run "
                       "with --sandbox {}",
                       SandboxLevelName(*there), SandboxLevelName(*sandbox), HostName(),
                       SandboxLevelName(*sandbox)));
}

}  // namespace assay
