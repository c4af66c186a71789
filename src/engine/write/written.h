// The last pass, Folded -> Written: writes the result files, then marks the run as finished in the store.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/grants/outputs.h"
#include "engine/write/folded.h"

namespace assay {

struct Written {
  RunRecord record;                        // finished, unless something failed
  std::vector<std::string> paths;          // what was written before a failure, too
  std::size_t found = 0;                   // the first of them were there, and are as they were
  std::vector<std::string> exported = {};  // files of --export
  std::optional<Error> failed;
  std::vector<std::string> notes = {};  // what was asked for and not done, and why
};

// `with_page`: report.html as well, which several runs of one file have together. Of a run that is up to date
// only what is not there is written, and what was asked for now.
Written WriteRun(const RunWorld& world, const Planned& planned, const Ran& ran, const Folded& folded,
                 const RunSpec& spec, const Outputs& outputs, bool with_page);

// Where its files go: --out, or the folder of a dialect that gives each run one.
std::string OutRoot(const DialectRow& dialect, const Suite& suite, const Outputs& outputs);

// Whether the formats of --export can hold the suite; said before anything is asked.
Status MayExport(const Outputs& outputs, const Suite& suite);
// Whether files can be made there; said before anything is asked.
Status CheckOutFolder(const std::string& folder);

}  // namespace assay
