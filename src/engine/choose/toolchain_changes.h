// What runs programs, the toolchains and the sandbox, where a run began and on this machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/sandbox/sandbox.h"
#include "spec/suite/outside.h"
#include "store/store.h"

namespace assay {

// As the run's record has them. `sandbox`: of a run of several processes, whose suite runs programs.
std::vector<Toolchain> ToolchainsOfRun(const Suite& suite, std::optional<SandboxLevel> sandbox);

// For people: which languages have another toolchain than when the run began. What was run stays as it is,
// and what is left uses what is here now. "": none.
std::string ChangedToolchains(const RunRecord& run, const std::vector<Toolchain>& here);

// Whether programs run here as strongly fenced as where the run began, and with the same toolchains; kRefused
// names both sides. Of runs of several processes, which make one report.
Status RunsProgramsAlike(const RunRecord& run, std::optional<SandboxLevel> sandbox,
                         const std::vector<Toolchain>& here);

// Why this process may not work on a run beside others.
Error CannotJoin(const RunRecord& run, std::string_view what);

}  // namespace assay
