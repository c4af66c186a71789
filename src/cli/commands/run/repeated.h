// Runs that a command would only repeat: what such a command said is kept with its run, and said again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cli/commands/parts/cached_output.h"
#include "cli/commands/run/session.h"

namespace assay {

// Whether the files and the run alone decide what this run says.
bool IsCacheable(const RunInput& input, const Report& report, const RunRecord& record);

// Keeps with the run what its command said. `read_ms`: when its first file was read (wall clock).
void CacheOutput(Session& session, const WatchedFiles& files, std::vector<OutputText> said, ExitCode code,
                 std::int64_t read_ms);

// Says again what a finished run said, without reading its suite. Nothing: the command has to look into it.
std::optional<ExitCode> SayAgain(const Options& options, Ui& ui);

}  // namespace assay
