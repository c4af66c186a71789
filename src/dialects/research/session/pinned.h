// The local copies of a dataset's documents: found in its manifest, and compared with what was downloaded.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/errors/diagnostics.h"
#include "base/files/file_reader.h"
#include "dialects/paths.h"
#include "dialects/research/read/dataset.h"
#include "dialects/research/read/matrix.h"

namespace assay::research {

struct Pinned {
  std::map<std::string, std::string> paths;    // by document id
  std::map<std::string, std::string> sha256s;  // likewise
};

// Where copies are looked for, and how it is told that one is missing.
struct PinnedPlace {
  std::string root;  // absolute
  const PathRoots& roots;
  Span where;
  Severity severity = Severity::kError;
};

// Nothing after a problem ("research.snapshot"), with the command that downloads what is missing.
std::optional<Pinned> ReadPinned(const PinnedPlace& place, const Dataset& dataset, FileReader& files,
                                 Diagnostics& diagnostics);

}  // namespace assay::research
