// Digests of the files that the command lines of a suite's programs name: a program whose files changed
// counts as another program, so its replies are asked for again.
#pragma once

#include <string>

#include "base/files/file_reader.h"
#include "run/wire/router.h"

namespace assay {

struct Suite;

// Of everybody whom the suite asks through a program, whatever its format: the digests of the files among the
// words of the command line, below `cwd` where they are not absolute. A word that is no file, a folder, and
// what cannot be read or is larger than limits::kInputFileBytesMax count for nothing; whoever names no file
// is absent. They stand in the suite as well (Variant::inputs), so that a run whose program was changed is
// another run.
ProgramInputs TakeProgramInputs(const std::string& cwd, FileReader& files, Suite& suite);

}  // namespace assay
