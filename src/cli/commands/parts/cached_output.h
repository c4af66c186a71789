// CachedOutput: what the command of a finished run printed, stored with the run beside everything that it
// depends on. The same command prints it again without reading its suite, as long as nothing of that has
// changed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "cli/files/watched_files.h"
#include "cli/settings/options.h"
#include "cli/terminal/ui.h"
#include "engine/exit_code.h"
#include "store/marks.h"
#include "store/store.h"

namespace assay {

struct CachedOutput {
  std::string asked;                       // OutputKey
  std::map<std::string, FileState> files;  // that were read or looked for, as they were then
  std::vector<std::string> written;        // paths of the result files
  std::vector<OutputText> said;
  ExitCode code = ExitCode::kDone;
};

// A digest of the program, the command with everything that is set for it, the folder and the environment.
std::string OutputKey(const Options& options);
// Whether what the command prints is a matter of its inputs alone: not where it writes what other runs share,
// compares with other runs, or asks afresh.
bool IsCacheable(const Options& options);

// "": it is too long to be kept, or one of its files was changed so shortly before `read_ms` (wall clock,
// when the first was read) that another change might not be seen.
std::string EncodeCachedOutput(const CachedOutput& again, std::int64_t read_ms);
Result<CachedOutput> DecodeCachedOutput(std::string_view text);

// The newest run that the command would only repeat, and what it printed; nothing where that has to be looked
// into: something has changed, a result file is missing, or a newer run asked the same suite afresh.
struct CacheHit {
  RunRecord record;
  CachedOutput again;
};
Result<std::optional<CacheHit>> FindCachedOutput(Store& store, const RowRanges& foreign,
                                                 const std::string& asked);

}  // namespace assay
