// Runs that a command would only repeat: what such a command said is kept with its run, and said again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cli/commands/parts/said_again.h"
#include "cli/commands/run/session.h"

namespace assay {

// Whether the files and the run alone decide what this run says.
bool MayBeSaidAgain(const RunInput& input, const Report& report, const RunRecord& record);

// Keeps with the run what its command said. `read_ms`: when its first file was read (wall clock).
void KeepSaid(Session& session, const WatchedFiles& files, std::vector<Said> said, ExitCode code,
              std::int64_t read_ms);

// Says again what a finished run said, without reading its suite. Nothing: the command has to look into it.
std::optional<ExitCode> SayAgain(const Options& options, Ui& ui);

}  // namespace assay
