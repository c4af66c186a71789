// One digest over everything that a run's results depend on, stored with the run (RunRecord::inputs); where
// it is unchanged, a finished run needs no repeating.
#pragma once

#include <span>

#include "base/files/file_reader.h"
#include "engine/plan/planned.h"
#include "spec/suite/stored_suite.h"

namespace assay {

// Over the suite, what shapes the run, what the user grants and sets, this assay, the machine's toolchains,
// recorded answers, and the bytes of documents and of files that command lines name. Documents are read.
Digest InputsOf(const RunSpec& spec, const Granted& granted, const Planned& planned,
                const Digest& suite_digest, FileReader& files);

}  // namespace assay
