// RunMaterial: a run's packed suite, and one digest over everything that its results depend on
// (RunRecord::inputs). Where the digest is unchanged, a finished run needs no repeating.
#pragma once

#include "base/files/file_reader.h"
#include "engine/plan/planned.h"
#include "spec/suite/stored_suite.h"

namespace assay {

// What a run is made of. A large suite takes its time, so it is made before others are kept waiting.
struct RunMaterial {
  PackedSuite packed;
  // Over the suite, what shapes the run, what the user grants and sets, this assay, the machine's toolchains,
  // recorded answers, and the bytes of documents and of files that command lines name.
  Digest inputs{};
};

// Documents are read.
RunMaterial MaterialOf(const RunSpec& spec, const Granted& granted, const Planned& planned,
                       FileReader& files);

}  // namespace assay
